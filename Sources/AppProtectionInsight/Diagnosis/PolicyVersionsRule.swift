import AppProtection
import EventSourcing

/// One policy in two versions: two accounts have it, and one of them keeps an older version for longer than the service takes
/// to deliver the newer one.
///
/// The deciding event is the delivery that made the versions differ.
struct PolicyVersionsRule: ProblemRule {
  /// An account whose version is older than that of another one.
  private struct Lag: Sendable {
    let event: EventContext
    /// The delivery of the older version.
    let older: EventContext
    /// The account with the newer version.
    let ahead: AccountNumber
    let versions: (older: String, newer: String)
    /// The settings that differ.
    let settings: [String]
    /// The first check-in that completed so long after the event that it should have brought the newer version.
    var missed: EventContext?
    var launches = Occurrences()
    var ending: DiagnosisEnding?
  }

  private var deliveries = PerAccount<(event: EventContext, document: PolicyDocument)>()
  private var current = PerAccount<Lag>()
  private var past = PerAccount<Lag>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      ProcessStarted.self, CheckInUnchanged.self, PolicyReceived.self, PolicyWithdrawn.self,
    ] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .processStarted(let event):
      guard !event.isExtension else { break }
      current.updateAll { $0.launches.add(context) }
    case .checkInUnchanged(let event):
      guard let lag = current[event.account], lag.missed == nil,
        context.elapsed(since: lag.event) > notes.contacts[event.account]?.grace ?? RetrySchedule.hour
      else { break }
      current[event.account]?.missed = context
    case .policyReceived(let event): compare(event, context)
    case .policyWithdrawn(let event): forget(event.account, .recovered, context)
    default: break
    }
    guard let account = event.leavingAccount else { return }
    if case .wipeRequested = event { forget(account, .wiped, context) } else { forget(account, .abandoned, context) }
  }

  /// Compares a delivery with what the other accounts have.
  private mutating func compare(_ event: PolicyReceived, _ context: EventContext) {
    let account = event.account
    let earlier = deliveries[account]
    deliveries[account] = earlier.flatMap { $0.document == event.document ? $0 : nil } ?? (context, event.document)
    for (other, delivery) in deliveries.inOrder where other != account {
      let order = Self.order(event.document, delivery.document)
      switch order {
      case .same, nil:
        end(account, order == nil ? .replaced : .recovered, context, against: other)
        end(other, order == nil ? .replaced : .recovered, context, against: account)
      case .older:
        end(other, .replaced, context, against: account)
        begin(account, event.document, context, below: other, delivery.document, context)
      case .newer:
        end(account, .recovered, context, against: other)
        begin(other, delivery.document, delivery.event, below: account, event.document, context)
      }
    }
  }

  private enum Order { case older, same, newer }

  /// Which of two versions of one policy a document is; `nil` where they are not versions of one policy. Where no date says
  /// so, the one that comes is the newer one.
  private static func order(_ document: PolicyDocument, _ other: PolicyDocument) -> Order? {
    guard let id = document.about.id, id == other.about.id else { return nil }
    if let one = document.about.lastModifiedDateTime?.nanoseconds,
      let two = other.about.lastModifiedDateTime?.nanoseconds, one != two
    {
      return one < two ? .older : .newer
    }
    return document.about.version == other.about.version ? .same : .newer
  }

  private mutating func begin(
    _ account: AccountNumber, _ document: PolicyDocument, _ older: EventContext, below ahead: AccountNumber,
    _ newer: PolicyDocument, _ context: EventContext
  ) {
    guard current[account] == nil else { return }
    current[account] = Lag(
      event: context, older: older, ahead: ahead, versions: (Self.name(document), Self.name(newer)),
      settings: PolicyProperty.all.filter { $0.isSetting && document[$0] != newer[$0] }.map(\.name))
  }

  /// The version, or else the date of the change.
  private static func name(_ document: PolicyDocument) -> String {
    document.about.version ?? document.about.lastModifiedDateTime?.text ?? "without a number"
  }

  private mutating func end(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext, against ahead: AccountNumber? = nil
  ) {
    guard var lag = current[account], ahead == nil || lag.ahead == ahead else { return }
    current[account] = nil
    lag.ending = DiagnosisEnding(kind, at: context)
    guard lag.launches.count > 1, context.elapsed(since: lag.event) >= RetrySchedule.day else { return }
    past[account] = past[account] ?? lag
  }

  /// An account has the policy no longer.
  private mutating func forget(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    deliveries[account] = nil
    end(account, kind, context)
    for (other, _) in current.inOrder { end(other, .replaced, context, against: account) }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let standing = current.inOrder.compactMap { account, lag -> Problem? in
      let grace = notes.contacts[account]?.grace ?? RetrySchedule.hour
      guard state.isManaged(account), last.elapsed(since: lag.event) > grace,
        notes.processes.isLate(since: lag.event, at: last, after: grace)
      else { return nil }
      return problem(account, lag, notes)
    }
    return standing + past.inOrder.filter { current[$0.account] == nil }.map { problem($0.account, $0.value, notes) }
  }

  private func problem(_ account: AccountNumber, _ lag: Lag, _ notes: HistoryNotes) -> Problem {
    let isOver = lag.ending != nil
    let reason =
      lag.missed.map { "; the check-in of event \($0.sequence) did not bring it" }
      ?? (isOver ? "" : "; no check-in of \(account) has completed since that could bring it")
    let difference =
      lag.settings.isEmpty
      ? "the settings \(isOver ? "were" : "are") the same"
      : "they \(isOver ? "differed" : "differ") in \(lag.settings.shortened)"
    let span =
      lag.ending.map { "from event \(lag.event.sequence) to event \($0.event.sequence)" }
      ?? "since event \(lag.event.sequence)"
    var problem = Problem(
      .policyVersions, lag.missed == nil ? .likely : .certain, of: account.description,
      "\(account) \(isOver ? "had" : "has") version \(lag.versions.older) of a policy of which \(lag.ahead) "
        + "\(isOver ? "had" : "has") version \(lag.versions.newer), \(span): \(difference)\(reason)",
      evidence: DiagnosisEvidence(lag.event, "from here on, the versions of two accounts differ"),
      [DiagnosisEvidence(lag.older, "\(account) gets the older version")]
        + (lag.missed.map { [DiagnosisEvidence($0, "a check-in completes, and nothing is new")] } ?? []),
      next: lag.missed == nil
        ? "let a check-in of \(account) complete, and compare again"
        : "look in the portal which version is the present one, and whether both users are targeted by the same policy",
      command: "diff JOURNAL --path '/policies/*'")
    problem.others = [lag.ahead.description]
    problem.restsOnAbsence = lag.missed == nil
    if lag.settings.isEmpty { (problem.severity, problem.harm) = (.note, .irregular) }
    if let ending = lag.ending {
      problem.end(ending.kind, at: ending.event)
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    return problem
  }
}
