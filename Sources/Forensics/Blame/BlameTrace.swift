import EventSourcing

/// Follows values through a history.
@usableFromInline
struct BlameTrace<Machine: Reducer>: Sendable {
  /// What is known of one value.
  @usableFromInline
  struct Record: Sendable {
    /// The last events that set it, up to the limit: a ring once there are more.
    @usableFromInline var ring: [Blame<Machine>.Write] = []
    /// The place of the oldest one in the ring.
    @usableFromInline var oldest = 0
    /// How many events set it.
    @usableFromInline var count: UInt64 = 0

    @inlinable
    init() {}

    @inlinable
    mutating func add(_ write: Blame<Machine>.Write, limit: Int) {
      count += 1
      guard limit > 0 else { return }
      if ring.count < limit { return ring.append(write) }
      ring[oldest] = write
      oldest = (oldest + 1) % ring.count
    }

    /// The events, newest first.
    @inlinable var newestFirst: [Blame<Machine>.Write] { (ring[oldest...] + ring[..<oldest]).reversed() }
  }

  /// The state before an event, and the values that the event gave to what no later event changed.
  @usableFromInline
  struct Trial: Sendable {
    @usableFromInline let before: Machine.State
    @usableFromInline var values: [String: StateValue?] = [:]

    @inlinable
    init(before: Machine.State) {
      self.before = before
    }
  }

  @usableFromInline let pattern: PathPattern
  @usableFromInline let limit: Int
  /// The slices that the pattern can match.
  @usableFromInline let slices: [Int]
  /// By path.
  @usableFromInline var records: [String: Record] = [:]
  /// By the event that last changed their values.
  @usableFromInline var trials: [UInt64: Trial] = [:]
  /// The event that last changed each value, by path.
  @usableFromInline var lastChanges: [String: UInt64] = [:]
  @usableFromInline var isOverfull = false
  /// Whether paths match, of those seen so far.
  @usableFromInline var known: [String: Bool] = [:]
  /// The names of types, as far as their events changed anything.
  @usableFromInline var typeNames: [UInt32: String] = [:]

  @inlinable
  init(_ pattern: PathPattern, limit: Int) {
    (self.pattern, self.limit) = (pattern, limit)
    slices = pattern.slices(of: Machine.State.sliceNames)
  }

  /// Notes what an event changed.
  @inlinable
  mutating func note(
    _ event: PassedEvent<Machine.Event>, _ before: borrowing Machine.State, _ after: borrowing Machine.State,
    _ differ: StateDiffer
  ) {
    differ.forEachChange(from: before, to: after, inSlices: slices) { change in
      guard matches(change.path) else { return }
      let type = typeNames[event.type] ?? event.typeName
      typeNames[event.type] = type
      note(change, event.sequence, type, event.moment)
    }
  }

  /// Notes what an event changed, and what it set to what it already was.
  @inlinable
  mutating func note(_ step: HistoryStep<Machine>, _ differ: StateDiffer) {
    guard let diff = step.withStates({ before, after in differ.changes(from: before, to: after, inSlices: slices) })
    else { return }
    var changed: Set<String> = []
    for change in diff.changes where matches(change.path) {
      note(change, step.record.sequence, step.record.typeName, step.record.envelope.moment)
      changed.insert(change.path)
    }
    noteRepeats(step, except: changed, differ)
    guard !changed.isEmpty, let before = step.before else { return }
    for path in changed {
      if let last = lastChanges[path] { trials[last]?.values[path] = nil }
      lastChanges[path] = step.record.sequence
    }
    trials = trials.filter { !$0.value.values.isEmpty }
    var trial = Trial(before: before)
    for change in diff.changes where changed.contains(change.path) { trial.values[change.path] = .some(change.after) }
    trials[step.record.sequence] = trial
    if lastChanges.count > Blame<Machine>.maximumTried { isOverfull = true }
  }

  @inlinable
  mutating func matches(_ path: String) -> Bool {
    if let isMatch = known[path] { return isMatch }
    let isMatch = pattern.matches(path)
    if known.count < Blame<Machine>.maximumValues { known[path] = isMatch }
    return isMatch
  }

  @inlinable
  mutating func note(_ change: StateChange, _ sequence: UInt64, _ type: String, _ moment: Moment) {
    add(
      Blame<Machine>.Write(
        sequence: sequence, type: type, wallNanoseconds: moment.wallNanoseconds, before: change.before,
        after: change.after),
      to: change.path)
  }

  @inlinable
  mutating func add(_ write: Blame<Machine>.Write, to path: String) {
    records[path, default: Record()].add(write, limit: limit)
    if records.count > Blame<Machine>.maximumValues { isOverfull = true }
  }

  /// Folds the event into the states before the last changes: where it leads to the same values, it sets them.
  @inlinable
  mutating func noteRepeats(
    _ step: HistoryStep<Machine>, except changed: Set<String>, _ differ: StateDiffer
  ) {
    guard let event = step.record.event else { return }
    let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
    for (_, trial) in trials.sorted(by: { $0.key < $1.key }) {
      var state = trial.before
      Machine.reduce(into: &state, event, context)
      for change in differ.changes(from: trial.before, to: state, inSlices: slices).changes
      where !changed.contains(change.path) {
        guard let value = trial.values[change.path], value == change.after else { continue }
        add(
          Blame<Machine>.Write(
            sequence: step.record.sequence, type: step.record.typeName,
            wallNanoseconds: step.record.envelope.moment.wallNanoseconds, before: value, after: value),
          to: change.path)
      }
    }
  }
}
