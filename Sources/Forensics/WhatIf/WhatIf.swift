import EventSourcing

/// A history that did not happen: a real one with other events, distinguished from it.
///
/// The events that stay are folded as they were; none is decided again. Which of them the rules would now decide otherwise is
/// reported instead. Memory does not grow with the history.
///
/// ```swift
/// var edits = HistoryEdits<Ledger>()
/// try edits.drop(41...41)
/// let outcome = try WhatIf(edits, in: history, from: state, after: (0, moment), upTo: 100)
/// outcome.imagined  // the state after event 100, had 41 not happened
/// ```
public struct WhatIf<Domain: RedecidingDomain>: Sendable {
  /// How many events were edited in each way.
  public typealias Counts = WhatIfCounts

  /// How many decisions are affected, by how that is known.
  public typealias Tally = WhatIfTally

  /// The state of the real history at the end.
  public var real: Domain.State
  /// The state of the imagined history at the end.
  public var imagined: Domain.State
  /// The last event of the real history that was read.
  public var realLast: UInt64
  /// The last event of the imagined history.
  public var imaginedLast: UInt64
  /// When questions are asked of both: the time of the last event of the real history.
  public var moment: Moment
  /// The event of the real history at which they part; `nil` if they do not.
  public var partsAt: UInt64?
  /// How many events were edited.
  public var counts = Counts()
  /// The first decisions that are affected, as many as were asked for.
  public var affected: [AffectedDecision<Domain>] = []
  /// How many are.
  public var tally = Tally()
  /// Which numbers the events have.
  public var numbering: Renumbering

  /// Reads a history and imagines the other one.
  ///
  /// - Parameters:
  ///   - edits: What is different.
  ///   - history: The real history.
  ///   - state: The state after `first`.
  ///   - first: The event to begin after, and when it was decided.
  ///   - last: The last event of the real history to read.
  ///   - limit: How many affected decisions to name.
  ///   - observe: Is called with each event of the real history, the state after it, and the imagined one there; `nil` for
  ///     that until the histories part.
  ///   - emit: Receives each event of the imagined history, in order, with the numbers known so far and the state after it;
  ///     `nil` for that where further events take the same place.
  @inlinable
  public init(
    _ edits: HistoryEdits<Domain>, in history: History<Domain>, from state: Domain.State,
    after first: (sequence: UInt64, moment: Moment), upTo last: UInt64, limit: Int = 100,
    observe: ((RecordedEvent<Domain.Event>, Domain.State, Domain.State?) -> Void)? = nil,
    emit: ((ImaginedEvent<Domain.Event>, Renumbering, Domain.State?) throws(HistoryError) -> Void)? = nil
  ) throws(WhatIfError) {
    var pass = CounterfactualPass(edits, state, after: first, limit: limit, observing: observe, emitting: emit)
    var real = state
    do throws(HistoryError) {
      try pass.begin(at: state)
      if first.sequence < last {
        var cursor = try history.cursor(after: first.sequence == 0 ? .start : .sequence(first.sequence))
        let isWhole = observe != nil || emit != nil || !edits.conditions.isEmpty
        var batch: [ReadEvent<Domain.Event>] = []
        while pass.refusal == nil, let record = try cursor.nextToFold(upTo: last, isWhole: isWhole) {
          batch.append(record)
          guard record.isLastOfBatch || record.sequence == last else { continue }
          try pass.follow(batch, from: &cursor)
          batch.removeAll(keepingCapacity: true)
        }
        if pass.refusal == nil { try pass.follow(batch, from: &cursor) }
        real = cursor.reached
      }
    } catch {
      throw .history(error)
    }
    if let refusal = pass.refusal { throw refusal }
    (self.real, realLast, moment) = (real, pass.realLast, pass.moment)
    imagined = pass.isParted ? pass.state : real
    (imaginedLast, partsAt) = (pass.sequence, pass.partsAt)
    (counts, affected, tally, numbering) = (pass.counts, pass.affected, pass.tally, pass.numbering)
  }

  /// What differs between the states at the end, apart from numbers by which they refer to the same events.
  public var difference: StateDiff {
    real.changes(to: imagined).leavingOut { numbering.isSame($0.before, $0.after) }
  }
}

/// Why a history could not be imagined.
public enum WhatIfError: Error {
  /// The real history cannot be read so far.
  case history(HistoryError)
  /// The rules refuse what was to be inserted after an event.
  case refused(after: UInt64, rule: String, reason: String)
}
