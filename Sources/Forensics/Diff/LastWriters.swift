import EventSourcing

/// Records which event last changed each value of a state within part of a history.
///
/// Memory grows with the number of changed values, not with the history.
public struct LastWriters: Sendable {
  private var sequences: [String: UInt64] = [:]

  /// Contains no events.
  public init() {}

  /// Reads every event after one position, up to and including another.
  public init<Machine: Reducer>(
    in history: History<Machine>, after lower: UInt64, upTo upper: UInt64
  ) throws(HistoryError) {
    guard lower < upper else { return }
    var cursor = try history.cursor(after: lower == 0 ? .start : .sequence(lower))
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      guard step.record.sequence <= upper, let changes = step.changes else { break }
      for change in changes.changes { sequences[change.path] = step.record.sequence }
      if step.record.sequence == upper { break }
    }
  }

  /// The event that last changed the value at `path`; `nil` if none did.
  public subscript(path: String) -> UInt64? { sequences[path] }
}
