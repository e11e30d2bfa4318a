/// The kind of the first difference between two histories.
public enum ComparisonKind: Equatable, Sendable {
  /// No difference.
  case same
  /// The same facts, recorded differently: at other times or by other commands.
  case metadataOnly
  /// One history ends where the other continues.
  case prefix(firstIsShorter: Bool)
  /// One history lacks this many events that the other has; after them, the two agree again.
  case gap(inFirst: Bool, events: Int)
  /// This many events happened in a different order.
  case order(events: Int)
  /// Different facts.
  case differentEvents
  /// One or both histories become unreadable before any difference.
  case unreadable(first: Bool, second: Bool)
}
