import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("The process's identity in a single-identity app follows the enrollment")
struct EnrolledIdentityTests {
  /// What ends an enrollment: the last command is the one after which the account is no longer enrolled.
  static let ends: [(String, [AppProtectionCommand])] = [
    ("220", [.requestCheckIn(.a), .answerCheckIn(.a, .gone)]),
    ("221", [.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.reEnrollForUnenrolledUser)))]),
    ("log-out", [.deregisterAndUnenroll(.a, wipe: false)]),
    ("log-out with a wipe", [.deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true)]),
    ("wipe", [.requestWipe(.a, .administrator, .service), .answerWipe(.a, removedEverything: true)]),
  ]

  /// Ends the enrollment, and expects that the identity stays until then.
  static func end(_ app: inout TestApp, _ name: String, _ commands: [AppProtectionCommand]) throws {
    for command in commands {
      expectEqual(app.state.identities.process, .account(.a1), "\(name), before \(command)")
      try app.run(command)
    }
  }

  @Test("It is taken back when the account is no longer enrolled, however that ends: new files have no owner")
  func ends() throws {
    for (name, commands) in Self.ends {
      var app = try IdentityTests.managed(multiIdentity: false)
      try Self.end(&app, name, commands)
      expectEqual(app.state.identities, IdentitiesSlice(), "\(name)")
      expectEqual(app.state.effectiveIdentity(of: .file).identity, .unset, "\(name)")
    }
  }

  @Test("An account that is enrolled again gets it back, and one that is only no longer targeted keeps it")
  func returns() throws {
    var app = try IdentityTests.managed(multiIdentity: false)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
    #expect(
      try app.run(.answerEnrollment(.a, .policy(TestApp.policy()))).contains("identity.switched"))
    expectEqual(app.state.identities.process, .account(.a1))
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .noPolicy))
    #expect(app.status(1) == .enrolledWithoutPolicy && app.state.identities.process == .account(.a1))
    try app.run(.deregisterAndUnenroll(.a, wipe: false))
    expectEqual(app.state.identities.process, .unset)
  }

  @Test("Another managed account takes the place of the one that leaves")
  func successor() throws {
    for (name, commands) in Self.ends {
      var app = try TestApp { $0.maximumManagedAccounts = 2 }
      try app.enroll(.a)
      try app.enroll(.b)
      try app.restart()
      try Self.end(&app, name, commands)
      expectEqual(app.state.identities.process, .account(.a2), "\(name)")
    }
  }

  @Test("What the app sets itself stays: another account's identity, or any in an app of several identities")
  func ownIdentity() throws {
    let refused = AppProtectionCommand.answerCheckIn(.a, .failure(.init(.reEnrollForUnenrolledUser)))
    var app = try IdentityTests.managed(multiIdentity: false)
    try app.run(.setIdentity(.process, .account(.personal)), .requestCheckIn(.a), refused)
    expectEqual(app.state.identities.process, .account(.a2))
    app = try IdentityTests.managed(multiIdentity: true)
    try app.run(.setIdentity(.process, .account(.a)), .requestCheckIn(.a), refused)
    expectEqual(app.state.identities.process, .account(.a1))
  }

  @Test("In a process of revision 4 the same events leave the identity where it was")
  func revision4() throws {
    for (name, commands) in Self.ends.prefix(3) {
      var app = try IdentityTests.managed(multiIdentity: false)
      try Self.end(&app, name, commands)
      expectEqual(app.replayed(revision: 4).identities.process, .account(.a1), "\(name)")
      expectEqual(app.replayed(revision: 5).identities.process, .unset, "\(name)")
    }
  }
}
