import EventSourcing

/// `device.reported`: the app found new facts about the device.
public struct DeviceReported: EventPayload {
  /// Everything that is known about the device after this event.
  public var facts: DeviceFacts

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      160, "device.reported", meaning: "What the app found out about the device is not what was last known."
    )
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(facts: DeviceFacts()) }

  public func describe(in headline: Headline) {
    headline.addChanges(below: "/launch/device/")
    if headline.text.isEmpty { headline.add("the device's facts") }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "facts", &event.facts, required: true, "everything that is known about the device from here on")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.launch.device = event.facts
  }
}

/// `userStatus.received`: the service reported whether the account is disabled, and whether its user is at work.
public struct UserStatusReceived: EventPayload {
  public var account: AccountNumber
  /// Whether its user is at work.
  public var clockStatus = ClockStatus.notConfigured
  /// Whether it is disabled or deleted.
  public var isDisabled = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      161, "userStatus.received",
      meaning: "The service said whether the account is disabled, and whether its user is at work.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(clockStatus)
    headline.add(isDisabled ? ", disabled" : ", not disabled")
    headline.cover(below: "/launch/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "clockStatus", &event.clockStatus, "whether its user is at work")
    try field(3, "isDisabled", &event.isDisabled, "whether it is disabled or deleted")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    let now = state.recordLaunchTime(context)
    state.launch.update(event.account) { record in
      record.isDisabled = event.isDisabled
      record.clockStatus = event.clockStatus
      switch event.clockStatus {
      case .notConfigured, .clockedIn: record.offWorkSince = nil
      case .unknown, .clockedOut, .clockedInStale, .clockedOutStale: record.offWorkSince = record.offWorkSince ?? now
      }
    }
  }
}

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
    set { rest = Boxed(Rest(scope: scope, claimed: newValue)) }
  }
  /// Where the account's identity is to be set once the check-in has completed; `nil` where nothing waits for it.
  public var scope: IdentityScope? {
    get { rest.value?.scope }
    set { rest = Boxed(Rest(scope: newValue, claimed: claimed)) }
  }
  private var rest: Boxed<Rest>

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
    rest = Boxed(Rest(scope: scope, claimed: claimed))
    self.isAnswered = isAnswered
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      162, "launch.evaluated",
      meaning: "The account's launch conditions were looked at.",
      remedy: """
        A blocked account says in its findings which setting was compared with which fact: change either, then \
        open the app again.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
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
    headline.cover(below: "/launch/")
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

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    let now = state.recordLaunchTime(context)
    state.launch.update(event.account) { record in
      record.outcome = event.outcome
      record.rule = event.rule
      record.evaluatedBy = context.sequence
      record.trigger = event.trigger
      record.awaitsCheckIn = event.awaitsCheckIn
      if !event.awaitsCheckIn && !record.waitingScopes.isEmpty { record.waitingScopes = [] }
      if let scope = event.scope, !record.waitingScopes.contains(scope) { record.waitingScopes.append(scope) }
      record.isAnswered = event.scope == nil ? event.awaitsCheckIn && record.isAnswered : event.isAnswered
      record.awaitsConfirmation = false
      record.claimed = event.claimed.map(\.rule)
      guard event.outcome.isPassing else { return }
      record.passedAt = now
      for finding in event.findings where finding.outcome == .warn && !record.warned.contains(finding.rule) {
        let place = record.warned.firstIndex { $0.rawValue > finding.rule.rawValue } ?? record.warned.endIndex
        record.warned.insert(finding.rule, at: place)
      }
    }
  }
}

/// `launch.canceled`: the user did not answer a launch condition's question.
public struct LaunchCanceled: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      163, "launch.canceled",
      meaning: "The user did not answer what a launch condition asked; the app stays closed for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the user did not answer; the app stays closed")
    headline.cover(below: "/launch/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.launch.accounts.index(of: event.account) != nil else { return }
    _ = state.recordLaunchTime(context)
    state.launch.update(event.account) { $0.awaitsConfirmation = false }
  }
}

/// `launch.signedIn`: the user signed in with the account because a launch condition asked for it.
public struct LaunchSignedIn: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      164, "launch.signedIn",
      meaning: "The user signed in with the account because a launch condition asked for it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the user signed in as asked")
    headline.cover(below: "/launch/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts.index(of: event.account) != nil else { return }
    let now = state.recordLaunchTime(context)
    state.launch.update(event.account) { record in
      record.signedInAt = now
      record.awaitsConfirmation = record.outcome == .signInOrWipe
    }
  }
}
