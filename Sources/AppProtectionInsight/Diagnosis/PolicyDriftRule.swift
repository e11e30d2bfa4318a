import AppProtection
import EventSourcing

/// A policy that moves away from what it was: another one takes its place, it flips between two, goes back to an older one,
/// or becomes weaker.
struct PolicyDriftRule: ProblemRule {
  /// The most earlier policies that are compared.
  private static let mostKept = 4

  fileprivate struct Record: Sendable {
    /// The latest different policies, the newest last, with the event that first brought each.
    var documents: [(document: PolicyDocument, event: EventContext)] = []
    var current: EventContext?
    /// The changes back to a policy that it had before.
    var returns = Occurrences()
    /// The change before the first of them.
    var origin: EventContext?
    /// The settings that the last of them changed.
    var returned: [String] = []
    /// The change to a policy that was last changed before another one, and when that was.
    var older: (event: EventContext, than: Int64)?
    /// The change that made it weaker than it was, in these settings that still are.
    var weaker: (event: EventContext, than: PolicyDocument, settings: [String], isMixed: Bool)?
    /// The change to another policy, by its identifier.
    var replacement: Replacement?
  }

  /// Another policy in the place of one.
  fileprivate struct Replacement: Sendable {
    let event: EventContext
    let earlier: PolicyDocument.About
    let later: PolicyDocument.About
    /// The settings that differ.
    let settings: [String]
    /// The answers that differ: those that deny something first.
    let answers: [ChangedAnswer]
  }

  /// What kinds of drift there are. A change is reported as the first kind that it is.
  private enum Kind: CaseIterable { case returns, replacement, older, weaker }

  /// What is wrong with a policy since a change.
  private struct Drift: Sendable {
    let kind: Kind
    /// The changes that it is about.
    let events: ClosedRange<UInt64>
    var problem: Problem
    /// The settings that moved away.
    let settings: [String]

    func isSame(as other: Self) -> Bool {
      kind == other.kind && problem.decidingEvent == other.problem.decidingEvent
    }
  }

  /// A drift that is more than a note, as it will be described when it is over.
  private struct Standing: Sendable {
    var drift: Drift
    let begin: EventContext
    /// The processes of the app that had started then.
    let launches: Int
  }

  private var records = PerAccount<Record>()
  private var standing = PerAccount<[Standing]>()
  /// The latest drifts that are over.
  private var past = PerAccount<[Drift]>()

  static let events: [any EventPayload.Type] =
    [PolicyReceived.self, PolicyWithdrawn.self, WipeCompleted.self] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .policyReceived(let event):
      guard let earlier = before.policies[event.account]?.document, earlier != event.document else {
        if before.policies[event.account] == nil {
          records[event.account] = Record(documents: [(event.document, context)], current: context)
        }
        return
      }
      records[event.account, default: Record()].change(
        from: earlier, to: event.document, context, keeping: Self.mostKept)
      replace(earlier, with: event.document, of: event.account, context, before, after)
      follow(event.account, context, notes)
    case .policyWithdrawn(let event):
      endAll(of: event.account, .replaced, context, notes)
      records[event.account] = nil
    case .wipeCompleted(let event): records[event.account] = nil
    default: break
    }
    guard let account = event.leavingAccount else { return }
    if case .wipeRequested = event {
      endAll(of: account, .wiped, context, notes)
    } else {
      endAll(of: account, .abandoned, context, notes)
    }
  }

  /// Follows what is wrong with an account's policy since the policy that an event brought.
  private mutating func follow(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    guard let record = records[account] else { return }
    // Returns that are out of sight may come again.
    let lasting = drifts(of: account, record, context, isOver: true).filter {
      $0.problem.severity > .note || $0.problem.isOver
    }
    let known = standing[account] ?? []
    standing[account] = lasting.map { drift in
      guard var same = known.first(where: { $0.drift.isSame(as: drift) }) else {
        return Standing(drift: drift, begin: context, launches: notes.processes.launches)
      }
      same.drift.problem = drift.problem
      return same
    }
    for old in known where !lasting.contains(where: { $0.isSame(as: old.drift) }) {
      let isReplaced = old.drift.kind == .replacement && record.replacement != nil
      end(old, of: account, isReplaced ? .replaced : .recovered, context, notes)
    }
    for drift in lasting where drift.kind == .returns && !drift.problem.isOver { forget(besides: drift, of: account) }
  }

  /// The changes from which a policy came back again and again are reported with its returns.
  private mutating func forget(besides returns: Drift, of account: AccountNumber) {
    past[account]?.removeAll { $0.kind != .returns && returns.events.contains($0.problem.decidingEvent) }
  }

  private mutating func endAll(
    of account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext, _ notes: HistoryNotes
  ) {
    for old in standing[account] ?? [] { end(old, of: account, kind, context, notes) }
    for drift in past[account] ?? [] where drift.kind == .returns && drift.problem.ending?.event == context {
      forget(besides: drift, of: account)
    }
    standing[account] = nil
  }

  /// A drift is over, and worth a note if it lasted for a day and two launches.
  private mutating func end(
    _ standing: Standing, of account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext,
    _ notes: HistoryNotes
  ) {
    guard let record = records[account], notes.processes.launches > standing.launches + 1,
      context.elapsed(since: standing.begin) >= RetrySchedule.day
    else { return }
    var drift = standing.drift
    if drift.kind == .returns {
      drift.problem.endOutOfSight(since: record.returns.last, record.returns.count, at: context)
    }
    if !drift.problem.isOver {
      if drift.kind == .weaker, kind == .recovered {
        let left = record.weaker.flatMap { $0.event.sequence == drift.problem.decidingEvent ? $0.settings : nil } ?? []
        drift.problem.sentence = Self.weakened(
          account, drift.problem.decidingEvent, drift.settings.filter { !left.contains($0) })
      }
      drift.problem.end(kind, at: context)
      drift.problem.severity = .note
    }
    let others = past[account, default: []].filter { !$0.isSame(as: drift) }
    past[account] = others.suffix(Self.mostKept - 1) + [drift]
  }

  /// Records the identifiers: another one is another policy, and not a revision.
  private mutating func replace(
    _ earlier: PolicyDocument, with document: PolicyDocument, of account: AccountNumber, _ context: EventContext,
    _ before: AppProtectionState, _ after: AppProtectionState
  ) {
    guard let old = earlier.about.id, let new = document.about.id, old != new else { return }
    guard records[account]?.replacement?.earlier.id != new else {
      records[account]?.replacement = nil
      return
    }
    let answers = ChangedAnswer.all(of: account, before, after, at: context.moment)
    if answers.isEmpty && records[account]?.replacement != nil { return }
    let settings = PolicyProperty.all.filter { $0.isSetting && earlier[$0] != document[$0] }.map(\.name)
    records[account]?.replacement = Replacement(
      event: context, earlier: earlier.about, later: document.about, settings: settings, answers: answers)
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let present = records.inOrder.flatMap { account, record in
      state.isManaged(account)
        ? drifts(of: account, record, last, isOver: false).filter {
          // The block that a change began, or ended, is the trouble; that the change is worth a note adds nothing.
          $0.problem.severity > .note || !notes.isDemand(of: account, by: $0.settings)
        } : []
    }
    // One that lasts as a note does not say how it was before.
    let told = present.filter { $0.problem.severity > .note }
    let over = past.inOrder.flatMap(\.value).filter { past in
      !told.contains { $0.problem.subject == past.problem.subject && $0.isSame(as: past) }
    }
    return (present + over).map(\.problem)
  }

  /// How the policy of an account moved away, each change once. Returns are out of sight where none came for long; what the
  /// policy in force is, lasts, and is reported beside them then.
  private func drifts(
    of account: AccountNumber, _ record: Record, _ last: EventContext, isOver: Bool
  ) -> [Drift] {
    Kind.allCases.reduce(into: []) { found, kind in
      guard let drift = drift(kind, account, record, last, isOver: isOver),
        !found.contains(where: { other in
          let isBeside = other.events.count > 1 && drift.problem.severity > .note && (isOver || other.problem.isOver)
          return other.events.overlaps(drift.events) && !isBeside
        })
      else { return }
      found.append(drift)
    }
  }

  private func drift(
    _ kind: Kind, _ account: AccountNumber, _ record: Record, _ last: EventContext, isOver: Bool
  ) -> Drift? {
    let command = "blame JOURNAL '/policies/\(account)/*'"
    switch kind {
    case .returns:
      guard let first = record.returns.first, record.returns.count > 1 || first == record.current else { return nil }
      let origin = record.origin ?? first
      var problem = Problem(
        .policyDrift, record.returns.count > 1 ? .certain : .likely, of: account.description,
        "the policy of \(account) went back to an earlier one \(record.returns.times), after "
          + "event \(origin.sequence) had changed it",
        evidence: DiagnosisEvidence(origin, "the policy changes"),
        record.returns.evidence("the policy is an earlier one again"),
        next: "look which policies target the user: two of them may take turns", command: command)
      if record.returns.count == 1 { (problem.severity, problem.harm) = (.note, .irregular) }
      problem.endOutOfSight(since: record.returns.last, record.returns.count, at: last)
      // What the change before a single return did is another matter.
      let begin = record.returns.count > 1 ? min(origin.sequence, first.sequence) : first.sequence
      let end = record.returns.last?.sequence ?? begin
      return Drift(kind: kind, events: begin...max(begin, end), problem: problem, settings: record.returned)
    case .replacement:
      guard let replacement = record.replacement else { return nil }
      let event = replacement.event.sequence
      return Drift(
        kind: kind, events: event...event, problem: problem(account, replacement, command, isOver: isOver),
        settings: replacement.settings)
    case .older:
      guard let older = record.older?.event else { return nil }
      let problem = Problem(
        .policyDrift, of: account.description,
        "event \(older.sequence) brought \(account) a policy that was last changed before the one that it replaced",
        evidence: DiagnosisEvidence(older, "an older policy arrives"),
        next: "compare the policy with the one in the portal; a restored or second policy may be assigned",
        command: command)
      return Drift(kind: kind, events: older.sequence...older.sequence, problem: problem, settings: [])
    case .weaker:
      guard let (event, _, settings, isMixed) = record.weaker else { return nil }
      var problem = Problem(
        .policyDrift, .possible, of: account.description, Self.weakened(account, event.sequence, settings),
        evidence: DiagnosisEvidence(event, "the weaker policy arrives"),
        next: "ask the administrator whether this was intended", command: command)
      // Stricter in other settings, it is another policy rather than a loosened one; one setting is an ordinary change.
      if isMixed || settings.count == 1 { (problem.severity, problem.harm) = (.note, .irregular) }
      return Drift(kind: kind, events: event.sequence...event.sequence, problem: problem, settings: settings)
    }
  }

  private static func weakened(_ account: AccountNumber, _ event: UInt64, _ settings: [String]) -> String {
    "event \(event) made the policy of \(account) weaker: \(settings.shortened)"
  }

  private func problem(
    _ account: AccountNumber, _ replacement: Replacement, _ command: String, isOver: Bool
  ) -> Problem {
    let event = replacement.event.sequence
    let (old, new) = (Self.name(replacement.earlier), Self.name(replacement.later))
    let names = old == new ? "of the same name" : "\(new) instead of \(old)"
    let effect =
      if !replacement.answers.isEmpty {
        replacement.answers.map { isOver ? $0.past : $0.description }.shortened
      } else if replacement.settings.isEmpty {
        "it \(isOver ? "had" : "has") the same settings"
      } else {
        "it \(isOver ? "differed" : "differs") in " + replacement.settings.shortened
      }
    var problem = Problem(
      .policyDrift, of: account.description,
      (isOver ? "from event \(event) on, \(account) got" : "since event \(event), \(account) gets")
        + " another policy, \(names), and not a revision of it: \(effect)",
      evidence: DiagnosisEvidence(
        event,
        "a policy with another identifier arrives"
          + (replacement.settings.isEmpty ? "" : "; it differs in \(replacement.settings.shortened)")),
      next: "look at the groups that both policies are assigned to, and at what changed the user's",
      command: replacement.answers.first.map { "explain JOURNAL '\($0.question)' --when" } ?? command)
    if replacement.answers.isEmpty { (problem.severity, problem.harm) = (.note, .irregular) }
    return problem
  }

  private static func name(_ about: PolicyDocument.About) -> String {
    about.displayName.map { "\"\($0)\"" } ?? about.id ?? "one without a name"
  }
}

extension PolicyDriftRule.Record {
  /// Another policy replaces one.
  fileprivate mutating func change(
    from earlier: PolicyDocument, to document: PolicyDocument, _ context: EventContext, keeping most: Int
  ) {
    if documents.contains(where: { $0.document == document }) {
      origin = origin ?? current
      returns.add(context)
      returned = PolicyProperty.all.filter { $0.isSetting && earlier[$0] != document[$0] }.map(\.name)
    } else {
      documents.append((document, context))
      if documents.count > most { documents.removeFirst() }
    }
    current = context
    if let old = earlier.about.lastModifiedDateTime?.nanoseconds,
      let new = document.about.lastModifiedDateTime?.nanoseconds
    {
      if let known = older, new >= known.than { older = nil }
      if older == nil, new < old { older = (context, old) }
    }
    if let known = weaker {
      // What a later revision leaves weak is still that of the first.
      let settings = Self.weaker(document, than: known.than).filter(known.settings.contains)
      weaker = settings.isEmpty ? nil : (known.event, known.than, settings, known.isMixed)
    }
    let settings = Self.weaker(document, than: earlier)
    if weaker == nil, !settings.isEmpty {
      weaker = (context, earlier, settings, !Self.weaker(earlier, than: document).isEmpty)
    }
  }

  /// The settings in which a policy is weaker than another one: where both count, the other's value does, and restricts.
  private static func weaker(_ document: PolicyDocument, than earlier: PolicyDocument) -> [String] {
    let both = PolicyCombination(of: [earlier, document])
    return both.origins.compactMap { origin in
      let property = origin.property
      guard origin.policies == [0], document[property] != earlier[property] else { return nil }
      let isRemoved = origin.ground == .only
      return isRemoved && property.read(earlier).map(property.isRestriction) != true ? nil : property.name
    }
  }
}
