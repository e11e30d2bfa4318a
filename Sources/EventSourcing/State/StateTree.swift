/// A state, or a part of one, in the form in which people look at it: named members down to single values.
///
/// Printing, comparing and blaming work on this form, with paths such as `/accounts/a1/enrollment/status`. Equality of
/// two states is decided on their canonical encoding and its digest, not here.
///
/// Members stand in a fixed order that the state chooses; two trees of one type list the members they share in the same
/// relative order.
public indirect enum StateTree: Equatable, Sendable {
  /// A single value.
  case value(StateValue)
  /// Named parts.
  case members([Member])

  /// One named part of a tree.
  public struct Member: Equatable, Sendable {
    /// The path component: no slash, never empty.
    public var name: String
    /// What is there.
    public var tree: StateTree

    /// Creates a named part.
    public init(_ name: String, _ tree: StateTree) {
      self.name = name
      self.tree = tree
    }

    /// Creates a named value.
    public init(_ name: String, _ value: StateValue) {
      self.init(name, .value(value))
    }
  }
}

/// A single value in a ``StateTree``.
public enum StateValue: Equatable, Sendable {
  /// Nothing is set. A member that is absent and one that is `unset` mean the same in a difference.
  case unset
  /// True or false.
  case bool(Bool)
  /// A whole number, with no unit.
  case integer(Int64)
  /// One of a closed list of names, such as `enrolled` or `managedApps`.
  case name(String)
  /// Text that says nothing about a person.
  case text(String)
  /// Text that identifies a person or organisation, with its privacy class.
  case personal(String, Privacy)
  /// A point in time, in nanoseconds since 1970-01-01T00:00:00Z.
  case time(Int64)
  /// A length of time, in nanoseconds.
  case duration(Int64)
  /// The position of an event.
  case sequence(UInt64)
  /// An ordered list.
  case list([StateValue])
}

extension StateValue {
  /// The position of an event that waits for an outcome; unset for zero.
  public static func pending(_ sequence: UInt64) -> StateValue {
    sequence == 0 ? .unset : .sequence(sequence)
  }
}
