import EventSourcing

/// `launch.evaluated`: the account's launch conditions were evaluated.
public struct LaunchEvaluated: EventPayload {
  public var account: AccountNumber
  /// The reason for the evaluation.
  public var trigger: LaunchTrigger
  /// The outcome.
  public var outcome: LaunchOutcome
  /// The condition that settled it.
  public var rule: LaunchRule
  /// Every failed condition, in the order in which they count.
  public var findings: [LaunchFinding]
  /// Whether a silent check-in is tried first: the app stays closed, and is notified once the check-in has ended.
  public var awaitsCheckIn: Bool
  /// Whether it follows a check-in that the account's access depended on: the app is notified, even if it may be used.
  public var followsCheckIn: Bool
  /// Whether the user, according to the app, has answered all other questions before that identity is set.
  public var isAnswered: Bool
  /// The questions that the user has answered, according to the app, although no event shows the answer. A question that
  /// is also among the findings stays open: the journal would have the PIN that it asks for. Absent before revision 5,
  /// when the app's word answered every question.
  public var claimed: [LaunchFinding] {
    get { rest.value?.claimed ?? [] }
    set { rest = Rare(Rest(scope: scope, claimed: newValue)) }
  }
  /// Where the account's identity is to be set once the check-in has completed; `nil` where nothing waits for it.
  public var scope: IdentityScope? {
    get { rest.value?.scope }
    set { rest = Rare(Rest(scope: newValue, claimed: claimed)) }
  }
  private var rest: Rare<Rest>

  /// What few evaluations have.
  private struct Rest: Hashable {
    var scope: IdentityScope?
    var claimed: [LaunchFinding]

    init?(scope: IdentityScope?, claimed: [LaunchFinding]) {
      guard scope != nil || !claimed.isEmpty else { return nil }
      (self.scope, self.claimed) = (scope, claimed)
    }
  }

  init(
    account: AccountNumber, trigger: LaunchTrigger = .launch, outcome: LaunchOutcome = .allowed,
    rule: LaunchRule = .met, findings: [LaunchFinding] = [], awaitsCheckIn: Bool = false, followsCheckIn: Bool = false,
    scope: IdentityScope? = nil, isAnswered: Bool = false, claimed: [LaunchFinding] = []
  ) {
    self.account = account
    self.trigger = trigger
    self.outcome = outcome
    self.rule = rule
    self.findings = findings
    self.awaitsCheckIn = awaitsCheckIn
    self.followsCheckIn = followsCheckIn
    rest = Rare(Rest(scope: scope, claimed: claimed))
    self.isAnswered = isAnswered
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      .launchEvaluated, "launch.evaluated",
      meaning: "The account's launch conditions were looked at.",
      remedy: """
        A blocked account says in its findings which setting was compared with which fact: change either, then \
        open the app again.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func tell(in headline: Headline) {
    headline.add(outcome)
    if let finding = findings.first {
      headline.add(" by ")
      headline.add(finding.rule)
      if let comparison = finding.comparison { headline.add(comparison) }
      Self.addRest(of: findings, to: headline)
    }
    headline.add(", at ")
    headline.add(trigger)
    if awaitsCheckIn { headline.add(", after a check-in") }
    if let claim = claimed.first {
      headline.add(findings.contains(claim) ? ", against the app's word on " : ", by the app's word on ")
      headline.add(claim.rule)
      Self.addRest(of: claimed, to: headline)
    }
    headline.tell(below: "/launch/")
  }

  /// Adds how many follow the first, which the headline has.
  private static func addRest(of findings: [LaunchFinding], to headline: Headline) {
    guard findings.count > 1 else { return }
    headline.add(" and ")
    headline.add(findings.count - 1)
    headline.add(" more")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "trigger", &event.trigger, "why they were looked at")
    try field(3, "outcome", &event.outcome, "what they came to")
    try field(4, "rule", &event.rule, "the condition that settled it")
    try field(5, "findings", &event.findings, "every condition that is not met, in the order in which they count")
    try field(6, "awaitsCheckIn", &event.awaitsCheckIn, "whether a check-in is tried in silence before the app is told")
    try field(
      7, "followsCheckIn", &event.followsCheckIn, "whether the end of a check-in that access depended on led to it")
    try field(8, "scope", &event.scope, "where the account's identity is to be set once the check-in has completed")
    try field(9, "isAnswered", &event.isAnswered, "whether the user has answered what else may be asked before that")
    try field(
      10, "claimed", &event.claimed,
      "what the user has answered by the app's word alone; still open if it is among the findings")
  }
}
