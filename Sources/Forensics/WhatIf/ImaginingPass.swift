import EventSourcing

/// Folds the real history and the imagined one side by side.
@usableFromInline
struct ImaginingPass<Domain: RedecidingDomain> {
  @usableFromInline let edits: HistoryEdits<Domain>
  @usableFromInline let limit: Int
  @usableFromInline let differ = StateDiffer()
  /// Whether the histories have parted. Until then the imagined state is the real one.
  @usableFromInline var isParted = false
  /// The imagined state, once they have.
  @usableFromInline var state: Domain.State
  /// The last event of the imagined history.
  @usableFromInline var sequence: UInt64
  @usableFromInline var real: Domain.State
  @usableFromInline var realLast: UInt64
  @usableFromInline var moment: Moment
  @usableFromInline var partsAt: UInt64?
  @usableFromInline var counts = WhatIf<Domain>.Counts()
  @usableFromInline var affected: [AffectedDecision<Domain>] = []
  @usableFromInline var tally = WhatIf<Domain>.Tally()
  @usableFromInline var numbering: Renumbering
  @usableFromInline var refusal: WhatIfError?
  /// The decision whose events are being read, behind the place where the histories part.
  @usableFromInline var decision: Redeciding<Domain>?
  @usableFromInline var isBetweenBatches = true
  /// Whether the states are the same but for the numbers of events: until the next edit, no decision can be another one.
  @usableFromInline var isSame = false
  /// How many decisions are judged until that is looked at again, and how many the next time.
  @usableFromInline var untilComparison = 1
  @usableFromInline var pause = 1
  /// The ranges of dropped events, and the one that was reached.
  @usableFromInline let ranges: [ClosedRange<UInt64>]
  @usableFromInline var range = 0

  @inlinable
  init(
    _ edits: HistoryEdits<Domain>, _ state: Domain.State, after first: (sequence: UInt64, moment: Moment), limit: Int
  ) {
    (self.edits, self.limit, real) = (edits, limit, state)
    self.state = edits.beginning(state, after: first.sequence)
    (sequence, realLast, moment) = (first.sequence, first.sequence, first.moment)
    numbering = Renumbering(same: first.sequence)
    ranges = edits.ranges
    guard self.state != real else { return }
    (isParted, partsAt, counts.rewritesBeginning) = (true, first.sequence + 1, true)
  }

  /// Takes in the next event of the real history, and returns what the imagined one has in its place: the event, if it stays
  /// there, and what comes behind or instead of it.
  @inlinable
  mutating func take(
    _ step: HistoryStep<Domain>
  ) -> (kept: ImaginedEvent<Domain.Event>?, others: [ImaginedEvent<Domain.Event>]) {
    let record = step.record
    realLast = record.sequence
    moment = record.envelope.moment
    if isBetweenBatches {
      decision = nil
      if isParted, !isSame, let before = step.before {
        decision = Redeciding(
          real: before, imagined: state, first: record.sequence, firstImagined: sequence + 1)
      }
    }
    isBetweenBatches = record.isLastOfBatch
    var kept: ImaginedEvent<Domain.Event>?
    var others: [ImaginedEvent<Domain.Event>] = []
    let fate = edits.fate(of: record, ranges, &range)
    if case .kept = fate { kept = keep(step) } else { others = edit(fate, step) }
    if let after = step.after { real = after }
    if !edits.additions.isEmpty, edits.additions[record.sequence] != nil {
      decision?.isEdited = true
      others += add(after: record.sequence, real: real, at: moment)
    }
    if record.isLastOfBatch { judge() }
    return (kept, others)
  }

  /// An event that stays, as it was or rewritten.
  @inlinable
  mutating func keep(_ step: HistoryStep<Domain>) -> ImaginedEvent<Domain.Event> {
    let record = step.record
    var event = record.event
    var isRewritten = false
    for rewriting in edits.rewritings {
      guard let known = event, let before = isParted ? state : step.before else { break }
      guard let other = rewriting(known, before), other != known else { continue }
      (event, isRewritten) = (other, true)
    }
    if isRewritten {
      part(at: record.sequence, from: step.before)
      counts.rewritten += 1
      decision?.isEdited = true
    }
    sequence += 1
    numbering.note(record.sequence, is: sequence)
    if let event {
      if isParted { Domain.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment)) }
      decision?.events.append(event)
    } else {
      decision?.isEdited = true
    }
    return ImaginedEvent(
      sequence, isRewritten ? .rewritten(record.sequence) : .kept(record.sequence), at: moment, record.envelope, event,
      isLastOfBatch: record.isLastOfBatch)
  }

  @usableFromInline
  mutating func edit(
    _ fate: HistoryEdits<Domain>.Fate, _ step: HistoryStep<Domain>
  ) -> [ImaginedEvent<Domain.Event>] {
    part(at: step.record.sequence, from: step.before)
    decision?.isEdited = true
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
      let events = put(
        content, .replaced(step.record.sequence), at: step.record.envelope.moment, after: step.record.sequence)
      if sequence > before { numbering.note(step.record.sequence, is: before + 1) }
      return events
    }
  }

  /// Puts what is moved or inserted behind an event, and returns its events.
  @usableFromInline
  mutating func add(after place: UInt64, real: Domain.State, at moment: Moment) -> [ImaginedEvent<Domain.Event>] {
    guard let additions = edits.additions[place] else { return [] }
    part(at: place + 1, from: real)
    var emitted: [ImaginedEvent<Domain.Event>] = []
    for record in additions.moved {
      let moment = record.envelope.moment
      sequence += 1
      numbering.noteMoved(record.sequence, to: sequence)
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
      switch Redeciding<Domain>.decide(command, in: state, at: EventContext(sequence: sequence + 1, moment: time)) {
      case .events(let decided): events = decided
      case .refused(let rule, let reason):
        events = []
        refusal = .refused(after: place, rule: rule, reason: reason)
      }
    }
    return events.indices.map { index in
      sequence += 1
      Domain.reduce(into: &state, events[index], EventContext(sequence: sequence, moment: time))
      return ImaginedEvent(
        sequence, origin, at: time, nil, events[index], isLastOfBatch: index == events.indices.last)
    }
  }

  /// Passes on the events of one place.
  @usableFromInline
  func emit(
    _ kept: ImaginedEvent<Domain.Event>?, _ others: [ImaginedEvent<Domain.Event>],
    _ emit: (ImaginedEvent<Domain.Event>, Renumbering, Domain.State?) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    let events = (kept.map { [$0] } ?? []) + others
    for (index, event) in events.enumerated() {
      try emit(event, numbering, index == events.count - 1 ? isParted ? state : real : nil)
    }
  }

  /// The histories part, if they have not.
  @usableFromInline
  mutating func part(at place: UInt64, from before: Domain.State?) {
    (isSame, untilComparison, pause) = (false, 1, 1)
    guard !isParted, let before else { return }
    (isParted, state, partsAt) = (true, before, place)
  }

  @inlinable
  mutating func judge() {
    guard let decision else { return }
    let found = decision.judged(at: moment, later: real, imaginedLater: state, numbering, differ)
    self.decision = nil
    tally.judged += 1
    compare()
    guard let found else { return }
    switch found.basis {
    case .redecided: tally.redecided += 1
    case .refolded: tally.refolded += 1
    case .possible: tally.possible += 1
    }
    if affected.count < limit { affected.append(found) }
  }

  /// Finds out whether the states are the same again, ever more seldom as long as they are not.
  @usableFromInline
  mutating func compare() {
    untilComparison -= 1
    guard untilComparison <= 0 else { return }
    isSame = numbering.isSame(real, state)
    pause = min(2 * pause, Self.longestPause)
    untilComparison = pause
  }

  private static var longestPause: Int { 1024 }
}
