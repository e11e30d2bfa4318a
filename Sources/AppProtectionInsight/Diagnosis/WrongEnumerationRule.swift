import AppProtection
import EventSourcing

/// The delegate answers a switch of identity with a constant meant for added accounts: its "failed" reads as "canceled".
/// Or the app says `success` for a launch condition of which no event shows that the user answered it.
///
/// The deciding event is the first such answer.
struct WrongEnumerationRule: ProblemRule {
  private var answers = Occurrences()
  private var firstAnswer: IdentitySwitchAnswered?
  /// The answers that read as another result than the one that was meant, and the switches that they ended.
  private var misread = Occurrences()
  private var refused = Occurrences()
  private var episodes = Episodes()
  private var claims = PerAccount<Claim>()

  /// What the app said of a launch condition, and the journal does not show.
  private struct Claim: Sendable {
    let finding: LaunchFinding
    /// Whether the condition stayed open nevertheless.
    let isRefused: Bool
    var evaluations = Occurrences()
    var episodes = Episodes()
  }

  init() {}

  static let events: [any EventPayload.Type] = [
    IdentitySwitchRefused.self, IdentitySwitchAnswered.self, LaunchEvaluated.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .identitySwitchAnswered(let event):
      guard event.isAddIdentityResult else { return episodes.end(.recovered, at: context) }
      answers.add(context)
      episodes.see(context)
      if event.result != .success {
        if misread.count == 0 { firstAnswer = event }
        misread.add(context)
      } else if firstAnswer == nil {
        firstAnswer = event
      }
    case .identitySwitchRefused(let event):
      guard event.reason == .delegate, misread.last?.sequence == context.sequence - 1 else { break }
      refused.add(context)
    case .launchEvaluated(let event): recordClaim(event, context)
    default: break
    }
  }

  private mutating func recordClaim(_ event: LaunchEvaluated, _ context: EventContext) {
    let account = event.account
    let refused = event.claimed.first(where: event.findings.contains)
    // The evaluation opened the app, although the condition had stayed open before.
    if event.outcome.isPassing, claims[account]?.isRefused == true {
      claims[account]?.episodes.end(.recovered, at: context)
    }
    guard let finding = refused ?? event.claimed.first else { return }
    let isRefused = refused != nil
    if claims[account] == nil || (isRefused && claims[account]?.isRefused == false) {
      claims[account] = Claim(finding: finding, isRefused: isRefused)
    }
    guard claims[account]?.isRefused == isRefused else { return }
    claims[account]?.evaluations.add(context)
    claims[account]?.episodes.see(context)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    misreading(last) + claims.inOrder.compactMap { Self.problem($0.account, $0.value, last) }
  }

  private static func problem(_ account: AccountNumber, _ claim: Claim, _ last: EventContext) -> Problem? {
    guard let first = claim.evaluations.first else { return nil }
    let rule = claim.finding.rule
    let times = claim.evaluations.count == 1 ? "" : ", \(claim.evaluations.count) times in this history"
    let episodes = claim.episodes.seen(at: last)
    let isOver = !episodes.isOpen
    let effect =
      claim.isRefused
      ? "and the account \(isOver ? "stayed" : "stays") closed"
      : "and the account \(isOver ? "was" : "is") opened by the app's word"
    var problem = Problem(
      .wrongEnumeration, claim.isRefused ? .certain : .possible, of: account.description,
      "the app \(isOver ? "said" : "says") success for \(rule.id) of \(account) (event \(first.sequence)\(times)), no event \(isOver ? "showed" : "shows") that "
        + "the user answered, \(effect)",
      evidence: DiagnosisEvidence(first, "the app says success: \(rule.statement)"),
      claim.evaluations.evidence("the app says so again").dropFirst() + [
        DiagnosisEvidence(nil, "no answer is recorded")
      ],
      next: "report what the user did (setPIN, reportPINAttempt, signInForLaunch) before the app says success",
      command: "show JOURNAL \(first.sequence)")
    problem.show(episodes)
    let isOutOfSight = problem.ending?.kind == .outOfSight
    if !claim.isRefused || problem.isOver {
      // The answer may only have come before its report.
      guard claim.isRefused && isOutOfSight || episodes.count >= Episodes.many.episodes else { return nil }
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    problem.restsOnAbsence = true
    return problem
  }

  /// The answers of the delegate that have the wrong constant.
  private func misreading(_ last: EventContext) -> [Problem] {
    guard let first = misread.first ?? answers.first, let answer = firstAnswer else { return [] }
    let isHarmless = misread.count == 0
    let episodes = episodes.seen(at: last)
    let isOver = !episodes.isOpen
    let times = answers.count == 1 ? "" : ", \(answers.count) times in this history"
    var problem = Problem(
      .wrongEnumeration, of: answer.identity.account?.description,
      "the delegate \(isOver ? "answered" : "answers") a switch of \(answer.scope) with a constant for added "
        + "accounts, which \(isOver ? "read" : "reads") as \(answer.result.name) (event \(first.sequence)\(times))"
        + (episodes.count > 1 ? "; it came \(episodes.words)" : ""),
      evidence: DiagnosisEvidence(first, "the answer is not one of the constants for switches"),
      refused.evidence("the identity is not switched") + answers.evidence("the delegate answers so again"),
      next: "answer identitySwitchRequired with IntuneMAMSwitchIdentityResult, not with IntuneMAMAddIdentityResult",
      command: "show JOURNAL \(first.sequence)")
    problem.show(episodes)
    if isHarmless { (problem.severity, problem.harm) = (.note, .irregular) }
    return [problem]
  }
}
