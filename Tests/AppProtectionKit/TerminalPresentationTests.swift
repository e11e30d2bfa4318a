import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

@Suite("The questions of a terminal")
struct TerminalPresentationTests {
  /// A user who types lines, and what they were shown.
  final class User: Sendable {
    private let lines: Mutex<[String]>
    private let shown = Mutex<[String]>([])

    init(_ lines: [String]) { self.lines = Mutex(lines) }

    var presentation: TerminalPresentation { TerminalPresentation(read: next, write: show) }

    @Sendable func next() -> String? { lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    @Sendable func show(_ line: String) { shown.withLock { $0.append(line) } }

    var all: [String] { shown.withLock { $0 } }
  }

  @Test(
    "A restart is put off by minutes, and otherwise acknowledged",
    arguments: [([""], RestartChoice.acknowledged), (["soon", " 15 "], .postponed(minutes: 15)), ([], .acknowledged)])
  func restart(lines: [String], wish: RestartChoice) {
    let user = User(lines)
    expectEqual(user.presentation.restartNeeded(reason: .firstPolicy), wish)
    #expect(user.all.first?.contains("firstPolicy") == true && user.all.count == (lines.count == 2 ? 2 : 1))
  }

  @Test(
    "A managed account is chosen by its number",
    arguments: [
      (["a2"], AccountChoice.switchAccounts), (["x", "a1"], .keepExisting), ([""], .canceled), (["a3"], nil), ([], nil),
    ])
  func choice(lines: [String], choice: AccountChoice?) throws {
    let second = try #require(AccountNumber.first.next)
    expectEqual(User(lines).presentation.chooseAccount(second, existing: .first), choice)
  }

  @Test("A user signs in by name, cancels, or leaves the question open")
  func login() {
    expectEqual(User(["nobody", "alice@contoso.com"]).presentation.askLogin(), .account(PolicyEngineTests.alice))
    expectEqual(User([""]).presentation.askLogin(), .canceled)
    #expect(User([]).presentation.askLogin() == nil)
  }

  @Test("Launch conditions, conflicts and an overdue restart are told; what passes is not")
  func notices() throws {
    let user = User([])
    let second = try #require(AccountNumber.first.next)
    user.presentation.conditionalLaunch(account: .first, outcome: .allowed, rule: .met)
    expectEqual(user.all, [])
    user.presentation.conditionalLaunch(account: .first, outcome: .block, rule: .jailbreak)
    user.presentation.accountConflict(second, existing: .first)
    user.presentation.restartOverdue(reason: .firstPolicy)
    #expect(user.all.count == 4 && user.all.first == "a1 may not be used now: \(LaunchRule.jailbreak.statement).")
    // What is asked comes with the question.
    for outcome in LaunchOutcome.allCases where outcome.isPrompt {
      user.presentation.conditionalLaunch(account: .first, outcome: outcome, rule: .pin)
    }
    expectEqual(user.all.count, 4)
  }

  @Test("Accounts are called by the names that the app gives, and chosen by them in any case")
  func names() throws {
    let user = User(["ALICE@contoso.com"])
    let presentation = TerminalPresentation(
      read: user.next, write: user.show, name: { $0 == .first ? "alice@contoso.com" : "bob@fabrikam.com" })
    let second = try #require(AccountNumber.first.next)
    expectEqual(presentation.chooseAccount(second, existing: .first), .keepExisting)
    presentation.conditionalLaunch(account: second, outcome: .warn, rule: .jailbreak)
    expectEqual(
      user.all[1], "Type bob@fabrikam.com to switch to it, or alice@contoso.com to keep it; Return decides later.")
    expectEqual(user.all.last, "A warning about bob@fabrikam.com: \(LaunchRule.jailbreak.statement).")
  }

  @Test("An engine asks through it, and goes on with the answer")
  func engine() async throws {
    let test = try TestEngine()
    let user = User(["alice@contoso.com"])
    let engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: test.app, files: test.app,
      delegates: .init(presentation: user.presentation))
    try await engine.launch(ProcessStart())
    try await engine.enrollment.loginAndEnroll()
    try await engine.run()
    expectEqual(engine.enrollment.enrolledAccount?.userPrincipalName, "alice@contoso.com")
  }
}
