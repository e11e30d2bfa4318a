import EventSourcing
import Forensics
import Journal

/// What is imagined, and what is to be known of it.
@usableFromInline
package struct ImaginationRequest {
  @usableFromInline let history: AnyHistory
  /// What is read of it.
  @usableFromInline let stretch: FollowedStretch
  /// How many affected decisions are named.
  @usableFromInline let limit: Int
  /// The questions to ask of both histories, and whether after every batch.
  let questions: [AnyQuestion]
  let isListing: Bool
  let redaction: Redaction
  /// Where the imagined history is written; `nil` for nowhere.
  let target: ImaginedPlace?

  package init(
    _ history: AnyHistory, _ stretch: FollowedStretch, limit: Int, asking questions: [AnyQuestion], isListing: Bool,
    _ redaction: Redaction, to target: ImaginedPlace?
  ) {
    (self.history, self.stretch, self.limit) = (history, stretch, limit)
    (self.questions, self.isListing, self.redaction, self.target) = (questions, isListing, redaction, target)
  }
}

/// Where a journal of an imagined history is written.
package struct ImaginedPlace {
  /// The folder.
  package let path: String
  /// The edits in words; together with the real journal they make the journal's identity.
  let words: String
  let createdNanoseconds: Int64
  let fileSystem: any FileSystem

  package init(_ path: String, words: String, createdNanoseconds: Int64, _ fileSystem: any FileSystem) {
    (self.path, self.words) = (path, words)
    (self.createdNanoseconds, self.fileSystem) = (createdNanoseconds, fileSystem)
  }
}

/// What a history would have come to: see `WhatIf`, of which these are the contents.
@usableFromInline
package struct ImaginedOutcome: Sendable {
  /// A question that was asked of both histories: see `AskedQuestion`.
  package struct Asked: Sendable {
    package let text: String
    package let intervals: [AskedInterval]
    package let isOverfull: Bool
    package let everDiffers: Bool
  }

  /// The state of the imagined history at the end.
  package let imagined: AnyState
  package let realLast, imaginedLast: UInt64
  /// The event at which the histories part; `nil` if they do not.
  package let partsAt: UInt64?
  package let counts: WhatIfCounts
  package let tally: WhatIfTally
  /// What differs between the states at the end.
  package let difference: StateDiff
  /// The questions to which these have different answers, and how many were asked.
  package let decisions: [DecisionDifference]
  package let decisionCount: Int
  package let asked: [Asked]
  /// The first decisions that rest on what differs.
  package let affected: [AffectedEvents]

  /// - Parameter imagine: Reads the history once.
  @usableFromInline
  init<Domain: RedecidingDomain>(
    _ request: ImaginationRequest, _ edits: DomainEdits<Domain>,
    _ imagine: (
      ((RecordedEvent<Domain.Event>, Domain.State, Domain.State?) -> Void)?,
      ((ImaginedEvent<Domain.Event>, Renumbering, Domain.State?) throws(HistoryError) -> Void)?
    ) throws(WhatIfError) -> WhatIf<Domain>
  ) throws(WhatIfError) {
    let limit = max(16, 100_000 / max(request.questions.count, 1))
    var asked = request.questions.compactMap { question in
      (question.value as? QuestionText<Domain>).map { AskedQuestion($0, limit: limit) }
    }
    let (first, last) = (request.stretch.first, request.stretch.last)
    if request.isListing {
      let state = request.stretch.state.of(Domain.self)
      for index in asked.indices {
        asked[index].ask(after: first.sequence, at: first.moment, isFirst: true, real: state, imagined: nil)
      }
    }
    let observe: ((RecordedEvent<Domain.Event>, Domain.State, Domain.State?) -> Void)? =
      request.isListing
      ? { record, real, imagined in
        for index in asked.indices {
          asked[index].ask(
            after: record.sequence, at: record.envelope.moment, real: real, imagined: imagined,
            isLastOfBatch: record.isLastOfBatch || record.sequence == last)
        }
      } : nil
    // Nothing is written of a history that cannot be imagined.
    let outcome = try imagine(observe, nil)
    if let target = request.target {
      try Self.write(request.history.of(Domain.self), after: first.sequence, edits.edits, to: target) {
        (emit) throws(WhatIfError) in _ = try imagine(nil, emit)
      }
    }
    if !request.isListing {
      for index in asked.indices {
        asked[index].ask(
          after: outcome.realLast, at: outcome.moment, real: outcome.real, imagined: outcome.imagined)
      }
    }
    self.init(outcome, asked, WhatIfWords(ValueText(request.redaction)))
  }

  private init<Domain: RedecidingDomain>(
    _ outcome: WhatIf<Domain>, _ asked: [AskedQuestion<Domain>], _ words: WhatIfWords<Domain>
  ) {
    imagined = AnyState(outcome.imagined, of: Domain.self)
    (realLast, imaginedLast, partsAt) = (outcome.realLast, outcome.imaginedLast, outcome.partsAt)
    (counts, tally, difference) = (outcome.counts, outcome.tally, outcome.difference)
    let comparison = DecisionComparison<Domain>(outcome.real, outcome.imagined, at: outcome.moment)
    (decisions, decisionCount) = (comparison.differences, comparison.count)
    self.asked = asked.map {
      Asked(
        text: $0.question.text, intervals: $0.intervals, isOverfull: $0.isOverfull, everDiffers: $0.everDiffers)
    }
    affected = outcome.affected.map { AffectedEvents($0, words) }
  }

  private static func write<Domain: RedecidingDomain>(
    _ history: History<Domain>, after sequence: UInt64, _ edits: HistoryEdits<Domain>, to target: ImaginedPlace,
    _ imagine: (
      @escaping (ImaginedEvent<Domain.Event>, Renumbering, Domain.State?) throws(HistoryError) -> Void
    ) throws(WhatIfError) -> Void
  ) throws(WhatIfError) {
    let journal: ImaginedJournal<Domain>
    do throws(HistoryError) {
      journal = try ImaginedJournal(
        at: target.path, imagining: history, after: sequence, edits, words: target.words,
        createdNanoseconds: target.createdNanoseconds, fileSystem: target.fileSystem)
    } catch {
      throw .history(error)
    }
    do throws(WhatIfError) {
      try imagine { (event, numbering, state) throws(HistoryError) in try journal.append(event, numbering, state) }
      do throws(HistoryError) {
        try journal.finish { () throws(JournalError) in
          try ExportOrigin.carryOver(from: history.reader.path, to: target.path, target.fileSystem)
        }
      } catch {
        throw .history(error)
      }
    } catch {
      journal.abandon(with: [ExportOrigin.fileName])
      throw error
    }
  }
}

/// Events that rest on what differs in an imagined history: see `AffectedDecision`, of which these are the contents.
@usableFromInline
package struct AffectedEvents: Sendable {
  /// How an effect on a decision is known.
  package enum Basis: String, CaseIterable, Sendable {
    case redecided, refolded, possible
  }

  package let events: ClosedRange<UInt64>
  /// The names of their types.
  package let types: [String]
  package let basis: Basis
  package let hasNoEffect: Bool
  /// What would be otherwise, and how that is known.
  package let text: String
  /// The types of the events that would have come instead.
  package private(set) var would: [String]?
  /// The rule that refuses, and why.
  package private(set) var refusedBy, reason: String?
  /// The part of the state that differs.
  package private(set) var path: String?
  /// The cause that did not happen as recorded.
  package private(set) var cause: UInt64?

  init<Domain: RedecidingDomain>(_ decision: AffectedDecision<Domain>, _ words: WhatIfWords<Domain>) {
    (events, hasNoEffect) = (decision.events, decision.hasNoEffect)
    (types, text) = (decision.recorded.map(WhatIfWords<Domain>.type), words.sentence(decision))
    switch decision.basis {
    case .redecided(.events(let events)): (basis, would) = (.redecided, events.map(WhatIfWords<Domain>.type))
    case .redecided(.refused(let rule, let reason)): (basis, refusedBy, self.reason) = (.redecided, rule, reason)
    case .refolded: basis = .refolded
    case .possible(let path): (basis, self.path) = (.possible, path)
    case .orphaned(let cause): (basis, self.cause) = (.possible, cause)
    }
  }
}
