import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization
import Testing

/// A user who answers the questions of launch conditions, a keeper of the PIN, and what both were told.
final class Prompted: PresentationDelegate, PINKeeper, EnrollmentDelegate, WebViewPolicyDelegate {
  struct Seen: Sendable {
    var replies: [LaunchReply?] = []
    var prompts: [String] = []
    var blocked: [String] = []
    var results: [EnrollmentResult] = []
    var wish = RestartChoice.acknowledged
    var restarts = 0
    var pins: [String] = []
    var proposed: (pin: String, setAt: Int64?)?
    /// Whether the keychain takes a PIN.
    var keeps = true
  }

  let seen = Mutex(Seen())

  init(_ replies: [LaunchReply?] = []) { seen.withLock { $0.replies = replies } }

  func answerLaunch(_ prompt: LaunchPrompt) -> LaunchReply? {
    seen.withLock {
      $0.prompts.append("\(prompt.decision.account) \(prompt.decision.outcome) \(prompt.refusal == nil ? "" : "again")")
      return $0.replies.isEmpty ? nil : $0.replies.removeFirst()
    }
  }
  func sharingBlocked(rule: String, reason: String) { seen.withLock { $0.blocked.append("\(rule): \(reason)") } }
  func restartNeeded(reason: RestartReason) -> RestartChoice {
    seen.withLock {
      $0.restarts += 1
      return $0.wish
    }
  }

  func isRight(_ pin: String) -> Bool { seen.withLock { $0.pins.last == pin } }
  func age(of pin: String) -> UInt32? {
    seen.withLock { seen in seen.pins.lastIndex(of: pin).map { UInt32(seen.pins.count - $0) } }
  }
  func propose(_ pin: String, replacing setAt: Int64?) -> Bool {
    seen.withLock { seen in
      if seen.keeps { seen.proposed = (pin, setAt) }
      return seen.keeps
    }
  }
  func resolveProposal(_ setAt: Int64?) {
    seen.withLock { seen in
      guard let (pin, before) = seen.proposed else { return }
      if let setAt, setAt != before { seen.pins.append(pin) }
      seen.proposed = nil
    }
  }

  func enrollmentRequest(_ result: EnrollmentResult) { seen.withLock { $0.results.append(result) } }
  func policyRequest(_ result: EnrollmentResult) { seen.withLock { $0.results.append(result) } }
  func unenrollRequest(_ result: EnrollmentResult) { seen.withLock { $0.results.append(result) } }

  func isExternalURL(_ url: String) -> Bool { !url.hasPrefix("https://contoso.com") }
}

@Suite("What the user is shown and asked")
struct PresentationTests {
  static let alice = PolicyEngineTests.alice

  /// An engine with Alice enrolled, whose policy asks for a PIN and a managed browser, and for no copies.
  private static func engine(_ user: Prompted, _ presentation: (any PresentationDelegate)? = nil) async throws
    -> (test: TestEngine, engine: PolicyEngine)
  {
    let test = try TestEngine()
    let engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: test.app, files: test.app,
      delegates: .init(enrollment: user, presentation: presentation ?? user))
    var policy = PolicyDocument()
    policy.access.pinRequired = true
    policy.access.minimumPinLength = 4
    policy.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
    policy.redirection.managedBrowserToOpenLinksRequired = true
    test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.firstPolicyNeedsNoRestart = true
    try await engine.launch(ProcessStart(), settings: settings)
    try await engine.send(.registerAndEnroll(alice))
    try await engine.run()
    return (test, engine)
  }

  private static let weak = LaunchReply.newPIN(PINFacts(of: "12"), equalTo: nil)
  private static let good = LaunchReply.newPIN(PINFacts(of: "2580"), equalTo: nil)

  @Test("A switch asks until the conditions are met: a PIN that is refused is asked for again")
  func newPIN() async throws {
    let user = Prompted([Self.weak, Self.good])
    let (test, engine) = try await Self.engine(user)
    defer { withExtendedLifetime(test) {} }
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .success)
    expectEqual(engine.policies.uiIdentity(), .account(.first))
    expectEqual(user.seen.withLock { $0.prompts }, ["a1 promptNewPIN ", "a1 promptNewPIN again"])
    try await expectEqual(engine.policies.switchUIIdentity(to: .unmanaged), .success)
    expectEqual(engine.policies.uiIdentity(), .unmanaged)
  }

  @Test("A wrong PIN is asked for again, and a user who cancels stays where they are", arguments: [false, true])
  func wrongPIN(cancels: Bool) async throws {
    let user = Prompted([Self.good])
    let (test, engine) = try await Self.engine(user)
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .success)
    _ = try await engine.policies.switchUIIdentity(to: .unmanaged)
    test.app.advance(3_600_000_000_000 * 24)
    user.seen.withLock {
      $0.prompts = []
      $0.replies = [.pin(isRight: false), cancels ? .canceled : .pin(isRight: true)]
    }
    try await engine.launch(ProcessStart())
    let result = try await engine.policies.switchUIIdentity(to: Self.alice)
    expectEqual(result, cancels ? .canceled : .success)
    expectEqual(user.seen.withLock { $0.prompts }, ["a1 promptPIN ", "a1 promptPIN "])
    expectEqual(engine.state.launch.pin.failures, cancels ? 1 : 0)
  }

  @Test("Without an answer the switch is canceled; without an account it fails as the rules say")
  func open() async throws {
    let (test, engine) = try await Self.engine(Prompted())
    defer { withExtendedLifetime(test) {} }
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .canceled)
    expectEqual(engine.policies.uiIdentity(), .unset)
  }

  @Test("An app of one identity has its conditions answered at launch")
  func launchConditions() async throws {
    let user = Prompted([Self.good])
    let (test, engine) = try await Self.engine(user)
    defer { withExtendedLifetime(test) {} }
    try await expectEqual(engine.policies.answerLaunchConditions(of: Self.alice), .allowed)
    expectEqual(engine.state.launch.accounts[.first]?.outcome, .allowed)
    try await expectEqual(engine.policies.answerLaunchConditions(of: PolicyEngineTests.bob), .allowed)
    let silent = try await Self.engine(Prompted())
    try await expectEqual(silent.engine.policies.answerLaunchConditions(of: Self.alice), .promptNewPIN)
  }

  @Test("A terminal asks for a new PIN until the rules take it, keeps it, and asks for it later")
  func terminal() async throws {
    let keeper = Prompted()
    let user = TerminalPresentationTests.User(["12", "2580", "0000", "2580"])
    let terminal = TerminalPresentation(read: user.next, write: user.show, pins: keeper)
    let (test, engine) = try await Self.engine(keeper, terminal)
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .success)
    _ = try await engine.policies.switchUIIdentity(to: .unmanaged)
    test.app.advance(3_600_000_000_000 * 24)
    try await engine.launch(ProcessStart())
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .success)
    expectEqual(keeper.seen.withLock { $0.pins }, ["2580"], "the refused one was not kept")
    let shown = user.all.joined(separator: "\n")
    #expect(shown.contains("Choose a PIN for a1") && shown.contains("This was not taken: this PIN cannot be chosen"))
    #expect(shown.contains("Enter the PIN for a1"))
  }

  /// A terminal of a process that dies with the user's answer, until a test says otherwise.
  private final class Dying: PresentationDelegate {
    let terminal: TerminalPresentation
    let reply = Mutex<LaunchReply?>(nil)
    let isAlive = Mutex(false)

    init(_ terminal: TerminalPresentation) { self.terminal = terminal }

    func answerLaunch(_ prompt: LaunchPrompt) -> LaunchReply? {
      let answer = terminal.answerLaunch(prompt)
      if isAlive.withLock({ $0 }) { return answer }
      reply.withLock { $0 = answer }
      return nil
    }
  }

  @Test("A process that dies while a PIN is chosen locks nobody out", arguments: [false, true])
  func deathWhileChoosing(isRecorded: Bool) async throws {
    let keeper = Prompted()
    let user = TerminalPresentationTests.User(["2580", isRecorded ? "2580" : "1397", "1397"])
    let presentation = Dying(TerminalPresentation(read: user.next, write: user.show, pins: keeper))
    let (test, engine) = try await Self.engine(keeper, presentation)
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .canceled)
    guard case .newPIN(let facts, let age)? = presentation.reply.withLock({ $0 }) else {
      Issue.record("no PIN was chosen")
      return
    }
    if isRecorded { try await engine.send(.setPIN(Self.alice, facts, equalTo: age)) }
    // The next process, a day later.
    presentation.isAlive.withLock { $0 = true }
    for _ in 1...2 {
      test.app.advance(3_600_000_000_000 * 24)
      try await engine.launch(ProcessStart())
      try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .success)
      expectEqual(engine.state.launch.pin.failures, 0)
      _ = try await engine.policies.switchUIIdentity(to: .unmanaged)
      if isRecorded { break }
    }
    expectEqual(keeper.seen.withLock { $0.pins }, [isRecorded ? "2580" : "1397"])
  }

  @Test("A PIN that the device cannot keep is not set")
  func unkeptPIN() async throws {
    let keeper = Prompted()
    keeper.seen.withLock { $0.keeps = false }
    let user = TerminalPresentationTests.User(["2580"])
    let terminal = TerminalPresentation(read: user.next, write: user.show, pins: keeper)
    let (test, engine) = try await Self.engine(keeper, terminal)
    defer { withExtendedLifetime(test) {} }
    try await expectEqual(engine.policies.switchUIIdentity(to: Self.alice), .canceled)
    #expect(engine.state.launch.pin.setAt == nil)
    expectEqual(user.all.last, "The PIN cannot be kept on this device now.")
  }

  @Test("A terminal says what is blocked, warns of a missing policy, and says where an app may not be used")
  func terminalMessages() {
    let user = TerminalPresentationTests.User([""])
    let terminal = TerminalPresentation(read: user.next, write: user.show)
    terminal.sharingBlocked(rule: "saveTo.7", reason: "no copies")
    #expect(terminal.policyMissing(isBlocking: false) && !terminal.policyMissing(isBlocking: true))
    #expect(!terminal.policyMissing(isBlocking: false), "the end of the input dismisses nothing")
    #expect(user.all.first == "Your organization does not allow this: no copies (saveTo.7)." && user.all.count == 4)
  }

  @Test("The app has the user told what is blocked, by rule and reason")
  func sharingBlocked() async throws {
    let user = Prompted()
    let (test, engine) = try await Self.engine(user)
    defer { withExtendedLifetime(test) {} }
    let decision = engine.policies.policy(for: Self.alice).isSaveToAllowed(to: .box, account: nil)
    await engine.messages.showSharingBlocked(decision)
    expectEqual(user.seen.withLock { $0.blocked }, ["\(decision.rule): \(decision.reason)"])
  }

  @Test("The app has the user asked again for a pending restart, and the answer is recorded")
  func restart() async throws {
    let test = try TestEngine()
    let user = Prompted()
    let engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: test.app, files: test.app,
      delegates: .init(presentation: user))
    test.app.answers.withLock { $0.enrollment = [.policy(PolicyDocument())] }
    try await engine.launch(ProcessStart())
    #expect(try await engine.messages.showRestart() == nil)
    try await engine.send(.registerAndEnroll(Self.alice))
    try await engine.run()
    user.seen.withLock { $0.wish = .postponed(minutes: 5) }
    try await expectEqual(engine.messages.showRestart(), .postponed(minutes: 5))
    #expect(engine.state.process.restart?.answer == .postponed && user.seen.withLock { $0.restarts } == 2)
  }

  @Test("A delegate gets the account, the code, its words, and what the service said")
  func results() async throws {
    let user = Prompted()
    let (test, engine) = try await Self.engine(user)
    test.app.answers.withLock { $0.checkIn = [.failure(ServiceFailure(.timeout, error: "slow"))] }
    try await engine.send(.requestCheckIn(Self.alice))
    try await engine.run()
    try await engine.send(.deregisterAndUnenroll(Self.alice, wipe: false))
    try await engine.run()
    let results = user.seen.withLock { $0.results }
    expectEqual(results.map(\.statusCode), [.newPoliciesReceived, .timeout, .unenrollmentSuccess])
    expectEqual(results.map(\.didSucceed), [true, false, true])
    #expect(results.allSatisfy { $0.identity == "alice@contoso.com" && $0.account == .first && $0.accountID == nil })
    #expect(results[1].error == "slow" && results[1].errorString.hasPrefix("216 timeout: "))
    #expect(results[1].errorString.hasSuffix(" (slow)") && results[0].errorString.hasPrefix("100 newPoliciesReceived"))
  }

  @Test("A web view's own policy counts before its parents', and theirs before the property list's")
  func webViews() async throws {
    let (test, engine) = try await Self.engine(Prompted([Self.good]))
    defer { withExtendedLifetime(test) {} }
    let policies = engine.policies
    try await expectEqual(policies.switchUIIdentity(to: Self.alice), .success)
    let screen = WebViewer(window: 3)
    let view = WebViewer(in: screen)
    #expect(view.window == 3 && view.policy == .unset)
    await expectEqual(policies.webView(view).outcome, .currentIdentity)
    policies.setWebViewPolicy(.unmanaged, for: screen)
    await expectEqual(policies.webView(view).outcome, .unmanaged)
    await expectEqual(policies.webView(WebViewer(in: view)).outcome, .unmanaged, "children that come later too")
    policies.setWebViewPolicy(.currentIdentityBlockUpload, for: view)
    await expectEqual(policies.webView(view).outcome, .currentIdentityWithoutUpload)
  }

  @Test("The delegate of a web view tells external pages, which open in the browser that the policy requires")
  func externalPages() async throws {
    let user = Prompted([Self.good])
    let (test, engine) = try await Self.engine(user)
    defer { withExtendedLifetime(test) {} }
    let policies = engine.policies
    try await expectEqual(policies.switchUIIdentity(to: Self.alice), .success)
    let view = WebViewer()
    await expectEqual(policies.webView(view, showing: "https://search.example").outcome, .currentIdentity)
    policies.setWebViewPolicyDelegate(user, for: view)
    await expectEqual(policies.webView(view, showing: "https://contoso.com/a").outcome, .currentIdentity)
    await expectEqual(policies.webView(view, showing: "https://search.example").outcome, .requiredBrowser)
    await expectEqual(policies.webView(view).outcome, .currentIdentity, "content that the app loads itself")
    policies.setWebViewPolicyDelegate(nil, for: view)
    await expectEqual(policies.webView(view, showing: "https://search.example").outcome, .currentIdentity)
  }

  @Test("A document picker is judged as the place that the Files app is", arguments: DocumentPickerMode.allCases)
  func documentPicker(mode: DocumentPickerMode) async throws {
    let (test, engine) = try await Self.engine(Prompted())
    defer { withExtendedLifetime(test) {} }
    let policy = engine.policies.policy(for: Self.alice)
    let isOpen = mode == .opening || mode == .importing
    let expected =
      isOpen
      ? policy.isOpenFromAllowed(from: .other, account: nil) : policy.isSaveToAllowed(to: .other, account: nil)
    expectEqual(policy.isDocumentPickerAllowed(mode), expected)
  }
}
