import Expectations
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
  static func app(
    _ type: DataEncryptionType?, _ configure: (inout AppSettings) -> Void = { _ in }
  ) throws -> TestApp {
    var app = try TestApp(configure)
    try app.enroll(.a, .policy(policy(type)))
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  /// An encryption type and another, whether the demand to encrypt differs, and whether the level does.
  static let changes: [(DataEncryptionType?, DataEncryptionType?, demand: Bool, level: Bool)] = [
    (nil, .whenDeviceLocked, true, true), (.useDeviceSettings, .afterDeviceRestart, true, true),
    (.whenDeviceLocked, nil, true, true), (.whenDeviceLocked, .useDeviceSettings, true, true),
    (nil, .useDeviceSettings, false, false), (nil, nil, false, false),
    (.afterDeviceRestart, .whenDeviceLockedExceptOpenFiles, false, true),
    (.whenDeviceLockedExceptOpenFiles, .whenDeviceLocked, false, true),
    (.whenDeviceLocked, .afterDeviceRestart, false, true), (.whenDeviceLocked, .whenDeviceLocked, false, false),
  ]

  @Test("A change of the level is announced, and any other change of a policy is not", arguments: [true, false])
  func policies(announcesLevels: Bool) throws {
    for (before, after, demand, level) in Self.changes {
      var app = try Self.app(before) { $0.assumptions.protectionLevelChangesAreAnnounced = announcesLevels }
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(Self.policy(after, name: "q"))))
      let told = ["policyRequest a1 100", "PolicyDidChange a1"]
      let isAnnounced = announcesLevels ? level : demand
      expectEqual(
        app.takeCallbacks(), told + (isAnnounced ? ["DataProtectionDidChange a1"] : []),
        "\(String(describing: before)) to \(String(describing: after))")
    }
  }

  @Test("The level is announced even where no type is taken to ask for encrypted files")
  func levelWithoutDemand() throws {
    var app = try Self.app(.afterDeviceRestart) { $0.assumptions.encryptionTypeRequiresFileEncryption = false }
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(Self.policy(.whenDeviceLocked))))
    expectEqual(app.takeCallbacks().last, "DataProtectionDidChange a1")
  }

  @Test("What a process of revision 4 announced stays what it was: whether files must be encrypted")
  func revision4() throws {
    for (before, after, demand, _) in Self.changes {
      var app = try Self.app(before)
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(Self.policy(after, name: "q"))))
      let announced = app.callbacks(revision: 4).filter { $0.hasPrefix("DataProtection") }
      expectEqual(announced, demand ? ["DataProtectionDidChange a1"] : [])
    }
  }

  @Test("A policy that waits for a restart announces no encryption: the process that enforces it asks by itself")
  func restart() throws {
    var app = try TestApp()
    try app.enroll(.a, .policy(Self.policy(.whenDeviceLocked)))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 100", "PolicyDidChange a1", "restartApplication"])
    try app.restart()
    expectEqual(app.takeCallbacks(), [])
    expectEqual(app.state.fileEncryption(for: .a1).outcome, .required)
  }

  @Test("Files that stay behind without a policy need no encryption any more, which is announced; wiped ones are gone")
  func leaving() throws {
    var untargeted = try Self.app(.whenDeviceLocked)
    try untargeted.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    expectEqual(untargeted.takeCallbacks().last, "DataProtectionDidChange a1")
    var unenrolled = try Self.app(.whenDeviceLocked)
    try unenrolled.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    expectEqual(unenrolled.takeCallbacks().filter { $0.hasPrefix("DataProtection") }, ["DataProtectionDidChange a1"])
    var wiped = try Self.app(.whenDeviceLocked)
    try wiped.run(.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true))
    expectEqual(
      wiped.takeCallbacks(),
      [
        "policyRequest a1 102", "wipeData a1", "unenrollRequest a1 104", "WipeDidComplete a1",
      ])
  }

  @Test("What is assumed of encryption types is announced where it changes the answer")
  func assumptions() throws {
    var app = try Self.app(.whenDeviceLocked)
    var settings = app.state.settings.app
    settings.assumptions.encryptionTypeRequiresFileEncryption = false
    try app.run(.changeSettings(settings))
    expectEqual(app.takeCallbacks(), ["DataProtectionDidChange a1"])
  }
}
