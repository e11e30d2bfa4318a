import EventSourcing
import Testing

@testable import AppProtection

@Suite("DataProtectionDidChange")
struct DataProtectionChangeTests {
  static func policy(_ type: DataEncryptionType?, name: String = "p") -> PolicyDocument {
    var policy = TestApp.policy(name)
    policy.encryption.appDataEncryptionType = type
    return policy
  }

  /// An app of a managed account that has been told everything so far.
  static func app(_ type: DataEncryptionType?) throws -> TestApp {
    var app = try TestApp()
    try app.enroll(.a, .policy(policy(type)))
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  @Test("A change of whether files must be encrypted is announced, and any other change of a policy is not")
  func policies() throws {
    let cases: [(DataEncryptionType?, DataEncryptionType?, Bool)] = [
      (nil, .whenDeviceLocked, true), (.useDeviceSettings, .afterDeviceRestart, true), (.whenDeviceLocked, nil, true),
      (.whenDeviceLocked, .useDeviceSettings, true), (nil, .useDeviceSettings, false),
      (.whenDeviceLocked, .afterDeviceRestart, false), (nil, nil, false),
    ]
    for (before, after, isAnnounced) in cases {
      var app = try Self.app(before)
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(Self.policy(after, name: "q"))))
      let told = ["policyRequest a1 100", "PolicyDidChange a1"]
      #expect(app.takeCallbacks() == told + (isAnnounced ? ["DataProtectionDidChange a1"] : []))
    }
  }

  @Test("A policy that waits for a restart announces no encryption: the process that enforces it asks by itself")
  func restart() throws {
    var app = try TestApp()
    try app.enroll(.a, .policy(Self.policy(.whenDeviceLocked)))
    #expect(app.takeCallbacks() == ["enrollmentRequest a1 100", "PolicyDidChange a1", "restartApplication"])
    try app.restart()
    #expect(app.takeCallbacks() == [])
    #expect(app.state.fileEncryption(for: .a1).outcome == .required)
  }

  @Test("Files that stay behind without a policy need no encryption any more, which is announced; wiped ones are gone")
  func leaving() throws {
    var untargeted = try Self.app(.whenDeviceLocked)
    try untargeted.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    #expect(untargeted.takeCallbacks().last == "DataProtectionDidChange a1")
    var unenrolled = try Self.app(.whenDeviceLocked)
    try unenrolled.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    #expect(unenrolled.takeCallbacks().filter { $0.hasPrefix("DataProtection") } == ["DataProtectionDidChange a1"])
    var wiped = try Self.app(.whenDeviceLocked)
    try wiped.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    #expect(
      wiped.takeCallbacks() == [
        "policyRequest a1 102", "wipeData a1", "unenrollRequest a1 104", "WipeDidComplete a1",
      ])
  }

  @Test("What is assumed of encryption types is announced where it changes the answer")
  func assumptions() throws {
    var app = try Self.app(.whenDeviceLocked)
    var settings = app.state.settings.app
    settings.assumptions.encryptionTypeRequiresFileEncryption = false
    try app.run(.changeSettings(settings))
    #expect(app.takeCallbacks() == ["DataProtectionDidChange a1"])
  }
}
