import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Who is signed in to the app, and who must be the only managed account")
struct SignInTests {
  @Test("T39: an account for work or school whose registration does not follow its sign-in is named once a process")
  func unregistered() throws {
    for endsOrderly in [true, false] {
      var app = try TestApp()
      try app.enroll(.a)
      try app.run(.reportSignIns([.a, .b], workOrSchool: [.a, .b]))
      expectEqual(app.state.unregisteredSignIns, [.a2])
      try expectEqual(app.run(.reportSignIns([.b, .a], workOrSchool: [.b, .a])), [], "the same in another order")
      expectEqual(app.findings, [], "the app has yet to register it")
      if endsOrderly { try app.run(.endProcess) }
      expectEqual(app.findings, endsOrderly ? ["T39 a2"] : [])
      try app.restart()
      expectEqual(app.findings, ["T39 a2"])
      try app.run(.registerAndEnroll(.b))
      expectEqual(app.state.unregisteredSignIns, [])
      try app.restart()
      expectEqual(app.findings, ["T39 a2"])
      try app.run(.reportSignIns([]))
      #expect(!app.state.accounts.records.contains { $0.isSignedIn || $0.isForWorkOrSchool })
    }
  }

  @Test("T39: an account that is still signed in and unregistered at the next report is named")
  func unregisteredStill() throws {
    var app = try TestApp()
    try app.run(.reportSignIns([.a], workOrSchool: [.a]), .reportSignIns([.a, .personal], workOrSchool: [.a]))
    expectEqual(app.findings, ["T39 a1"])
  }

  @Test("T39: registration that follows the sign-in, and an account not used for work or school, are no findings")
  func registrationFollows() throws {
    var app = try TestApp()
    try app.run(.reportSignIns([.a, .personal], workOrSchool: [.a]), .registerAndEnroll(.a))
    try app.run(.reportSignIns([.a, .personal, .b], workOrSchool: [.a]), .endProcess)
    try app.restart()
    #expect(app.findings == [] && app.state.unregisteredSignIns == [])
    expectEqual(app.state.tree()[path: "/accounts/a1/isForWorkOrSchool"], .value(.bool(true)))
    expectEqual(app.state.tree()[path: "/accounts/a2/isForWorkOrSchool"], .value(.bool(false)))
  }

  @Test("T39: an extension, which cannot register an account, misses none")
  func extensionSignIns() throws {
    var app = try TestApp()
    var process = TestApp.process
    process.isExtension = true
    try app.run(.startProcess(process), .reportSignIns([.a], workOrSchool: [.a]), .endProcess)
    expectEqual(app.findings, [])
  }

  @Test(
    "S-15 T35: whoever is signed in and not allowed must be signed out; the mismatch is named, and removal asked once")
  func disallowed() throws {
    var app = try TestApp()
    try app.run(.reportSignIns([.a, .b, .personal]), .registerAndEnroll(.b))
    try expectEqual(
      app.run(.setAllowedAccounts([.a])),
      [
        "allowedAccounts.changed", "account.removalRequired", "account.removalRequired",
      ])
    expectEqual(app.callbacks.filter { $0 == "AllowedAccountsDidChange" }.count, 1)
    expectEqual(app.state.disallowedSignIns, [.a2, .a3])
    expectEqual(app.findings.suffix(2), ["T35 a2", "T35 a3"])
    expectEqual(app.state.accounts[.a2]?.removalCode, .notEmmAccount)
    try expectEqual(app.run(.setAllowedAccounts([.a, .b])), ["allowedAccounts.changed"], "nobody is told twice")
    // Case does not make another account.
    try app.run(.setAllowedAccounts([AccountReference(userPrincipalName: "P@Example.ORG")]))
    #expect(app.state.settings.allows(.a3))
  }

  @Test("T35: an account that was signed out and signs in again must be signed out again")
  func disallowedAgain() throws {
    var app = try TestApp()
    try app.run(.setAllowedAccounts([.a]))
    let reported = ["signIns.reported", "account.removalRequired"]
    try expectEqual(app.run(.reportSignIns([.personal])).suffix(2), reported)
    try expectEqual(app.run(.reportSignIns([.personal, .a])), ["signIns.reported"], "nobody is told twice")
    try expectEqual(app.run(.reportSignIns([.a])), ["signIns.reported"])
    try expectEqual(app.run(.reportSignIns([.a, .personal])), reported)
    try app.run(.setAllowedAccounts(nil))
    try expectEqual(app.run(.setAllowedAccounts([.a])), ["allowedAccounts.changed", "account.removalRequired"])
  }

  @Test(
    "T35: a completed check-in leaves the reason to remove an account that is still not allowed, and no other",
    arguments: [ServiceAnswer.unchanged, .noPolicy, .policy(TestApp.policy("other"))])
  func disallowedStill(answer: ServiceAnswer) throws {
    for (isAllowed, isLate) in [(false, false), (true, false), (false, true), (true, true)] {
      var app = try TestApp()
      try app.enroll(.a)
      try app.run(.reportSignIns([.a]), .setAllowedAccounts([.b]))
      expectEqual(app.state.accounts[.a1]?.removalCode, .notEmmAccount)
      if isLate {
        // What the service says is over as soon as it says something else.
        try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.mdmEnrolledDifferentUser))))
        expectEqual(app.state.accounts[.a1]?.removalCode, .mdmEnrolledDifferentUser)
      }
      if isAllowed { try app.run(.setAllowedAccounts(nil)) }
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, answer))
      expectEqual(app.state.accounts[.a1]?.removalCode, isAllowed ? nil : .notEmmAccount)
    }
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.setAllowedAccounts([.b]), .requestCheckIn(.a), .answerCheckIn(.a, answer))
    #expect(app.state.accounts[.a1]?.removalCode == nil, "nobody said that it must be removed")
  }

  static func automatic() throws -> TestApp {
    var app = try TestApp {
      $0.autoEnrollOnLaunch = true
      $0.multiIdentity = true
    }
    try app.run(.setDeviceAccount(.a))
    try app.restart()
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    return app
  }

  @Test("T17: the app is asked to add an account that was enrolled without its doing, once, also after a crash")
  func addition() throws {
    var app = try Self.automatic()
    #expect(app.callbacks.suffix(4).contains("addAccount a1"))
    #expect(app.work.contains("askToAddAccount a1"))
    try app.restart()
    #expect(app.work.contains("askToAddAccount a1"))
    let asked = try #require(app.state.accounts[.a1]?.additionQuestion)
    expectEqual(app.rejection(of: .answerAddition(.a, .success, intent: asked + 1)), .staleAnswer(.addition, .a1))
    try app.run(.answerAddition(.a, .success, intent: asked))
    #expect(app.state.accounts[.a1]?.isSignedIn == true && app.findings == [])
    expectEqual(app.rejection(of: .answerAddition(.a, .success)), .nothingAsked(.addition, .a1))
    var registered = try TestApp()
    try registered.enroll(.a)
    #expect(!registered.work.contains("askToAddAccount a1"), "the app named it itself")
  }

  @Test("T17: an account that the app does not add is named")
  func additionFailed() throws {
    var app = try Self.automatic()
    try app.run(.answerAddition(.a, .failed))
    #expect(app.state.accounts[.a1]?.isSignedIn == false && app.state.isManaged(.a1))
    expectEqual(app.findings, ["T17 a1"])
  }

  @Test("T12: an account that must be the only one lets nobody be managed beside it, and asks to be alone")
  func exclusive() throws {
    var app = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 3
    }
    try app.enroll(.a)
    try app.enroll(.b)
    expectEqual(app.state.policies.count, 2)
    try app.run(.setExclusivity(.b, true))
    try expectEqual(app.run(.setExclusivity(.b, true)), [])
    expectEqual(app.state.policies.count, 2, "nobody who is managed leaves because of it")
    try app.enroll(.colleague)
    #expect(app.work.contains("askAccountSwitch a3 a2"), "the one that must be alone is in the way")
    try app.run(.answerAccountSwitch(.colleague, .keepExisting))
    #expect(app.takeCallbacks().contains("enrollmentRequest a3 227"))
    var alone = try TestApp {
      $0.multiIdentity = true
      $0.maximumManagedAccounts = 3
    }
    try alone.enroll(.a)
    try alone.run(.registerAndEnroll(.b), .setExclusivity(.b, true), .answerEnrollment(.b, .policy(TestApp.policy())))
    #expect(alone.work.contains("askAccountSwitch a2 a1"))
    expectEqual(alone.rejection(of: .setExclusivity(.personal, true)), .unknownAccount)
  }

  @Test("T13: a namesake of a managed account is refused, told once, and enrolled when that one has left")
  func namesake() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.a)
    _ = app.takeCallbacks()
    var other = AccountReference.b
    other.userPrincipalName = "A@CONTOSO.com"
    try expectEqual(
      app.run(.registerAndEnroll(other)),
      [
        "account.introduced", "account.registered", "enrollment.conflictDetected", "enrollment.failed",
      ])
    expectEqual(app.takeCallbacks(), ["accountConflict a2 a1", "enrollmentRequest a2 227"])
    #expect(app.findings == ["T13 a2 a1"] && app.state.accounts.count == 2)
    #expect(app.state.managedNamesake(of: .a2) == .a1 && app.state.managedNamesake(of: .a1) == nil)
    #expect(app.work.allSatisfy { !$0.contains("a2") })
    try app.run(.deregisterAndUnenroll(.a, wipe: false), .answerUnenrollment(.a))
    #expect(app.work.contains("enroll a2 accountSwitch"))
  }
}
