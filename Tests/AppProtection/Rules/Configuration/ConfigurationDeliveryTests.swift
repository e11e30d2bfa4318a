import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("App configuration: how it comes and goes")
struct ConfigurationDeliveryTests {
  static let entries = [ConfigurationEntry([ConfigurationValue("k", "v")])]

  @Test("S-92: before the enrollment there is none; after it it applies without a restart")
  func delivery() throws {
    var app = try TestApp()
    expectEqual(app.rejection(of: .deliverConfiguration(.a, Self.entries)), .unknownAccount)
    try app.run(.registerAndEnroll(.a))
    expectEqual(app.rejection(of: .deliverConfiguration(.a, Self.entries)), .notEnrolled(.a1))
    expectEqual(app.state.appConfiguration(for: .a1).fullData, [])
    try app.run(.answerEnrollment(.a, .noPolicy))
    _ = app.takeCallbacks()
    try expectEqual(app.run(.deliverConfiguration(.a, Self.entries)), ["configuration.received"])
    expectEqual(app.takeCallbacks(), ["ConfigurationDidChange a1"])
    expectEqual(app.state.appConfiguration(for: .a1).string("k"), "v")
    #expect(app.state.process.restart == nil)
    try expectEqual(app.run(.deliverConfiguration(.a, Self.entries)), [], "the same again changes nothing")
    try expectEqual(app.run(.deliverConfiguration(.a, [])), ["configuration.withdrawn"])
    expectEqual(app.takeCallbacks(), ["ConfigurationDidChange a1"])
    #expect(app.state.appConfiguration(for: .a1).string("k") == nil)
    expectEqual(app.state.appConfiguration(for: .a2).fullData, [])
  }

  @Test("It outlives a policy that no longer targets the account, and ends with the enrollment")
  func lifetime() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.deliverConfiguration(.a, Self.entries), .requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(app.state.appConfiguration(for: .a1).string("k"), "v")
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
    #expect(app.state.configuration.accounts.isEmpty)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())), .deliverConfiguration(.a, Self.entries))
    try app.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    #expect(app.state.configuration.accounts.isEmpty)
  }

  @Test("A configuration that goes with 220, the unenrollment or a wipe is announced once, when it can be read no more")
  func announced() throws {
    let departures: [[AppProtectionCommand]] = [
      [.requestCheckIn(.a), .answerCheckIn(.a, .gone)],
      [.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a)],
      [.deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true), .answerUnenrollment(.a)],
      [.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true)],
      [.deliverConfiguration(.a, [])],
    ]
    for departure in departures {
      var app = try TestApp()
      try app.enroll(.a)
      try app.run(.deliverConfiguration(.a, Self.entries))
      _ = app.takeCallbacks()
      for command in departure {
        let read = app.state.appConfiguration(for: .a1).fullData
        // An answer to what has been done already is none.
        if app.rejection(of: command) != nil { continue }
        let isGone = read != app.state.appConfiguration(for: .a1).fullData
        let told = app.takeCallbacks().filter { $0 == "ConfigurationDidChange a1" }
        expectEqual(told.count, isGone ? 1 : 0, "\(command)")
      }
      #expect(app.state.configuration.accounts.isEmpty, "\(departure)")
    }
  }

  @Test(
    "An account with a configuration and no policy is asked about every 720 minutes", arguments: RetryProfile.allCases)
  func interval(_ profile: RetryProfile) throws {
    var app = try TestApp { $0.retryProfile = profile }
    try app.enroll(.a, .noPolicy)
    try app.run(.deliverConfiguration(.a, Self.entries), .requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + 720 * TestApp.minute)
    try app.run(.deliverConfiguration(.a, []), .requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    let hours: Int64 = profile == .serviceTable ? 12 : 24
    try expectEqual(app.enrollment(.a1).nextCheckIn, app.now + hours * TestApp.hour)
  }

  @Test("Text is converted or not, as assumed")
  func assumption() throws {
    for converts in [true, false] {
      var app = try TestApp { $0.assumptions.configurationTextConverts = converts }
      try app.enroll(.a)
      try app.run(.deliverConfiguration(.a, [ConfigurationEntry([ConfigurationValue("k", "true")])]))
      expectEqual(app.state.appConfiguration(for: .a1).bool("k"), converts ? true : nil)
    }
  }

  @Test(
    "A configured value that may be personal is, whatever its kind, in the event as in the state",
    arguments: [
      (ConfigurationValue("k", 5_551_234_567), Privacy.account), (ConfigurationValue("k", 4711), .account),
      (ConfigurationValue("k", 30), .public), (ConfigurationValue("k", true), .public),
      (ConfigurationValue("k", "48.137154", kind: .real), .account),
      (ConfigurationValue("k", "1.5", kind: .real), .public), (ConfigurationValue("k", "alice"), .account),
      (ConfigurationValue("k", "471100"), .account), (ConfigurationValue("k", "yes"), .public),
    ])
  func privacy(_ value: ConfigurationValue, _ privacy: Privacy) throws {
    let shown = ConfigurationValue.tree([value])[path: "/k"]
    expectEqual(shown, .value(privacy == .public ? .text(value.text) : .personal(value.text, privacy)))
    var writer = WireWriter()
    value.encode(into: &writer)
    let text = try #require(MessageFields(writer.bytes, as: ConfigurationValue.descriptor)["text"])
    expectEqual(text.privacy, privacy)
  }

  @Test("A configuration that is too large for a journal is refused, and says what is taken")
  func tooLarge() throws {
    var app = try TestApp()
    try app.enroll(.a)
    let long = ConfigurationValue("k", String(repeating: "x", count: ConfigurationValue.maximumLength + 1))
    let many = (0...ConfigurationValue.maximumCount).map { ConfigurationValue("k\($0)", "v") }
    let heavy = (0..<80).map { ConfigurationValue("k\($0)", String(repeating: "x", count: 16_000)) }
    for values in [[long], many, heavy, [ConfigurationValue("", "v")]] {
      expectEqual(app.rejection(of: .setDeviceConfiguration(values)), .configurationTooLarge)
      expectEqual(app.rejection(of: .deliverConfiguration(.a, [ConfigurationEntry(values)])), .configurationTooLarge)
    }
    let parts = (0...ConfigurationValue.maximumCount).map { _ in ConfigurationEntry([]) }
    expectEqual(app.rejection(of: .deliverConfiguration(.a, parts)), .configurationTooLarge)
    #expect(AppProtectionRejection.configurationTooLarge.description.contains("1000 values"))
    expectEqual(AppProtectionRejection.configurationTooLarge.rule, "configuration.size")
  }

  static let managed = [
    ConfigurationValue("IntuneMAMUPN", "a@contoso.com"),
    ConfigurationValue("IntuneMAMOID", "AAAAAAAA-0000-4000-8000-00000000000A"),
    ConfigurationValue("IntuneMAMDeviceID", "0b0b0b0b-0000-4000-8000-00000000000b"),
    ConfigurationValue("intuneMAMallowedAccountsOnly", "enabled"), ConfigurationValue("home", "https://contoso.com"),
  ]

  @Test("T37: device management names the account, restricts to it, and takes it all away again")
  func deviceChannel() throws {
    var app = try TestApp()
    expectEqual(app.state.policySource, .other)
    try expectEqual(
      app.run(.setDeviceConfiguration(Self.managed)),
      [
        "account.introduced", "deviceAccount.changed", "deviceConfiguration.changed", "allowedAccounts.changed",
      ])
    expectEqual(app.takeCallbacks(), ["ConfigurationDidChange device", "AllowedAccountsDidChange"])
    #expect(app.state.settings.deviceAccount == .a1 && app.state.settings.allowedAccounts == [.a1])
    expectEqual(app.state.configuration.device?.values.map(\.key), ["home"], "names stand with the account alone")
    expectEqual(app.state.configuration.device?.deviceID?.description, "0b0b0b0b-0000-4000-8000-00000000000b")
    #expect(app.state.isManagedDevice && app.state.policySource == .mdm)
    expectEqual(app.rejection(of: .registerAndEnroll(.b)), .notAllowed(.a2))
    try expectEqual(app.run(.setDeviceConfiguration(Self.managed)), [])
    try app.enroll(.a)
    _ = app.takeCallbacks()
    try app.run(.setDeviceConfiguration(nil))
    expectEqual(app.takeCallbacks(), ["ConfigurationDidChange device", "AllowedAccountsDidChange"])
    #expect(app.state.settings.deviceAccount == nil && app.state.settings.allowedAccounts == nil)
    #expect(app.state.configuration.device == nil && app.state.policySource == .mam && app.state.isManaged(.a1))
    try expectEqual(app.run(.setDeviceConfiguration(nil)), [])
  }

  @Test("T37: the policy source follows the device, or not, as assumed")
  func policySource() throws {
    var app = try TestApp { $0.assumptions.policySourceRule = .service }
    try app.run(.setDeviceConfiguration(Self.managed))
    expectEqual(app.state.policySource, .other)
    try app.enroll(.a)
    expectEqual(app.state.policySource, .mam)
  }

  @Test("T38: a device's id without a user leaves the app unmanaged, and placeholders say nothing")
  func deviceWithoutUser() throws {
    var app = try TestApp()
    try app.run(.setDeviceConfiguration([Self.managed[2], Self.managed[3]]))
    #expect(!app.state.isManagedDevice && app.state.configuration.device?.deviceID != nil)
    expectEqual(app.findings, ["T38"])
    #expect(app.state.settings.allowedAccounts == nil, "nobody is locked out for want of a name")
    let left = [
      ConfigurationValue("IntuneMAMUPN", "{{userprincipalname}}"), ConfigurationValue("IntuneMAMOID", " {{UserId}}"),
      ConfigurationValue("IntuneMAMDeviceID", "{{deviceid}}"),
    ]
    try app.run(.setDeviceConfiguration(left))
    #expect(!app.state.isManagedDevice && app.state.configuration.device?.deviceID == nil)
    expectEqual(
      app.state.configuration.device?.values, [left[2], left[1], left[0]], "what names nobody stays to be seen")
    #expect(app.state.accounts.isEmpty)
    expectEqual(app.findings, ["T38"], "without a device's id nothing is found")
    try app.run(.setDeviceConfiguration(Self.managed))
    #expect(app.state.isManagedDevice && app.findings == ["T38"], "with a user nothing is wrong")
    try app.run(.setDeviceConfiguration([Self.managed[2]]))
    #expect(!app.state.isManagedDevice && app.findings == ["T38", "T38"], "the user went, and the device's id stayed")
  }

  @Test("A restriction that somebody else set outlives a configuration without one")
  func otherRestriction() throws {
    var app = try TestApp()
    try app.run(.setAllowedAccounts([.b]), .setDeviceConfiguration([Self.managed[0]]), .setDeviceConfiguration(nil))
    expectEqual(app.state.settings.allowedAccounts, [.a1])
    expectEqual(app.state.accounts[.a1]?.userPrincipalName, "b@fabrikam.com")
    try app.run(.setDeviceConfiguration(Self.managed), .setDeviceConfiguration([Self.managed[0]]))
    #expect(app.state.settings.allowedAccounts == nil && app.state.settings.deviceAccount == .a2)
  }

  @Test("Configured values are shown below their keys, marked as personal, whatever is in a key")
  func tree() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.deliverConfiguration(.a, [ConfigurationEntry([ConfigurationValue("a/b%", "v")])]))
    try app.run(.setDeviceConfiguration([ConfigurationValue("home", "x")]))
    expectEqual(app.state.tree()[path: "/configuration/a1/1/values/a%2Fb%25"], .value(.personal("v", .account)))
    expectEqual(app.state.tree()[path: "/configuration/device/values/home"], .value(.personal("x", .account)))
  }

  @Test("S-93: a value that is a secret is read by the app, and marked as one wherever it stands")
  func secret() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(
      LogScrubber(["hunter"]).scrub(
        .deliverConfiguration(
          .a, [ConfigurationEntry([ConfigurationValue("key", "hunter2"), ConfigurationValue("other", "v")])])))
    let flag = ConfigurationValue("flag", true)
    try app.run(LogScrubber(["x", "true"]).scrub(.setDeviceConfiguration([ConfigurationValue("home", "x"), flag])))
    expectEqual(app.state.appConfiguration(for: .a1).string("key"), "hunter2")
    expectEqual(app.state.tree()[path: "/configuration/a1/1/values/key"], .value(.personal("hunter2", .secret)))
    expectEqual(app.state.tree()[path: "/configuration/a1/1/values/other"], .value(.personal("v", .account)))
    expectEqual(app.state.tree()[path: "/configuration/device/values/home"], .value(.personal("x", .secret)))
    expectEqual(
      app.state.tree()[path: "/configuration/device/values/flag"], .value(.personal("true", .secret)),
      "a yes or no, too")
    for event in app.history.map(\.event) {
      guard case .configurationReceived = event else { continue }
      let fields = MessageFields(EventCatalogTests.body(of: event), as: ConfigurationReceived.descriptor)
      #expect(!Self.texts(fields, shown: { $0 != .secret }).contains("hunter2"))
      #expect(Self.texts(fields, shown: { _ in true }).contains("hunter2"))
    }
  }

  /// The texts of a message that are of the classes that may be shown.
  private static func texts(_ message: MessageFields, shown: (Privacy) -> Bool) -> [String] {
    message.fields.flatMap { field in
      field.values.flatMap { value -> [String] in
        switch value {
        case .text(let text): shown(field.privacy) ? [text] : []
        case .message(let inner): texts(inner, shown: shown)
        default: []
        }
      }
    }
  }
}
