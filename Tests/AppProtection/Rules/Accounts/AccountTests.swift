import Expectations
import AppProtectionInsight
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Accounts: numbers, names and object ids")
struct AccountTests {
  @Test("S-14: names and object ids are compared ignoring case")
  func caseInsensitive() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(AccountReference("AAAAAAAA-0000-4000-8000-00000000000A")))
    expectEqual(
      app.rejection(of: .registerAndEnroll(AccountReference("aaaaaaaa-0000-4000-8000-00000000000a"))),
      .alreadyRegistered(.a1))
    try app.run(.registerAndEnroll(AccountReference("B@Fabrikam.COM")))
    expectEqual(app.rejection(of: .registerAndEnroll(AccountReference("b@fabrikam.com"))), .alreadyRegistered(.a2))
    expectEqual(app.state.accounts.count, 2)
  }

  @Test("S-14: two references mean one account by object id, and by name only where one side has no object id")
  func sameAccount() {
    let id = AccountReference.a.objectID
    let cases: [(AccountReference, AccountReference, Bool)] = [
      (.a, AccountReference(objectID: id, userPrincipalName: "renamed@contoso.com"), true),
      (.a, AccountReference(objectID: AccountReference.b.objectID, userPrincipalName: "a@contoso.com"), false),
      (.a, AccountReference(userPrincipalName: "A@Contoso.COM"), true),
      (.a, AccountReference(userPrincipalName: "b@contoso.com"), false),
      (AccountReference(objectID: id), AccountReference(userPrincipalName: "a@contoso.com"), false),
      (AccountReference(.a1), AccountReference(.a1), true), (AccountReference(.a1), AccountReference(.a2), false),
      (AccountReference(.a1), .a, false), (AccountReference(), AccountReference(), false),
    ]
    for (one, other, expected) in cases {
      #expect(one.isSame(as: other) == expected && other.isSame(as: one) == expected, "\(one) \(other)")
    }
  }

  @Test("An object id or a name that becomes known belongs to the account it was given with")
  func identified() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(AccountReference("a@contoso.com")))
    try expectEqual(app.run(.identifyAccount(.a)), ["account.identified"])
    expectEqual(app.state.accounts[.a1]?.objectID, AccountReference.a.objectID)
    var renamed = AccountReference.a
    renamed.userPrincipalName = "anna@contoso.com"
    try expectEqual(app.run(.identifyAccount(renamed)), ["account.identified"])
    expectEqual(app.state.accounts[.a1]?.userPrincipalName, "anna@contoso.com")
    renamed.userPrincipalName = "ANNA@contoso.com"
    try expectEqual(app.run(.identifyAccount(renamed)), [], "another case is not another name")
    expectEqual(app.state.accounts.count, 1)
    expectEqual(app.rejection(of: .identifyAccount(.b)), .unknownAccount)
  }

  @Test("One name with two object ids is two accounts; the name alone means the enrolled one")
  func sameName() throws {
    var app = try TestApp { $0.multiIdentity = true }
    var other = AccountReference.b
    other.userPrincipalName = AccountReference.a.userPrincipalName
    try app.run(.registerAndEnroll(other))
    try app.enroll(.a)
    expectEqual(app.state.accounts.count, 2)
    expectEqual(app.state.account(for: AccountReference(userPrincipalName: "A@contoso.com"))?.account, .a2)
    expectEqual(app.state.account(for: other)?.account, .a1)
  }

  @Test("A number names its account and nothing else")
  func numbers() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.requestCheckIn(AccountReference(.a1)))
    expectEqual(app.rejection(of: .registerAndEnroll(AccountReference(.a2))), .unknownAccount)
    #expect(AccountNumber(0) == nil)
    #expect(AccountNumber(.max)?.next == nil)
    for (text, number) in [("a1", 1), ("a4294967295", UInt32.max)] {
      expectEqual(AccountNumber(text)?.rawValue, number)
      expectEqual(AccountNumber(text)?.description, text)
    }
    for text in ["", "a", "a0", "a01", "A1", "1", "a-1", "a+1", "a4294967296", "a1 "] {
      #expect(AccountNumber(text) == nil, "\(text)")
    }
  }

  @Test("When the numbers are used up, no account is introduced")
  func numbersUsedUp() throws {
    let app = try TestApp()
    var state = app.state
    let last = try #require(AccountNumber(.max))
    let context = EventContext(sequence: 9, moment: app.moment)
    AppProtectionMachine.reduce(into: &state, .accountIntroduced(AccountIntroduced(account: last)), context)
    var explanation = Explanation()
    #expect(throws: AppProtectionRejection.tooManyAccounts) {
      try AppProtectionMachine.decide(.registerAndEnroll(.a), in: state, at: context, explanation: &explanation)
    }
  }

  @Test("A GUID reads any case, prints lower case and keeps its bytes; nothing else is one")
  func guid() throws {
    let guid = try #require(GUID("01234567-89aB-CDEF-0123-456789abcdef"))
    expectEqual(guid.description, "01234567-89ab-cdef-0123-456789abcdef")
    #expect(guid.bytes.first == 1 && guid.bytes.last == 0xef)
    expectEqual(GUID(bytes: guid.bytes), guid)
    #expect(GUID(bytes: guid.bytes.dropLast()) == nil)
    for text in [
      "", "01234567-89ab-cdef-0123-456789abcde", "01234567-89ab-cdef-0123-456789abcdef0",
      "0123456789ab-cdef-0123-456789abcdef0", "g1234567-89ab-cdef-0123-456789abcdef",
      "{01234567-89ab-cdef-0123-456789abcdef}", "01234567-89ab-cdef-0123-456789abcde\u{e9}",
    ] {
      #expect(GUID(text) == nil, "\(text)")
    }
  }

  @Test("What identifies an account is a GUID or a name with an at sign; anything else is not usable")
  func references() {
    expectEqual(AccountReference("a@b")?.userPrincipalName, "a@b")
    #expect(AccountReference("01234567-89ab-cdef-0123-456789abcdef")?.objectID != nil)
    for text in ["", "a", "@", "a@", "@b", "a@b@c", "a@" + String(repeating: "x", count: 1023)] {
      #expect(AccountReference(text) == nil, "\(text.prefix(9))")
    }
  }

  @Test("Registered accounts stand in the order in which the journal first names them")
  func order() throws {
    var app = try TestApp { $0.multiIdentity = true }
    try app.enroll(.b, .noPolicy)
    try app.enroll(.a, .noPolicy)
    try app.run(.deregisterAndUnenroll(.b, wipe: false), .answerUnenrollment(.b))
    expectEqual(app.state.accounts.records.filter(\.enrollment.status.isRegistered).map(\.account), [.a2])
    try app.enroll(.b, .noPolicy)
    expectEqual(app.state.accounts.records.filter(\.enrollment.status.isRegistered).map(\.account), [.a1, .a2])
    #expect(app.state.account(for: .b)?.account == .a1 && app.state.account(for: .a)?.account == .a2)
  }

  @Test("Whether an account is managed has a reason")
  func management() throws {
    var app = try TestApp()
    var explanation = Explanation(recording: true)
    func decision() -> ManagementDecision {
      app.state.managementDecision(for: .a1, explanation: &explanation)
    }
    expectEqual(decision(), .unknownAccount)
    try app.run(.registerAndEnroll(.a))
    expectEqual(decision(), .notEnrolled)
    try app.run(.answerEnrollment(.a, .noPolicy))
    expectEqual(decision(), .notTargeted)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(TestApp.policy())))
    expectEqual(decision(), .managedAfterRestart)
    try app.restart()
    expectEqual(decision(), .managed)
    expectEqual(explanation.steps.map(\.holds), [false, false, false, false, true])
    expectEqual(explanation.steps.last?.reads.first?.path, "/accounts/a1/enrollment/status")
    for decision in ManagementDecision.allCases { #expect(!decision.reason.isEmpty) }
  }

  @Test(
    "An account that is not managed names the code that decided, and what it asks for",
    arguments: [
      (209, "the account is not enrolled; 209 notEmmAccount: the app must remove the account"),
      (210, "the account is not enrolled; 210 mdmEnrolledDifferentUser: the app must remove the account"),
      (
        200,
        "the account is not enrolled; 200 accountNotLicensed: the app works unmanaged until the account has a license"
      ),
      (
        221,
        "the account is not enrolled; 221 reEnrollForUnenrolledUser: the user must sign in and enroll again"
      ),
      (228, "the account is not enrolled; 228 unknown"),
    ] as [(UInt32, String)])
  func refusal(number: UInt32, reason: String) throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(.a))
    try app.run(.answerEnrollment(.a, .failure(.init(EnrollmentStatusCode(rawValue: number)))))
    var explanation = Explanation(recording: true)
    let answer = app.state.answer(.managed(.a1), at: app.moment, explanation: &explanation)
    #expect(answer.reason == reason && answer.name == "false")
    expectEqual(explanation.steps.last?.reads.map(\.path).last, "/accounts/a1/enrollment/lastCode")
  }

  @Test("A check-in that fails on the network does not explain why no policy targets an account; a lost license does")
  func untargeted() throws {
    for (code, isNamed) in [(EnrollmentStatusCode.timeout, false), (.licensedNotTargeted, true)] {
      var app = try TestApp()
      try app.run(.registerAndEnroll(.a))
      try app.run(.answerEnrollment(.a, .noPolicy))
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(code))))
      var explanation = Explanation()
      let answer = app.state.answer(.managed(.a1), at: app.moment, explanation: &explanation)
      #expect(answer.reason.hasPrefix("the account is enrolled, and no policy targets it"))
      expectEqual(answer.reason.contains("\(code.rawValue)"), isNamed, "\(answer.reason)")
    }
  }

  @Test("The tree names accounts by number, and personal values carry their class")
  func tree() throws {
    var app = try TestApp()
    try app.enroll(.a, .failure(.init(.internalError, error: "a@contoso.com failed")))
    guard case .members(let slices) = app.state.tree() else { return }
    expectEqual(slices.map(\.name), AppProtectionState.sliceNames)
    var personal: [String] = []
    func visit(_ tree: StateTree, _ path: String) {
      switch tree {
      case .members(let members): for member in members { visit(member.tree, path + "/" + member.name) }
      case .value(.personal(_, let privacy)):
        expectEqual(privacy, .account)
        personal.append(path)
      case .value(.text(let text)), .value(.name(let text)): #expect(!text.contains("@"))
      case .value: break
      }
    }
    visit(app.state.tree(), "")
    expectEqual(
      personal,
      [
        "/accounts/a1/objectID", "/accounts/a1/userPrincipalName", "/accounts/a1/enrollment/lastError",
      ])
  }
}
