import EventSourcing

/// The events that gave the values at some paths of a state what they are.
///
/// Memory grows with the number of values, not with the history.
///
/// ```swift
/// let blame = try Blame(of: PathPattern(Glob("/policies/a1/version")), in: history, upTo: 46, state: state)
/// blame.values.first?.writes.first?.sequence  // the event that last changed it
/// ```
public struct Blame<Machine: Reducer>: Sendable {
  /// An event that set a value.
  public typealias Write = BlamedWrite
  /// A value, and who set it.
  public typealias Value = BlamedValue

  /// The values that match, set or once set: first those that the state has, in its order, then those that vanished, the latest
  /// first.
  public var values: [Value] = []
  /// Whether more values match than are kept track of. Then ``values`` is empty.
  public var isOverfull = false

  /// Reads a history from its first known state to a position.
  ///
  /// - Parameters:
  ///   - pattern: Which values.
  ///   - history: The history.
  ///   - sequence: The event after which the values are asked for.
  ///   - state: The state there.
  ///   - limit: The most events named for each value.
  ///   - countsRepeats: Whether an event counts that would have set the value to what it already was. Such an event is found
  ///     by folding it into the state before the value's last change: if the value becomes what it became then, the event sets it.
  @inlinable
  public init(
    of pattern: PathPattern, in history: History<Machine>, upTo sequence: UInt64, state: Machine.State,
    limit: Int = 10, countsRepeats: Bool = false
  ) throws(HistoryError) {
    var trace = BlameTrace<Machine>(pattern, limit: limit)
    if sequence >= history.firstSequence {
      let differ = StateDiffer()
      var reader = try LogReader(history, upTo: sequence)
      if countsRepeats {
        while !trace.isOverfull, let item = try reader.next() {
          if case .event(let step) = item { trace.record(step, differ) }
        }
      } else {
        _ = try reader.cursor.forEachEvent(upTo: sequence, watching: trace.slices) { event, before, after in
          trace.record(event, before, after, differ)
          return !trace.isOverfull
        }
      }
    }
    isOverfull = trace.isOverfull
    guard !isOverfull else { return }
    for leaf in trace.slices.flatMap({ state.tree(ofSlice: $0).leaves(under: "/" + Machine.State.sliceNames[$0]) })
    where pattern.matches(leaf.path) {
      let known = trace.removeRecord(at: leaf.path)
      guard leaf.value != .unset || known != nil else { continue }
      values.append(
        Value(leaf.path, leaf.value == .unset ? nil : leaf.value, known?.newestFirst ?? [], count: known?.count ?? 0))
    }
    values += trace.allRecords.map { Value($0, nil, $1.newestFirst, count: $1.count) }.sorted { one, other in
      let (first, second) = (one.writes.first?.sequence ?? 0, other.writes.first?.sequence ?? 0)
      return first == second ? one.path < other.path : first > second
    }
    isOverfull = values.count > Value.maximumCount
    if isOverfull { values = [] }
  }
}
