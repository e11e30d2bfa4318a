import WireFormat

/// How a field represents one kind of value: on the wire, in the published schema and in a tree.
public protocol FieldCoding<Value>: Sendable {
  /// What the field holds.
  associatedtype Value: Equatable

  /// How the value is laid out on the wire.
  static var wireType: WireType { get }

  /// What the field holds by the published schema.
  static var type: FieldType { get }

  /// What the type leaves unsaid. The default is nothing.
  static var refinement: FieldRefinement? { get }

  /// Whether an absent field means this value, so that a field that occurs once is omitted.
  static func isDefault(_ value: Value) -> Bool

  /// Whether there is such a value; otherwise the field is always written. The default is yes.
  static var hasDefault: Bool { get }

  /// Writes the value, even if it is the default.
  static func write(_ value: Value, to number: Int, of writer: inout WireWriter)

  /// Reads the value of a field; `nil` where it means none.
  static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Value?

  /// Whether a field that occurs once and holds its default shows as unset.
  static var hidesDefault: Bool { get }

  /// The value for people.
  static func tree(of value: Value, _ privacy: Privacy) -> StateTree

  /// The part of the value's tree at a path of names; `nil` if nothing is there. The default extracts it from the tree.
  static func part(of value: Value, _ privacy: Privacy, at names: ArraySlice<Substring>) -> StateTree?

  /// Adds what differs between two values that are not equal. The default compares their trees.
  static func compare(
    _ value: Value, _ later: Value, _ privacy: Privacy, at place: StatePlace, _ differ: StateDiffer)

  /// Whether the value is ``Personal``: then the field's privacy class is not ``Privacy/public``. The default is no.
  static var isPersonal: Bool { get }

  /// Passes the personal data in the value to be sealed or opened. The default has none.
  static func pass(_ value: inout Value, _ privacy: Privacy, to pass: inout PersonalPass) throws(SealingError)
}

extension FieldCoding {
  /// Nothing.
  @inlinable public static var refinement: FieldRefinement? { nil }

  /// A default shows: zero is a number.
  @inlinable public static var hidesDefault: Bool { false }

  /// `true`.
  @inlinable public static var hasDefault: Bool { true }

  /// `false`.
  @inlinable public static var isPersonal: Bool { false }

  /// Passes nothing.
  @inlinable
  public static func pass(_ value: inout Value, _ privacy: Privacy, to pass: inout PersonalPass) throws(SealingError) {}

  /// Extracts the part from the value's tree.
  @inlinable
  public static func part(of value: Value, _ privacy: Privacy, at names: ArraySlice<Substring>) -> StateTree? {
    tree(of: value, privacy)[names: names]
  }

  /// Compares the values' trees.
  @inlinable
  public static func compare(
    _ value: Value, _ later: Value, _ privacy: Privacy, at place: StatePlace, _ differ: StateDiffer
  ) {
    differ.compare(tree(of: value, privacy), tree(of: later, privacy), at: place)
  }
}

/// A type whose values have one usual coding.
public protocol FieldValue: Equatable {
  /// The type of that coding.
  associatedtype Coding: FieldCoding where Coding.Value == Self

  /// That coding.
  static var coding: Coding { get }
}
