import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Settings, allowed accounts and schedules")
struct SettingsTests {
  @Test("Settings are an event only where they differ")
  func settings() throws {
    var app = try TestApp()
    expectEqual(app.history.map(\.event.name), ["process.started"], "the defaults are known")
    var settings = AppSettings()
    settings.policyRequired = true
    try expectEqual(app.run(.changeSettings(settings)), ["settings.changed"])
    try expectEqual(app.run(.changeSettings(settings)), [])
    try expectEqual(app.run(.startProcess(TestApp.process, settings: settings)), ["process.started"])
    try expectEqual(
      app.run(.startProcess(TestApp.process, settings: AppSettings())), ["settings.changed", "process.started"])
  }

  @Test("Overrides of the property list are an event where they differ, and survive a launch")
  func overrides() throws {
    var app = try TestApp()
    let overrides = TokenLibraryOverrides(authority: "https://login.example/contoso", clientID: "1")
    try expectEqual(app.run(.overrideSettings(overrides)), ["settings.overridden"])
    try expectEqual(app.run(.overrideSettings(overrides)), [])
    try app.run(.endProcess, .startProcess(TestApp.process, settings: AppSettings()))
    expectEqual(app.state.settings.overrides, overrides)
    try app.enroll(.a)
    expectEqual(app.state.settings.overrides, overrides)
    try expectEqual(app.run(.overrideSettings(TokenLibraryOverrides())), ["settings.overridden"])
    expectEqual(app.state.settings.overrides, TokenLibraryOverrides())
  }

  @Test(
    "Overrides end when an account is unenrolled, wiped or forgotten by the service, but not while one is only leaving",
    arguments: [
      ([.deregisterAndUnenroll(.a, wipe: false)], false),
      ([.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a, failure: .init(.timeout))], false),
      ([.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a)], true),
      (
        [
          .removeToken(.a), .deregisterAndUnenroll(.a, wipe: false),
          .answerUnenrollment(.a, failure: .init(.authRequired)),
        ],
        true
      ),
      ([.requestWipe(.a, .administrator, .service)], false),
      ([.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true)], true),
      ([.requestCheckIn(.a), .answerCheckIn(.a, .gone)], true),
      ([.registerAndEnroll(.b), .deregisterAndUnenroll(.b, wipe: false)], false),
    ] as [([AppProtectionCommand], Bool)])
  func endOfOverrides(commands: [AppProtectionCommand], isEnd: Bool) throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    let overrides = TokenLibraryOverrides(redirectURI: "msauth.app://auth")
    try app.run(.overrideSettings(overrides))
    for command in commands { try app.run(command) }
    expectEqual(app.state.settings.overrides, isEnd ? TokenLibraryOverrides() : overrides)
  }

  @Test(
    "An override that no token library takes is refused by name",
    arguments: [
      "", "two words", "line\nbreak", "bell\u{7}",
      String(repeating: "x", count: TokenLibraryOverrides.maximumLength + 1),
    ])
  func invalidOverrides(value: String) throws {
    var app = try TestApp()
    for name in TokenLibraryOverrides.Name.allCases {
      var overrides = TokenLibraryOverrides()
      overrides[name] = value
      let rejection = app.rejection(of: .overrideSettings(overrides))
      #expect(rejection == .invalidOverride(name) && rejection?.rule == "settings.override")
      expectEqual(rejection?.description.contains(name.rawValue), true)
      overrides[name] = String(repeating: "x", count: TokenLibraryOverrides.maximumLength)
      #expect(app.rejection(of: .overrideSettings(overrides)) == nil)
    }
  }

  @Test("S-15 T35 T36: no list restricts nobody; a list restricts to its accounts; a change notifies once")
  func allowedAccounts() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.b, .noPolicy)
    _ = app.takeCallbacks()
    var upper = AccountReference.a
    upper.userPrincipalName = "A@CONTOSO.COM"
    try expectEqual(app.run(.setAllowedAccounts([.a, upper])), ["account.introduced", "allowedAccounts.changed"])
    try expectEqual(app.run(.setAllowedAccounts([upper])), [])
    expectEqual(app.takeCallbacks(), ["AllowedAccountsDidChange"])
    expectEqual(app.state.settings.allowedAccounts, [.a2])
    #expect(!app.state.settings.allows(.a1), "b, signed in already, must be signed out")
    expectEqual(app.rejection(of: .registerAndEnroll(.personal)), .notAllowed(.a3))
    expectEqual(app.state.accounts.count, 2, "a refused command introduces nobody")
    try app.enroll(.a)
    try app.run(.setAllowedAccounts([]))
    #expect(!app.state.settings.allows(.a2), "an empty list allows nobody")
    try app.run(.setAllowedAccounts(nil))
    #expect(app.state.settings.allows(.a1))
    #expect(app.state.settings.allowedAccounts == nil)
  }

  @Test("Every profile has the intervals of its source")
  func schedules() {
    let minutes: [(profile: RetryProfile, own: [Int64])] = [
      (.serviceTable, [30, 720, 720, 720, 720]), (.guide2019, [480, 1440, 1440, 1440, 1440]),
      (.guide2023, [30, 1440, 1440, 1440, 1440]),
    ]
    expectEqual(minutes.map(\.profile), RetryProfile.allCases)
    for (profile, own) in minutes {
      let schedule = RetrySchedule(profile)
      let lengths = [
        schedule.checkIn, schedule.checkInWithoutPolicy, schedule.notLicensed, schedule.notTargeted,
        schedule.failedEnrollment, schedule.notSetUp, schedule.checkInWithConfiguration, schedule.leaving,
        schedule.lapse,
      ]
      expectEqual(lengths, (own + [1440, 720, 30, 90 * 1440]).map { $0 * 60_000_000_000 }, "\(profile.name)")
    }
    expectEqual(RetrySchedule.pause(afterFailures: 0), RetrySchedule.minute)
    expectEqual(RetrySchedule.pause(afterFailures: .max), 60 * RetrySchedule.minute)
  }

  @Test("A due time never overflows")
  func clamping() {
    expectEqual(Int64.max.advancedClamping(by: 1), .max)
    expectEqual(Int64.min.advancedClamping(by: -1), .min)
    expectEqual(Int64(5).advancedClamping(by: -7), -2)
  }

  @Test("Settings survive their encoding, one by one and together")
  func coding() throws {
    var full = AppSettings()
    var variants: [AppSettings] = [full]
    func vary(_ change: (inout AppSettings) -> Void) {
      var one = AppSettings()
      change(&one)
      variants.append(one)
      change(&full)
    }
    vary { $0.multiIdentity = true }
    vary { $0.autoEnrollOnLaunch = true }
    vary { $0.policyRequired = true }
    vary { $0.warnsWhenPolicyAbsent = true }
    vary { $0.maximumManagedAccounts = 0 }
    vary { $0.firstPolicyNeedsNoRestart = true }
    vary { $0.retryProfile = .guide2023 }
    vary { $0.assumptions.restartAfterWipe = .never }
    vary { $0.assumptions.organizationRule = .never }
    vary { $0.assumptions.unreachableUnenrollment = .waitForToken }
    vary { $0.assumptions.refusedAccountCode = EnrollmentStatusCode(rawValue: 0) }
    variants.append(full)
    for (index, settings) in variants.enumerated() {
      var writer = WireWriter()
      settings.encode(into: &writer)
      let read = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try AppSettings(from: &reader) }
      expectEqual(read, settings, "variant \(index)")
      for other in variants[(index + 1)...] { #expect(settings.tree() != other.tree()) }
    }
  }
}
