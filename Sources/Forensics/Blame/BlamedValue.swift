import EventSourcing

/// An event that set a value.
public struct BlamedWrite: Equatable, Sendable {
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
public struct BlamedValue: Equatable, Sendable {
  /// The value's path.
  public let path: String
  /// What it is; `nil` if it is not set.
  public let value: StateValue?
  /// The events that set it, newest first, at most as many as were asked for.
  public let writes: [BlamedWrite]
  /// How many events set it.
  public let count: UInt64

  /// The most values kept track of.
  @inlinable public static var maximumCount: Int { 65_536 }
  /// The most values whose last change can be tried again with each later event.
  @inlinable public static var maximumTried: Int { 64 }

  @inlinable
  init(_ path: String, _ value: StateValue?, _ writes: [BlamedWrite], count: UInt64) {
    (self.path, self.value, self.writes, self.count) = (path, value, writes, count)
  }
}
