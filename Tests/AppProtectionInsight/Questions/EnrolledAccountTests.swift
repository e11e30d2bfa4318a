import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Questions about who is enrolled")
struct EnrolledAccountTests {
  static let objectID = GUID("aaaaaaaa-0000-4000-8000-00000000000a")
  static let other = GUID("dddddddd-0000-4000-8000-00000000000d")

  @Test(
    "214: what was passed is compared with who is enrolled by object id, name and case, and the difference is named")
  func comparison() throws {
    var app = try TestApp()
    #expect(app.state.comparisons(of: .a).isEmpty)
    try app.enroll(.a)
    let cases:
      [(
        AccountReference, Bool, EnrolledAccountComparison.Likeness, EnrolledAccountComparison.Likeness, String
      )] = [
        (.a, true, .equal, .equal, "it is a1: the object ids are equal"),
        (AccountReference(.a1), true, .equal, .equal, "it is a1: the object ids are equal"),
        (
          AccountReference(objectID: Self.objectID, userPrincipalName: "new@contoso.com"), true, .equal, .different,
          "it is a1: the object ids are equal, and the name is another one than the account had"
        ),
        (
          AccountReference(userPrincipalName: "A@Contoso.COM"), true, .notKnown, .equalIgnoringCase,
          "it is a1: the names differ in case only, which does not count; pass the object id to be certain"
        ),
        (
          AccountReference(userPrincipalName: "a@contoso.com"), true, .notKnown, .equal,
          "it is a1, as far as names can tell: one side has no object id; pass it to be certain"
        ),
        (
          AccountReference(objectID: Self.other, userPrincipalName: "A@contoso.com"), false, .different,
          .equalIgnoringCase,
          "it is not a1: the name is the same and the object id another one, so the name was given to another user, or the same one was re-created"
        ),
        (
          .b, false, .different, .different,
          "it is not a1: the object ids differ; only one account can be enrolled here"
        ),
        (
          .personal, false, .notKnown, .different,
          "it is not a1 by name, and one side has no object id: pass it, for a name may have changed"
        ),
      ]
    for (passed, isSame, objectID, name, sentence) in cases {
      let comparison = try #require(app.state.comparisons(of: passed).first)
      #expect(comparison.isSame == isSame && comparison.objectID == objectID && comparison.name == name, "\(passed)")
      expectEqual(comparison.description, sentence)
    }
  }

  @Test("214: where one side has a name only and the other an object id only, nothing can be compared")
  func nothingToCompare() throws {
    var app = try TestApp()
    try app.enroll(.personal)
    let comparison = try #require(app.state.comparisons(of: AccountReference(objectID: Self.objectID)).first)
    #expect(!comparison.isSame && comparison.objectID == .notKnown && comparison.name == .notKnown)
    expectEqual(
      comparison.description,
      "nothing can be compared with a1: one side has only a name and the other only an object id; pass both")
  }

  @Test("A name that changes in the directory is the same account, and a wipe with a new sign-in is advised once")
  func renaming() throws {
    var app = try TestApp()
    try app.enroll(.a)
    let renamed = AccountReference(objectID: Self.objectID, userPrincipalName: "new@contoso.com")
    try expectEqual(app.run(.identifyAccount(renamed)), ["account.identified"])
    expectEqual(app.findings, ["renamed a1"])
    try expectEqual(app.run(.identifyAccount(renamed)), [])
    try app.run(.identifyAccount(AccountReference(objectID: Self.objectID, userPrincipalName: "NEW@contoso.com")))
    expectEqual(app.findings, ["renamed a1"])
    expectEqual(
      TraceFinding.nameChanged(.a1).description,
      "a1 has another name in the directory, with which its enrollment breaks: wipe its data and sign in again")
  }

  @Test("A name that only becomes known, or that of an account that is not enrolled, is no change in the directory")
  func identification() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(AccountReference(objectID: Self.objectID))
    try app.run(.identifyAccount(.a), .registerAndEnroll(.b))
    try app.run(
      .identifyAccount(AccountReference(objectID: AccountReference.b.objectID, userPrincipalName: "new@fabrikam.com")))
    expectEqual(app.findings, [])
  }

  @Test("T5: a restart that is asked for before the enrollment is answered is named, and the usual order is not")
  func earlyRestart() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    let restart = AppProtectionEvent.restartRequired(RestartRequired(reason: .firstPolicy, account: .a1))
    let succeeded = AppProtectionEvent.enrollmentSucceeded(
      EnrollmentSucceeded(account: .a1, code: .newPoliciesReceived, nextCheckIn: app.now))
    // Reinstalled: the keychain remembers the enrollment (I#186).
    func findings(for events: [AppProtectionEvent]) -> [TraceFinding] {
      var state = app.state
      return events.flatMap { event in
        let before = state
        AppProtectionMachine.reduce(into: &state, event, EventContext(sequence: 9, moment: app.moment))
        return AppProtectionMachine.findings(for: event, before: before, after: state)
      }
    }
    let found = findings(for: [restart, succeeded])
    expectEqual(found, [.restartBeforeCallback(.a1)])
    expectEqual(findings(for: [succeeded, restart]), [])
    expectEqual(found.map(\.label), ["T5 a1"])
    expectEqual(
      found.first?.description,
      "a restart is asked for while a1's enrollment is not answered: restart, the callback comes afterwards")
  }
}
