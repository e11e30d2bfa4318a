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
  /// In the order in which the values were first set.
  @usableFromInline var records: [Record] = []
  /// The place of each value's record by its path, of those seen so far; `nil` if the path does not match.
  @usableFromInline var places: [String: Int?] = [:]
  /// By the event that last changed their values.
  @usableFromInline var trials: [UInt64: Trial] = [:]
  /// The event that last changed each value, by path.
  @usableFromInline var lastChanges: [String: UInt64] = [:]
  @usableFromInline var isOverfull = false
  /// The names of types, as far as their events changed anything.
  @usableFromInline var typeNames: [UInt32: String] = [:]

  @inlinable
  init(_ pattern: PathPattern, limit: Int) {
    (self.pattern, self.limit) = (pattern, limit)
    slices = pattern.slices(of: Machine.State.sliceNames)
  }

  /// Records what an event changed.
  @inlinable
  mutating func record(
    _ event: PassedEvent<Machine.Event>, _ before: borrowing Machine.State, _ after: borrowing Machine.State,
    _ differ: StateDiffer
  ) {
    differ.forEachChange(from: before, to: after, inSlices: slices, among: event.changed) { change in
      guard let place = place(of: change.path) else { return }
      add(write(change, event.sequence, typeName(of: event), event.moment), at: place)
    }
  }

  @inlinable
  mutating func typeName(of event: PassedEvent<Machine.Event>) -> String {
    if let known = typeNames[event.type] { return known }
    let name = event.typeName
    typeNames[event.type] = name
    return name
  }

  /// Records what an event changed, and what it set to what it already was.
  @inlinable
  mutating func record(_ step: HistoryStep<Machine>, _ differ: StateDiffer) {
    guard let diff = step.withStates({ before, after in differ.changes(from: before, to: after, inSlices: slices) })
    else { return }
    var changed: Set<String> = []
    for change in diff.changes {
      guard let place = place(of: change.path) else { continue }
      add(write(change, step.record.sequence, step.record.typeName, step.record.envelope.moment), at: place)
      changed.insert(change.path)
    }
    recordRepeats(step, except: changed, differ)
    guard !changed.isEmpty, let before = step.before else { return }
    for path in changed {
      if let last = lastChanges[path] { trials[last]?.values[path] = nil }
      lastChanges[path] = step.record.sequence
    }
    trials = trials.filter { !$0.value.values.isEmpty }
    var trial = Trial(before: before)
    for change in diff.changes where changed.contains(change.path) { trial.values[change.path] = .some(change.after) }
    trials[step.record.sequence] = trial
    if lastChanges.count > BlamedValue.maximumTried { isOverfull = true }
  }

  /// The place of a value's record; `nil` if its path does not match. Matching costs more than remembering what matches.
  @inlinable
  mutating func place(of path: String) -> Int? {
    if let known = places[path] { return known }
    guard pattern.matches(path) else {
      if places.count - records.count < BlamedValue.maximumCount { places[path] = .some(nil) }
      return nil
    }
    places[path] = records.count
    records.append(Record())
    if records.count > BlamedValue.maximumCount { isOverfull = true }
    return records.count - 1
  }

  @inlinable
  func write(
    _ change: StateChange, _ sequence: UInt64, _ type: String, _ moment: Moment
  ) -> Blame<Machine>.Write {
    Blame<Machine>.Write(
      sequence: sequence, type: type, wallNanoseconds: moment.wallNanoseconds, before: change.before,
      after: change.after)
  }

  @inlinable
  mutating func add(_ write: Blame<Machine>.Write, at place: Int) {
    records[place].add(write, limit: limit)
  }

  /// What is known of a value, which is left out from then on.
  @inlinable
  mutating func removeRecord(at path: String) -> Record? {
    guard let place = places.removeValue(forKey: path), let place else { return nil }
    return records[place]
  }

  /// What is known of each value, in no order.
  @inlinable var allRecords: [(path: String, record: Record)] {
    places.compactMap { path, place in place.map { (path, records[$0]) } }
  }

  /// Folds the event into the states before the last changes: where it leads to the same values, it sets them.
  @inlinable
  mutating func recordRepeats(
    _ step: HistoryStep<Machine>, except changed: Set<String>, _ differ: StateDiffer
  ) {
    guard let event = step.record.event else { return }
    let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
    for (_, trial) in trials.sorted(by: { $0.key < $1.key }) {
      var state = trial.before
      Machine.reduce(into: &state, event, context)
      for change in differ.changes(from: trial.before, to: state, inSlices: slices).changes
      where !changed.contains(change.path) {
        guard let value = trial.values[change.path], value == change.after, let place = place(of: change.path)
        else { continue }
        add(
          Blame<Machine>.Write(
            sequence: step.record.sequence, type: step.record.typeName,
            wallNanoseconds: step.record.envelope.moment.wallNanoseconds, before: value, after: value),
          at: place)
      }
    }
  }
}
