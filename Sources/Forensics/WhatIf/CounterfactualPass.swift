import EventSourcing

/// Folds the real history and the imagined one side by side.
///
/// A decision is judged before its events are folded, so that nothing is copied where it stays what it was.
@usableFromInline
struct CounterfactualPass<Domain: RedecidingDomain> {
  /// Receives an event of the imagined history; ``WhatIf`` says more.
  @usableFromInline typealias Emission = (ImaginedEvent<Domain.Event>, Renumbering, Domain.State?) throws(HistoryError)
    -> Void
  /// Receives an event of the real history.
  @usableFromInline typealias Observation = (RecordedEvent<Domain.Event>, Domain.State, Domain.State?) -> Void

  @usableFromInline let edits: HistoryEdits<Domain>
  @usableFromInline let limit: Int
  @usableFromInline let emission: Emission?
  @usableFromInline let observation: Observation?
  @usableFromInline let differ = StateDiffer()
  /// The imagined events of the decision at hand, until it is known which of them is its last.
  @usableFromInline var waiting: [Waiting] = []
  /// Whether the histories have diverged. Until then the imagined state is the real one.
  @usableFromInline var isParted = false
  /// The imagined state, once they have.
  @usableFromInline var state: Domain.State
  /// The last event of the imagined history.
  @usableFromInline var sequence: UInt64
  @usableFromInline var realLast: UInt64
  @usableFromInline var moment: Moment
  @usableFromInline var partsAt: UInt64?
  @usableFromInline var counts = WhatIf<Domain>.Counts()
  @usableFromInline var affected: [AffectedDecision<Domain>] = []
  @usableFromInline var tally = WhatIf<Domain>.Tally()
  @usableFromInline var numbering: Renumbering
  @usableFromInline var refusal: WhatIfError?
  /// The replaced events that are other ones: at most as many as there are edits.
  @usableFromInline var altered: Set<UInt64> = []
  /// Whether an edit is among the events at hand, so that they are not a decision of the imagined history.
  @usableFromInline var isEdited = false
  /// Whether the states are the same but for the numbers of events: until the next edit, no decision can be another one.
  @usableFromInline var isSame = false
  /// How many decisions are judged until that is looked at again, and how many the next time.
  @usableFromInline var untilComparison = 1
  @usableFromInline var pause = 1
  /// What differs between the states in which decisions were judged.
  @usableFromInline var standing: StandingDifference<Domain>
  /// The ranges of dropped events, and the one that was reached.
  @usableFromInline let ranges: [ClosedRange<UInt64>]
  @usableFromInline var range = 0

  @inlinable
  init(
    _ edits: HistoryEdits<Domain>, _ state: Domain.State, after first: (sequence: UInt64, moment: Moment), limit: Int,
    observing observation: Observation?, emitting emission: Emission?
  ) {
    (self.edits, self.limit, self.observation, self.emission) = (edits, limit, observation, emission)
    self.state = edits.beginning(state, after: first.sequence)
    (sequence, realLast, moment) = (first.sequence, first.sequence, first.moment)
    numbering = Renumbering(same: first.sequence)
    standing = StandingDifference()
    ranges = edits.ranges
    guard self.state != state else { return }
    (isParted, partsAt, counts.rewritesBeginning) = (true, first.sequence + 1, true)
  }

  /// Adds what comes before the first event.
  @usableFromInline
  mutating func begin(at state: Domain.State) throws(HistoryError) {
    let additions = add(after: realLast, real: state, at: moment)
    if emission != nil { wait(for: [], additions, state) }
    try emit(endingDecision: true)
  }

  /// Follows the next events of the real history: those of one decision, or the first of them if no more are looked at.
  @inlinable
  mutating func follow(
    _ batch: [ReadEvent<Domain.Event>], from cursor: inout HistoryCursor<Domain>
  ) throws(HistoryError) {
    let isJudged = isParted && !isSame && batch.last?.isLastOfBatch ?? false
    let doubt: Doubt = isJudged ? doubt(about: batch, cursor) : .none
    isEdited = false
    var rest: DecisionReplay<Domain>?
    var orphan: Orphan?
    var isBroken = false
    for index in batch.indices {
      let record = batch[index]
      realLast = record.sequence
      moment = record.moment
      var kept: ImaginedEvent<Domain.Event>?
      var others: [ImaginedEvent<Domain.Event>] = []
      var additions: [ImaginedEvent<Domain.Event>] = []
      let fate = edits.fate(of: record, ranges, &range)
      if case .kept = fate {
        if isBroken, rest == nil { rest = self.rest(of: batch[index...], cursor.reached) }
        if orphan != nil {
          orphan?.add(record)
        } else if isAbsent(record.cause) {
          orphan = Orphan(record)
        }
        kept = keep(record, cursor)
      } else {
        others = edit(fate, record, cursor.reached)
        isBroken = true
      }
      try cursor.fold(record)
      if !edits.additions.isEmpty, edits.additions[record.sequence] != nil {
        isEdited = true
        additions = add(after: record.sequence, real: cursor.reached, at: moment)
      }
      if emission != nil { wait(for: kept.map { [$0] } ?? others, additions, cursor.reached) }
      if let observation, let whole = record.record { observation(whole, cursor.reached, isParted ? state : nil) }
    }
    if emission != nil { try emit(endingDecision: batch.last?.isLastOfBatch ?? false) }
    var changed = cursor.takeChangedSlices()
    changed.formUnion(state.takeChangedSlices() ?? ChangedSlices())
    standing.invalidate(changed)
    var found = rest.flatMap { rest in
      cursor.withReached { rest.affected(later: $0, imaginedLater: state, changed, numbering, differ, &standing) }
    }
    if isJudged { found = judge(doubt, changed, cursor) ?? found }
    if case .counted = doubt, !isEdited {
      tally.redecided += 1
    } else {
      count(orphan.map { $0.affected(or: found) } ?? found)
    }
  }

  /// Whether the event that another one names as its cause is not before it, or is another one.
  @inlinable
  func isAbsent(_ cause: UInt64) -> Bool {
    guard cause > 0, isParted, counts.dropped > 0 || counts.moved > 0 || !altered.isEmpty else { return false }
    return altered.contains(cause) || numbering.place(of: cause) == .absent
  }

  /// What is left of a decision from its first event that stays after one that does not.
  @usableFromInline
  func rest(of batch: ArraySlice<ReadEvent<Domain.Event>>, _ real: Domain.State) -> DecisionReplay<Domain>? {
    var events: [Domain.Event] = []
    var (last, place) = (UInt64(0), range)
    for read in batch {
      guard case .kept = edits.fate(of: read, ranges, &place) else { continue }
      guard let event = read.event else { return nil }
      events.append(event)
      last = read.sequence
    }
    return batch.first.map {
      DecisionReplay(restFrom: $0.sequence, to: last, events, real: real, imagined: state)
    }
  }

  /// An event that stays, as it was or rewritten; `nil` if it has no recipient.
  @inlinable
  mutating func keep(
    _ record: ReadEvent<Domain.Event>, _ cursor: borrowing HistoryCursor<Domain>
  ) -> ImaginedEvent<Domain.Event>? {
    var event = record.event
    var isRewritten = false
    for rewriting in edits.rewritings {
      guard let known = event else { break }
      let other = isParted ? rewriting(known, state) : cursor.withReached { rewriting(known, $0) }
      guard let other, other != known else { continue }
      (event, isRewritten) = (other, true)
    }
    if isRewritten {
      part(at: record.sequence, from: cursor.reached)
      counts.rewritten += 1
      isEdited = true
    }
    sequence += 1
    numbering.record(record.sequence, is: sequence)
    if let event, isParted {
      Domain.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
    }
    guard emission != nil else { return nil }
    return ImaginedEvent(
      sequence, isRewritten ? .rewritten(record.sequence) : .kept(record.sequence), at: moment, record.record?.envelope,
      event,
      isLastOfBatch: record.isLastOfBatch)
  }

  /// What stands in the place of an event that does not stay.
  ///
  /// - Parameter before: The real state before it.
  @usableFromInline
  mutating func edit(
    _ fate: HistoryEdits<Domain>.Fate, _ record: ReadEvent<Domain.Event>, _ before: Domain.State
  ) -> [ImaginedEvent<Domain.Event>] {
    part(at: record.sequence, from: before)
    isEdited = true
    switch fate {
    case .kept: return []
    case .movedAway:
      counts.moved += 1
      return []
    case .dropped:
      counts.dropped += 1
      return []
    case .replaced(let content):
      counts.replaced += 1
      let before = sequence
      let events = put(content, .replaced(record.sequence), at: record.moment, after: record.sequence)
      if sequence > before { numbering.record(record.sequence, is: before + 1) }
      if record.event == nil || events.first?.event != record.event { altered.insert(record.sequence) }
      return events
    }
  }

  /// Puts what is moved or inserted after an event, and returns its events.
  @usableFromInline
  mutating func add(after place: UInt64, real: Domain.State, at moment: Moment) -> [ImaginedEvent<Domain.Event>] {
    guard let additions = edits.additions[place] else { return [] }
    part(at: place + 1, from: real)
    var emitted: [ImaginedEvent<Domain.Event>] = []
    for record in additions.moved {
      let moment = record.envelope.moment
      sequence += 1
      numbering.recordMove(record.sequence, to: sequence)
      if let event = record.event {
        Domain.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
      }
      emitted.append(
        ImaginedEvent(
          sequence, .moved(record.sequence), at: moment, record.envelope, record.event, isLastOfBatch: true))
    }
    for content in additions.contents where refusal == nil {
      let events = put(content, .added, at: moment, after: place)
      counts.added += UInt64(events.count)
      emitted += events
    }
    return emitted
  }

  private mutating func put(
    _ content: HistoryEdits<Domain>.Content, _ origin: ImaginedEvent<Domain.Event>.Origin, at moment: Moment,
    after place: UInt64
  ) -> [ImaginedEvent<Domain.Event>] {
    let (events, time): ([Domain.Event], Moment)
    switch content {
    case .event(let event, let own): (events, time) = ([event], own ?? moment)
    case .command(let command, let own):
      time = own ?? moment
      switch DecisionReplay<Domain>.decide(command, in: state, at: EventContext(sequence: sequence + 1, moment: time)) {
      case .events(let decided): events = decided
      case .refused(let rule, let reason):
        events = []
        refusal = refusal ?? .refused(after: place, rule: rule, reason: reason)
      }
    }
    return events.indices.map { index in
      sequence += 1
      Domain.reduce(into: &state, events[index], EventContext(sequence: sequence, moment: time))
      return ImaginedEvent(
        sequence, origin, at: time, nil, events[index], isLastOfBatch: index == events.indices.last)
    }
  }

  /// An imagined event that is not passed on yet.
  @usableFromInline
  struct Waiting: Sendable {
    var event: ImaginedEvent<Domain.Event>
    /// The state after it; `nil` where further events take the same place.
    let state: Domain.State?
    /// Whether it stands in the place of one of the decision's events, and is not a decision of its own.
    let isOfDecision: Bool
  }

  /// Keeps the events of one place until the decision ends.
  ///
  /// - Parameters:
  ///   - events: Those of the decision.
  ///   - additions: What is put after them.
  ///   - real: The real state after them.
  @usableFromInline
  mutating func wait(
    for events: [ImaginedEvent<Domain.Event>], _ additions: [ImaginedEvent<Domain.Event>], _ real: Domain.State
  ) {
    let all = events + additions
    for (index, event) in all.enumerated() {
      waiting.append(
        Waiting(
          event: event, state: index == all.count - 1 ? isParted ? state : real : nil,
          isOfDecision: index < events.count))
    }
  }

  /// Passes on the events of a decision. Its end is its last event that is left, and what is put into it divides it.
  ///
  /// - Parameter isEnd: Whether all events of the decision were read.
  @usableFromInline
  mutating func emit(endingDecision isEnd: Bool) throws(HistoryError) {
    guard let emission else { return }
    for index in waiting.indices {
      var event = waiting[index].event
      if waiting[index].isOfDecision {
        event.isLastOfBatch = index + 1 < waiting.count ? !waiting[index + 1].isOfDecision : isEnd
      }
      try emission(event, numbering, waiting[index].state)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// The histories part, if they have not.
  @inlinable
  mutating func part(at place: UInt64, from before: @autoclosure () -> Domain.State) {
    (isSame, untilComparison, pause) = (false, 1, 1)
    guard !isParted else { return }
    (isParted, state, partsAt) = (true, before(), place)
  }

  /// What is known of a decision before its events are folded.
  @usableFromInline
  enum Doubt {
    /// It stays what it was, or cannot be looked at.
    case none
    /// It is another one, and only counted: as many as were asked for are named.
    case counted
    /// It is another one, or may be.
    case about(DecisionReplay<Domain>)
  }

  /// Decides again what led to events that are not folded yet.
  @inlinable
  func doubt(
    about batch: [ReadEvent<Domain.Event>], _ cursor: borrowing HistoryCursor<Domain>
  ) -> Doubt {
    var events: [Domain.Event] = []
    events.reserveCapacity(batch.count)
    // A key path would be made again for each decision.
    for read in batch { if let event = read.event { events.append(event) } }
    guard events.count == batch.count, let first = batch.first, let last = batch.last else { return .none }
    return cursor.withReached { real in
      let result = DecisionReplay<Domain>.redecide(
        events, real: real, imagined: state, first: first.sequence, firstImagined: sequence + 1, at: last.moment)
      let basis: AffectedDecision<Domain>.Basis?
      switch result {
      case .same: return .none
      case .other where affected.count >= limit: return .counted
      case .other(let outcome): basis = .redecided(outcome)
      case .unknown: basis = nil
      }
      return .about(DecisionReplay(events, basis, real: real, imagined: state, first: first.sequence))
    }
  }

  /// How a decision that is named is affected, once its events are folded.
  @inlinable
  mutating func judge(
    _ doubt: Doubt, _ changed: ChangedSlices, _ cursor: borrowing HistoryCursor<Domain>
  ) -> AffectedDecision<Domain>? {
    var found: AffectedDecision<Domain>?
    if case .about(let decision) = doubt, !isEdited {
      found = cursor.withReached { later in
        decision.affected(later: later, imaginedLater: state, changed, numbering, differ, &standing)
      }
    }
    tally.judged += 1
    untilComparison -= 1
    if untilComparison <= 0 { compare(with: cursor.reached) }
    return found
  }

  @usableFromInline
  mutating func count(_ found: AffectedDecision<Domain>?) {
    guard let found else { return }
    switch found.basis {
    case .redecided: tally.redecided += 1
    case .refolded: tally.refolded += 1
    case .possible: tally.possible += 1
    case .orphaned: tally.orphaned += 1
    }
    if affected.count < limit { affected.append(found) }
  }

  /// Finds out whether the states are the same again, ever more seldom as long as they are not.
  @usableFromInline
  mutating func compare(with real: Domain.State) {
    // What is known to differ is found without going through all values.
    isSame =
      standing.first(concerning: [], from: real, to: state, numbering, differ) == nil
      && numbering.isSame(real, state)
    pause = min(2 * pause, Self.longestPause)
    untilComparison = pause
  }

  private static var longestPause: Int { 1024 }
}
