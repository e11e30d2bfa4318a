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

  private var records = PerAccount<Record>()
  /// What is wrong with the policies now, more than a note, as it will be described when it is over.
  private var standing = PerAccount<Problem>()
  private var past = PastTroubles()

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
      end(event.account, .replaced, context, notes)
      records[event.account] = nil
    case .wipeCompleted(let event): records[event.account] = nil
    default: break
    }
    guard let account = event.leavingAccount else { return }
    if case .wipeRequested = event {
      end(account, .wiped, context, notes)
    } else {
      end(account, .abandoned, context, notes)
    }
  }

  /// Follows what is wrong with an account's policy since the policy that an event brought.
  private mutating func follow(_ account: AccountNumber, _ context: EventContext, _ notes: HistoryNotes) {
    guard let record = records[account], let (problem, _) = problem(account, record, context, isOver: true),
      problem.severity > .note
    else { return end(account, .recovered, context, notes) }
    if standing[account] == nil { past.see(account, context, notes) }
    standing[account] = problem
  }

  private mutating func end(
    _ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext, _ notes: HistoryNotes
  ) {
    guard let problem = standing[account] else { return }
    standing[account] = nil
    past.end(account, kind, at: context, notes, problem)
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
    let present = records.inOrder.compactMap { account, record -> Problem? in
      guard state.isManaged(account), let (problem, settings) = problem(account, record, last, isOver: false)
      else { return nil }
      // The block that a change began, or ended, is the trouble; that the change is worth a note adds nothing.
      return problem.severity == .note && notes.isDemand(of: account, by: settings) ? nil : problem
    }
    let accounts = Set(present.compactMap(\.subject))
    return present + past.problems { accounts.contains($0.description) }
  }

  /// How the policy of an account moved away, and the settings that did. Returns are out of sight
  /// where none came for long; what the policy in force is, lasts.
  private func problem(
    _ account: AccountNumber, _ record: Record, _ last: EventContext, isOver: Bool
  ) -> (problem: Problem, settings: [String])? {
    let command = "blame JOURNAL '/policies/\(account)/*'"
    if let first = record.returns.first, record.returns.count > 1 || first == record.current {
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
      return (problem, record.returned)
    }
    if let replacement = record.replacement {
      return (problem(account, replacement, command, isOver: isOver), replacement.settings)
    }
    if let older = record.older?.event {
      let problem = Problem(
        .policyDrift, of: account.description,
        "event \(older.sequence) brought \(account) a policy that was last changed before the one that it replaced",
        evidence: DiagnosisEvidence(older, "an older policy arrives"),
        next: "compare the policy with the one in the portal; a restored or second policy may be assigned",
        command: command)
      return (problem, [])
    }
    if let (event, _, settings, isMixed) = record.weaker {
      let names = settings.shortened
      var problem = Problem(
        .policyDrift, .possible, of: account.description,
        "event \(event.sequence) made the policy of \(account) weaker: \(names)",
        evidence: DiagnosisEvidence(event, "the weaker policy arrives"),
        next: "ask the administrator whether this was intended", command: command)
      // Stricter in other settings, it is another policy rather than a loosened one; one setting is an ordinary change.
      if isMixed || settings.count == 1 { (problem.severity, problem.harm) = (.note, .irregular) }
      return (problem, settings)
    }
    return nil
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
