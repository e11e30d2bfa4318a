import EventSourcing

/// What an imagined history changes in a real one.
///
/// Every number is one of the real history, whatever else is changed. Edits compose in this order: events are dropped, the
/// content of others is replaced, policies and settings rewrite the events that stay as they were; then, after each event,
/// come those that are moved there and those that are inserted, each in the order given.
public struct HistoryEdits<Domain: RedecidingDomain>: Sendable {
  /// What an edit puts in a place.
  public enum Content: Sendable {
    /// An event; the time is that of the place if it is `nil`.
    case event(Domain.Event, at: Moment?)
    /// What the rules decide there.
    case command(Domain.Command, at: Moment?)
  }

  /// What is put after an event.
  @usableFromInline
  struct Additions: Sendable {
    @usableFromInline var moved: [RecordedEvent<Domain.Event>] = []
    @usableFromInline var contents: [Content] = []
  }

  /// Changes an event that stays in its place: returns another one, or `nil` to leave it. Gets the state before it.
  public typealias Rewriting = @Sendable (Domain.Event, Domain.State) -> Domain.Event?

  private var droppedRanges: [ClosedRange<UInt64>] = []
  private var dropped: Set<UInt64> = []
  @usableFromInline private(set) var replacements: [UInt64: Content] = [:]
  @usableFromInline private(set) var moves: Set<UInt64> = []
  @usableFromInline private(set) var additions: [UInt64: Additions] = [:]
  @usableFromInline private(set) var conditions: [@Sendable (RecordedEvent<Domain.Event>) -> Bool] = []
  @usableFromInline private(set) var rewritings: [Rewriting] = []
  private var beginnings: [@Sendable (inout Domain.State) -> Void] = []
  /// How many edits there are.
  public private(set) var count = 0

  /// The most edits.
  public static var maximumCount: Int { 10_000 }

  /// No edits.
  public init() {}

  /// Drops an event, or a range of them. An edit that names an event alone applies although a longer range covers it.
  public mutating func drop(_ events: ClosedRange<UInt64>) throws(EditError) {
    try countOne()
    if events.count == 1 {
      try requireUntouched(events.lowerBound, "drop it")
      dropped.insert(events.lowerBound)
    }
    droppedRanges.append(events)
  }

  /// The events to drop, in order and without overlap.
  @usableFromInline var ranges: [ClosedRange<UInt64>] {
    var merged: [ClosedRange<UInt64>] = []
    for range in droppedRanges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  /// Drops the events that a condition selects, except those that are replaced or moved.
  public mutating func drop(where condition: @escaping @Sendable (RecordedEvent<Domain.Event>) -> Bool)
    throws(EditError)
  {
    try countOne()
    conditions.append(condition)
  }

  /// Replaces an event. What is given without a time gets that of the event.
  public mutating func replace(_ sequence: UInt64, with content: Content) throws(EditError) {
    try countOne()
    try requireUntouched(sequence, "replace it")
    replacements[sequence] = content
  }

  /// Moves an event after another one, or to the beginning. It keeps its time.
  ///
  /// - Parameters:
  ///   - event: The event as it was recorded.
  ///   - place: The event after which it goes; the one before the first for the beginning.
  public mutating func move(_ event: RecordedEvent<Domain.Event>, after place: UInt64) throws(EditError) {
    try countOne()
    try requireUntouched(event.sequence, "move it")
    moves.insert(event.sequence)
    additions[place, default: Additions()].moved.append(event)
  }

  /// Inserts something after an event, or at the beginning. What is given without a time gets that of the event.
  public mutating func insert(_ content: Content, after place: UInt64) throws(EditError) {
    try countOne()
    additions[place, default: Additions()].contents.append(content)
  }

  /// Changes events that stay in their places.
  public mutating func rewrite(_ rewriting: @escaping Rewriting) throws(EditError) {
    try countOne()
    rewritings.append(rewriting)
  }

  /// Changes the state from which the history begins, for what events that are not kept have brought. A history that is
  /// kept from its first event on begins with nothing, which stays.
  public mutating func rewriteBeginning(_ change: @escaping @Sendable (inout Domain.State) -> Void) throws(EditError) {
    try countOne()
    beginnings.append(change)
  }

  /// The state from which the imagined history begins, where the real one begins from `state`.
  ///
  /// - Parameter sequence: The event after which it is the state.
  @usableFromInline
  func beginning(_ state: Domain.State, after sequence: UInt64) -> Domain.State {
    guard sequence > 0 else { return state }
    return beginnings.reduce(into: state) { state, change in change(&state) }
  }

  /// The first event at which the histories can differ, at or after `first`.
  public func firstEdited(from first: UInt64) -> UInt64 {
    guard conditions.isEmpty, rewritings.isEmpty, beginnings.isEmpty else { return first }
    let places = droppedRanges.map(\.lowerBound) + replacements.keys + moves + additions.keys.map { $0 + 1 }
    return max(first, places.min() ?? first)
  }

  private mutating func countOne() throws(EditError) {
    count += 1
    guard count <= Self.maximumCount else {
      throw EditError("these are more than \(Self.maximumCount) edits", remedy: "drop ranges or types instead")
    }
  }

  /// One event cannot be dropped, replaced and moved at once.
  private func requireUntouched(_ sequence: UInt64, _ edit: String) throws(EditError) {
    let other =
      replacements[sequence] != nil
      ? "replaced" : moves.contains(sequence) ? "moved" : dropped.contains(sequence) ? "dropped" : nil
    guard let other else { return }
    throw EditError(
      "event \(sequence) is \(other) already", remedy: "\(edit), or leave it \(other): one edit names an event")
  }

  /// What becomes of an event of the real history.
  @usableFromInline
  enum Fate: Sendable {
    case kept
    case dropped
    case movedAway
    case replaced(Content)
  }

  /// - Parameters:
  ///   - ranges: ``ranges``.
  ///   - place: The range that the events have reached; they come in order.
  @inlinable
  func fate(
    of read: ReadEvent<Domain.Event>, _ ranges: [ClosedRange<UInt64>], _ place: inout Int
  ) -> Fate {
    let sequence = read.sequence
    if !replacements.isEmpty, let content = replacements[sequence] { return .replaced(content) }
    if !moves.isEmpty, moves.contains(sequence) { return .movedAway }
    while place < ranges.count, ranges[place].upperBound < sequence { place += 1 }
    if place < ranges.count, ranges[place].contains(sequence) { return .dropped }
    if let record = read.record {
      for condition in conditions where condition(record) { return .dropped }
    }
    return .kept
  }
}
