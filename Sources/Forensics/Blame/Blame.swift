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
  public struct Write: Equatable, Sendable {
    /// The event's number.
    public let sequence: UInt64
    /// The event's type.
    public let type: String
    /// When it was decided, in nanoseconds since 1970-01-01T00:00:00Z.
    public let wallNanoseconds: Int64
    /// The value before it; `nil` if there was none.
    public let before: StateValue?
    /// The value after it; `nil` if there is none.
    public let after: StateValue?

    @inlinable
    init(sequence: UInt64, type: String, wallNanoseconds: Int64, before: StateValue?, after: StateValue?) {
      (self.sequence, self.type, self.wallNanoseconds) = (sequence, type, wallNanoseconds)
      (self.before, self.after) = (before, after)
    }

    /// Whether it changed the value; otherwise it would have set the same value again.
    @inlinable public var isChange: Bool { before != after }
  }

  /// A value, and who set it.
  public struct Value: Equatable, Sendable {
    /// The value's path.
    public let path: String
    /// What it is; `nil` if it is not set.
    public let value: StateValue?
    /// The events that set it, newest first, at most as many as were asked for.
    public let writes: [Write]
    /// How many events set it.
    public let count: UInt64

    @inlinable
    init(_ path: String, _ value: StateValue?, _ record: BlameTrace<Machine>.Record?) {
      (self.path, self.value) = (path, value)
      writes = record?.newestFirst ?? []
      count = record?.count ?? 0
    }
  }

  /// The values that match, set or once set: first those that the state has, in its order, then those that vanished, the latest
  /// first.
  public var values: [Value] = []
  /// Whether more values match than are kept track of. Then ``values`` is empty.
  public var isOverfull = false

  /// The most values kept track of.
  @inlinable public static var maximumValues: Int { 65_536 }
  /// The most values whose last change can be tried again with each later event.
  @inlinable public static var maximumTried: Int { 64 }

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
      values.append(Value(leaf.path, leaf.value == .unset ? nil : leaf.value, known))
    }
    values += trace.allRecords.map { Value($0, nil, $1) }.sorted { one, other in
      let (first, second) = (one.writes.first?.sequence ?? 0, other.writes.first?.sequence ?? 0)
      return first == second ? one.path < other.path : first > second
    }
    isOverfull = values.count > Self.maximumValues
    if isOverfull { values = [] }
  }
}
