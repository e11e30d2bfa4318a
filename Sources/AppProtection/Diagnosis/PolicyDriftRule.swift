import EventSourcing

/// A policy that moves away from what it was: it flips between two, goes back to an older one, or becomes weaker.
struct PolicyDriftRule: ProblemRule {
  /// The most earlier policies that are compared.
  private static let mostKept = 4

  fileprivate struct Record: Sendable {
    /// The latest different policies, the newest last, with the event that first brought each.
    var documents: [(document: PolicyDocument, event: EventContext)] = []
    var current: EventContext?
    /// The changes back to a policy that it had before.
    var returns = Sightings()
    /// The change before the first of them.
    var origin: EventContext?
    var older: EventContext?
    var weaker: (event: EventContext, settings: [String], isMixed: Bool)?
  }

  private var records = PerAccount<Record>()

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
    case .policyWithdrawn(let event): records[event.account] = nil
    case .wipeCompleted(let event): records[event.account] = nil
    default: event.unread(by: .policyDrift, ())
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    records.inOrder.compactMap { account, record in
      guard state.isManaged(account) else { return nil }
      let command = "blame JOURNAL '/policies/\(account)/*'"
      if let first = record.returns.first, record.returns.count > 1 || first == record.current {
        let origin = record.origin ?? first
        var problem = Problem(
          .policyDrift, record.returns.count > 1 ? .certain : .likely, of: account.description,
          "the policy of \(account) went back to an earlier one \(record.returns.times), after "
            + "event \(origin.sequence) had changed it",
          evidence: DiagnosisEvidence(origin.sequence, "the policy changes"),
          record.returns.evidence("the policy is an earlier one again"),
          next: "look which policies target the user: two of them may take turns", command: command)
        if record.returns.count == 1 { problem.severity = .note }
        return problem
      }
      if let older = record.older {
        return Problem(
          .policyDrift, of: account.description,
          "event \(older.sequence) brought \(account) a policy that was last changed before the one that it replaces",
          evidence: DiagnosisEvidence(older.sequence, "an older policy arrives"),
          next: "compare the policy with the one in the portal; a restored or second policy may be assigned",
          command: command)
      }
      if let (event, settings, isMixed) = record.weaker {
        let names =
          settings.prefix(3).joined(separator: ", ") + (settings.count > 3 ? " and \(settings.count - 3) more" : "")
        var problem = Problem(
          .policyDrift, .possible, of: account.description,
          "event \(event.sequence) made the policy of \(account) weaker: \(names)",
          evidence: DiagnosisEvidence(event.sequence, "the weaker policy arrives"),
          next: "ask the administrator whether this was intended", command: command)
        // Stricter in other settings, it is another policy rather than a loosened one; one setting is an ordinary change.
        if isMixed || settings.count == 1 { problem.severity = .note }
        return problem
      }
      return nil
    }
  }
}

extension PolicyDriftRule.Record {
  /// Another policy replaces one.
  fileprivate mutating func change(
    from earlier: PolicyDocument, to document: PolicyDocument, _ context: EventContext, keeping most: Int
  ) {
    if documents.contains(where: { $0.document == document }) {
      origin = origin ?? current
      returns.note(context)
    } else {
      documents.append((document, context))
      if documents.count > most { documents.removeFirst() }
    }
    current = context
    if let old = earlier.about.lastModifiedDateTime?.nanoseconds,
      let new = document.about.lastModifiedDateTime?.nanoseconds
    {
      older = new < old ? context : nil
    }
    let settings = Self.weaker(document, than: earlier)
    weaker = settings.isEmpty ? nil : (context, settings, !Self.weaker(earlier, than: document).isEmpty)
  }

  /// The settings in which a policy is weaker than another one: where both count, the other's value does.
  private static func weaker(_ document: PolicyDocument, than earlier: PolicyDocument) -> [String] {
    let both = PolicyCombination(of: [earlier, document])
    return both.origins.compactMap { origin in
      guard let property = origin.property, origin.policies == [0], origin.ground != .only else { return nil }
      return document[property] == earlier[property] ? nil : property.name
    }
  }
}
