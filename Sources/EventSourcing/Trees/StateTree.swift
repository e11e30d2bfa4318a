/// A state, or part of one, in readable form: named members down to single values.
///
/// Printing, comparing and blaming use this form, with paths such as `/accounts/a1/enrollment/status`. Equality of two
/// states is decided by their canonical encodings and digests, not here.
///
/// The state chooses a fixed order of members; two trees of one type list the members they share in the same relative
/// order.
public enum StateTree: Equatable, Sendable {
  /// A single value.
  case value(StateValue)
  /// Named parts.
  case members([Member])

  /// A named part of a tree.
  public struct Member: Equatable, Sendable {
    /// The path component: no slash, never empty.
    public var name: String
    /// The part itself.
    public var tree: StateTree

    /// `name` must be nonempty and must not contain a slash.
    public init(_ name: String, _ tree: StateTree) {
      self.name = name
      self.tree = tree
    }

    /// A part that is a single value.
    public init(_ name: String, _ value: StateValue) {
      self.init(name, .value(value))
    }
  }
}

/// A single value in a ``StateTree``.
public enum StateValue: Equatable, Sendable {
  /// No value. In a difference, an absent member and one that is `unset` are equivalent.
  case unset
  /// True or false.
  case bool(Bool)
  /// A whole number without a unit.
  case integer(Int64)
  /// One of a closed list of names, such as `enrolled` or `managedApps`.
  case name(String)
  /// Text that is not personal.
  case text(String)
  /// Text that identifies a person or organisation, with its privacy class.
  case personal(String, Privacy)
  /// Personal data that cannot be opened here, with a mark that distinguishes it from others. It is erased if the keys were
  /// at hand and none opened it.
  case sealed(mark: UInt64, isErased: Bool)
  /// A point in time, in nanoseconds since 1970-01-01T00:00:00Z.
  case time(Int64)
  /// A length of time, in nanoseconds.
  case duration(Int64)
  /// The position of an event; see ``RecordedEvent/sequence``.
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
