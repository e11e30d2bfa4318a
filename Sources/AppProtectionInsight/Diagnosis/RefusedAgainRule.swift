import AppProtection
import EventSourcing
import PlainText

/// A launch or an action that is refused again and again, for a reason that no other family reports.
///
/// The deciding event is the first refusal.
struct RefusedAgainRule: ProblemRule {
  /// The most reasons that are remembered for one account, the first ones.
  private static let maximumKept = 16
  /// So many refusals in a row are none where the user could have answered (DERIVED).
  private static let few = 3
  /// The rules whose question a PIN answers.
  private static let ofPIN = Set([LaunchRule.pinAttempts, .pinExpired, .pinQuality, .pinMissing, .pin].map(\.id))

  /// What is refused, and by which rule.
  fileprivate struct Reason: Equatable, Sendable {
    enum Kind: Equatable { case launch, question, identity, call }

    let kind: Kind
    /// The rule's name, or the reason of a refused identity.
    let rule: String
    /// Where an identity was to be set.
    var scope: IdentityScope?
    /// What is refused, as the subject of a sentence.
    let action: String
    /// Why, as the end of a clause that begins with a verb.
    let ground: String
    /// The families that report this reason where they see it.
    let families: Set<ProblemFamily>
  }

  private struct Record: Sendable {
    let reason: Reason
    var occurrences = Occurrences()
    var episodes = Episodes()
    /// The number of processes in which it was refused.
    var processes = 0
    var process: EventContext?
  }

  /// By account; under no account, what concerns none.
  private var records = PerAccount<[Record]>()
  private var others: [Record] = []
  /// The question that is open for each account, with the event and the process in which it was asked.
  private var questions = PerAccount<(rule: LaunchRule, event: EventContext, process: EventContext?)>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      CommandRefused.self, IdentitySwitched.self, IdentitySwitchRefused.self, LaunchEvaluated.self,
      LaunchSignedIn.self, PINFailed.self, PINSet.self, PINVerified.self,
    ] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .launchEvaluated(let event): evaluate(event, context, notes)
    case .identitySwitchRefused(let event):
      add(.identity(event), event.identity.account, context, notes.processes.current)
    case .identitySwitched(let event):
      if let account = event.identity.account {
        end(.identity, account, .recovered, context) { $0.scope == event.scope }
      }
    // The answer may open the app without another evaluation.
    case .launchSignedIn(let event): answer(event.account, context)
    // A wrong PIN is an answer, too.
    case .pinFailed(let event): answer(event.account, context, withPIN: true)
    case .pinVerified(let event) where event.byBiometrics: answer(event.account, context, withPIN: true)
    // The accounts share the PIN.
    case .pinSet, .pinVerified: for (account, _) in questions.inOrder { answer(account, context, withPIN: true) }
    case .commandRefused(let event):
      if let reason = Reason.call(event) { add(reason, event.account, context, notes.processes.current) }
    default: break
    }
    guard let account = event.leavingAccount else { return }
    let kind: DiagnosisEnding.Kind = if case .wipeRequested = event { .wiped } else { .abandoned }
    for reason in [Reason.Kind.launch, .question, .identity, .call] { end(reason, account, kind, context) }
  }

  /// The user answers what an account is asked: with a PIN, what asks for one.
  private mutating func answer(_ account: AccountNumber, _ context: EventContext, withPIN: Bool = false) {
    func isAnswered(_ rule: String) -> Bool { !withPIN || Self.ofPIN.contains(rule) }
    if let question = questions[account], isAnswered(question.rule.id) { questions[account] = nil }
    end(.question, account, .recovered, context) { isAnswered($0.rule) }
  }

  private mutating func evaluate(_ event: LaunchEvaluated, _ context: EventContext, _ notes: HistoryNotes) {
    let account = event.account
    let question = questions[account]
    questions[account] = nil
    if event.outcome.isPassing {
      for kind in [Reason.Kind.launch, .question] { end(kind, account, .recovered, context) }
    } else if event.outcome.isAnswered {
      // A question is ordinary, unless it is still open when the next process asks it.
      let process = notes.processes.current
      if let question, question.rule == event.rule, question.process != process {
        let reason = Reason.question(event.rule)
        if records[account]?.contains(where: { $0.reason == reason }) != true {
          add(reason, account, question.event, question.process)
        }
        add(reason, account, context, process)
      }
      questions[account] = (event.rule, context, process)
    } else if !event.awaitsCheckIn {
      add(.launch(event.rule), account, context, notes.processes.current)
    }
  }

  private mutating func add(
    _ reason: Reason, _ account: AccountNumber?, _ context: EventContext, _ process: EventContext?
  ) {
    guard let account else { return Self.add(reason, context, process, to: &others) }
    Self.add(reason, context, process, to: &records[account, default: []])
  }

  private static func add(
    _ reason: Reason, _ context: EventContext, _ process: EventContext?, to records: inout [Record]
  ) {
    let place = records.firstIndex { $0.reason == reason } ?? records.count
    if place == records.count {
      guard place < maximumKept else { return }
      records.append(Record(reason: reason))
    }
    records[place].occurrences.add(context)
    records[place].episodes.see(context)
    if records[place].processes == 0 || records[place].process != process {
      records[place].processes += 1
      records[place].process = process
    }
  }

  private mutating func end(
    _ kind: Reason.Kind, _ account: AccountNumber, _ ending: DiagnosisEnding.Kind, _ context: EventContext,
    where isEnded: (Reason) -> Bool = { _ in true }
  ) {
    guard let known = records[account] else { return }
    for place in known.indices.reversed()
    where known[place].reason.kind == kind && known[place].episodes.isOpen && isEnded(known[place].reason) {
      records[account]?[place].episodes.end(ending, at: context)
      // The user thought better of it.
      let isBrief = known[place].episodes.kept.last.map { $0.count < Self.few } ?? true
      if [.question, .identity].contains(kind), isBrief { records[account]?.remove(at: place) }
    }
  }

  /// None: what other families report is not known yet.
  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] { [] }

  func rest(
    beside found: [Problem], at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> [Problem] {
    var rest: [Problem] = []
    // An identity that a launch condition refuses is reported with the condition.
    for kind in [Reason.Kind.launch, .question, .identity, .call] {
      let known =
        records.inOrder.flatMap { account, records in records.map { (Optional(account), $0) } }
        + others.map { (nil, $0) }
      rest += known.filter { $0.1.reason.kind == kind }.compactMap { account, record in
        problem(account, record, beside: found + rest, state, last)
      }
    }
    return rest
  }

  private func problem(
    _ account: AccountNumber?, _ record: Record, beside found: [Problem], _ state: AppProtectionState,
    _ last: EventContext
  ) -> Problem? {
    let episodes = record.episodes.seen(at: last)
    guard episodes.isRecurrent, record.processes > 1, let first = record.occurrences.first,
      !isReported(record, account, found)
    else { return nil }
    let reason = record.reason
    let whose = account.map { " \(reason.kind == .identity ? "of" : "for") \($0)" } ?? ""
    let verb = reason.verb(isOver: !episodes.isOpen)
    var problem = Problem(
      .refusedAgain, of: account?.description,
      "\(reason.action)\(whose) \(verb) \(reason.ground), \(record.occurrences.count) times from event \(first.sequence) to "
        + "event \(record.occurrences.last?.sequence ?? first.sequence), in \(record.processes) processes",
      evidence: DiagnosisEvidence(first, "\(reason.action) \(reason.verb()) \(reason.ground) for the first time"),
      record.occurrences.evidence("\(reason.action) \(reason.verb()) \(reason.ground)"),
      next: Self.next(reason), command: "show JOURNAL \(first.sequence)")
    problem.restsOnAbsence = reason.kind == .question
    problem.show(episodes)
    let isBlocked = account.map { state.launch.accounts[$0]?.outcome.isPassing == false } ?? false
    if !problem.isOver, isBlocked, reason.kind == .launch || reason.kind == .question { problem.severity = .critical }
    if problem.isOver, episodes.count < Episodes.many.episodes { problem.severity = .note }
    return problem
  }

  /// Whether another family has the refusal in a finding.
  private func isReported(_ record: Record, _ account: AccountNumber?, _ found: [Problem]) -> Bool {
    guard let first = record.occurrences.first, let last = record.occurrences.last else { return false }
    return found.contains { other in
      guard record.reason.families.contains(other.family) else { return false }
      if let account, let subject = other.subject, subject != account.description,
        !other.others.contains(account.description)
      {
        return false
      }
      return other.span.overlaps(first.sequence...last.sequence)
    }
  }

  private static func next(_ reason: Reason) -> String {
    switch reason.kind {
    case .launch: "look at what \(reason.rule) compared at the first of these events, and change one of the two"
    case .question: "let the app ask the user for what \(reason.rule) demands, and report the answer"
    case .identity: "look at why the identity was refused, and let the app stop before it asks again"
    case .call: "correct the call, which \(reason.rule) refuses: it comes too early, or for the wrong account"
    }
  }
}

extension RefusedAgainRule.Reason {
  /// The verb of the clause.
  fileprivate func verb(isOver: Bool = false) -> String {
    kind == .question ? isOver ? "had" : "has" : isOver ? "was" : "is"
  }

  /// A launch condition closes the app.
  static func launch(_ rule: LaunchRule) -> Self {
    Self(kind: .launch, rule: rule.id, action: "a launch", ground: "refused by \(rule.id)", families: rule.families)
  }

  /// A launch condition asks for something that the user does not do.
  static func question(_ rule: LaunchRule) -> Self {
    Self(
      kind: .question, rule: rule.id, action: "the question of \(rule.id)", ground: "no answer",
      families: rule.families)
  }

  /// An identity is not set.
  static func identity(_ event: IdentitySwitchRefused) -> Self {
    let families: Set<ProblemFamily> =
      switch event.reason {
      case .conditionalLaunch:
        [
          .offlineBlock, .unexpectedWipe, .pinAttempts, .pinQuality, .osVersion, .deviceModel, .threatLevel,
          .jailbreak, .launchBlocked, .wrongEnumeration, .refusedAgain,
        ]
      case .sameOrganization: [.secondManagedAccount]
      case .threadIdentity: [.identityLeak]
      case .delegate: [.wrongEnumeration]
      case .accountLeaving: [.unexpectedWipe, .wipeUnfinished]
      case .singleIdentity: []
      }
    return Self(
      kind: .identity, rule: event.reason.name, scope: event.scope, action: "a switch to the identity",
      ground: "refused (\(event.reason.name))", families: families)
  }

  /// A call of the app is refused; `nil` for one that may be repeated.
  static func call(_ event: CommandRefused) -> Self? {
    // The app may register an account as often as it likes, and answer what is settled.
    guard !["T2", "question.asked", "question.current"].contains(event.rule) else { return nil }
    let families: Set<ProblemFamily> =
      switch event.rule {
      case "T4": [.nilAccount]
      case "T3": [.policyNotApplied]
      case "T35": [.accountNotAllowed]
      case "launch.pinAttempts": [.pinAttempts]
      case "account.enrolled":
        event.command == "appConfiguration" ? [.appConfiguration, .policyNotApplied] : [.policyNotApplied]
      case "remediation.ready", "remediation.idle": [.remediationLoop, .lostCallback, .restartPending]
      default: event.rule.hasPrefix("pin.") ? [.pinQuality, .pinAttempts] : []
      }
    return Self(
      kind: .call, rule: event.rule, action: "the call \(event.command)", ground: "refused by \(event.rule)",
      families: families)
  }
}

extension LaunchRule {
  /// The families that report it where it closes the app.
  fileprivate var families: Set<ProblemFamily> {
    switch self {
    case .pendingWipe: [.wipeUnfinished, .unexpectedWipe]
    case .offlineWipe, .offlineAccess: [.offlineBlock, .unexpectedWipe]
    case .jailbreak: [.jailbreak, .unexpectedWipe]
    case .osMinimum, .osMaximum: [.osVersion, .unexpectedWipe]
    case .deviceModel: [.deviceModel, .unexpectedWipe]
    case .threatLevel: [.threatLevel, .unexpectedWipe]
    case .sdkVersion, .appVersion, .accountDisabled, .keychain, .devicePasscode, .clockOut:
      [.launchBlocked, .unexpectedWipe]
    case .pinAttempts: [.pinAttempts, .unexpectedWipe]
    case .pinExpired, .pinQuality, .pinMissing: [.pinQuality, .wrongEnumeration]
    case .pin, .signIn, .met, .unmanaged: []
    }
  }
}
