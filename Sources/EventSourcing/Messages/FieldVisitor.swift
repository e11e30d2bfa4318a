/// Visits every field of a message: writes it, reads it, describes it or shows it.
///
/// A message lists its fields once, in ``FieldList/visit(_:_:)``, and calls the visitor like a function:
///
/// ```swift
/// public static func visit<V: FieldVisitor>(_ event: inout CheckInFailed, _ field: inout V) throws(V.Failure) {
///   try field(1, "account", &event.account, required: true, "the account")
///   try field(2, "code", &event.code, "the reason as a number")
///   try field(3, "error", &event.error, privacy: .account, "what the service said")
///   try field(4, "nextRetry", &event.nextRetry, as: .time, "when it is tried again; absent when it is not")
/// }
/// ```
///
/// Key paths would do the same at a hundred times the cost. A visitor is a generic parameter, so each list is compiled
/// once for each visitor, and whatever a visitor ignores, such as a meaning while writing, costs nothing.
public protocol FieldVisitor {
  /// The visitor's error; `Never` for visitors that do not read.
  associatedtype Failure: Error

  /// Visits a field that occurs once. The wire omits it where it holds `standard`, or, where that is `nil`, the default
  /// of its coding; it never omits a required one.
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) throws(Failure)

  /// Visits a field that occurs once or not at all.
  mutating func optional<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding
  ) throws(Failure)

  /// Visits a field that occurs any number of times.
  ///
  /// - Parameter isInOrder: Whether an element may follow another; a reader refuses one that may not.
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) throws(Failure)

  /// Visits a field that occurs once for each row of a table, in the order of the keys.
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) throws(Failure)

  /// Visits a field that occurs once for each number of a table's keys, in the order of these.
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) throws(Failure)

  /// Visits a value that is derived from the fields and only shown.
  mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree)

  /// Visits a message that is only shown, in place of the field with this number.
  mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part)
}

/// A field's description, apart from its value. It owns nothing, so a visitor pays only for what it uses.
public struct FieldLabel: Sendable {
  /// The field's number on the wire.
  public let number: Int
  /// Its name, in lower camel case.
  public let name: StaticString
  /// How often it may occur.
  public let cardinality: FieldDescriptor.Cardinality
  /// Whether a message without it is refused.
  public let isRequired: Bool
  /// Whether it is written even if it holds the default of its type, because its absence means something else.
  public let isAlwaysWritten: Bool
  /// Who may see it.
  public let privacy: Privacy
  /// Whether it is a member of the tree; the key of a record is not.
  public let isShown: Bool
  /// Its meaning in one phrase, with unit and range; empty where no schema is published.
  public let meaning: StaticString

  @inlinable @inline(__always)
  init(
    _ number: Int, _ name: StaticString, _ cardinality: FieldDescriptor.Cardinality, isRequired: Bool = false,
    isAlwaysWritten: Bool = false, _ privacy: Privacy, isShown: Bool, _ meaning: StaticString
  ) {
    self.number = number
    self.name = name
    self.cardinality = cardinality
    self.isRequired = isRequired
    self.isAlwaysWritten = isRequired || isAlwaysWritten
    self.privacy = privacy
    self.isShown = isShown
    self.meaning = meaning
  }

  /// The label of a field that is written whatever it holds.
  @inlinable @inline(__always)
  var alwaysWritten: FieldLabel {
    FieldLabel(
      number, name, cardinality, isRequired: isRequired, isAlwaysWritten: true, privacy, isShown: isShown, meaning)
  }
}

extension FieldVisitor {
  /// Does nothing: only a tree has members that are not fields.
  @inlinable @inline(__always)
  public mutating func shown(_ name: StaticString, _ tree: @autoclosure () -> StateTree) {}

  /// Does nothing, as above.
  @inlinable @inline(__always)
  public mutating func shown<Part: Message>(_ number: Int, _ name: StaticString, part: Part) {}

  /// Visits copies of the rows as elements of a field, for a visitor that changes none. O(n).
  @inlinable
  public mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) throws(Failure) {
    var rows = Array(table)
    try repeated(label, &rows, MessageCoding<Row>(), isInOrder: { $0.key < $1.key })
  }

  /// Visits the table of the keys' numbers: only a tree has the rows under their keys.
  @inlinable @inline(__always)
  public mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) throws(Failure) {
    try self.table(label, &table.slots)
  }

  /// A field that occurs once for each row of a table; the keys rise.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Row: TableRow>(
    _ number: Int, _ name: StaticString, _ table: inout StateTable<Row>, privacy: Privacy = .public,
    shown: Bool = true, _ meaning: StaticString = ""
  ) throws(Failure) {
    try self.table(FieldLabel(number, name, .repeated, privacy, isShown: shown, meaning), &table)
  }

  /// A field that occurs once, such as a flag, a number, a text, a choice or a message.
  ///
  /// - Parameters:
  ///   - required: Whether a message without the field is refused. Number 1...63.
  ///   - always: Whether the field is written even if it holds the default of its type: for one whose absence means
  ///     something else.
  ///   - shown: Whether it is a member of the tree.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ value: inout Value, required: Bool = false, always: Bool = false,
    privacy: Privacy = .public, shown: Bool = true, _ meaning: StaticString = ""
  ) throws(Failure) {
    try single(
      FieldLabel(
        number, name, .single, isRequired: required, isAlwaysWritten: always, privacy, isShown: shown, meaning),
      &value, Value.coding, unless: nil)
  }

  /// The same with a coding other than that of the type, such as `as: .sequence`.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Coding: FieldCoding>(
    _ number: Int, _ name: StaticString, _ value: inout Coding.Value, as coding: Coding, always: Bool = false,
    privacy: Privacy = .public, shown: Bool = true, _ meaning: StaticString = ""
  ) throws(Failure) {
    try single(
      FieldLabel(number, name, .single, isAlwaysWritten: always, privacy, isShown: shown, meaning), &value, coding,
      unless: nil)
  }

  /// A field that is left out where it holds `standard`, and written where it holds the default of its type.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ value: inout Value, unless standard: @autoclosure () -> Value,
    cardinality: FieldDescriptor.Cardinality = .optional, privacy: Privacy = .public, shown: Bool = true,
    _ meaning: StaticString = ""
  ) throws(Failure) {
    try single(
      FieldLabel(number, name, cardinality, privacy, isShown: shown, meaning), &value, Value.coding,
      unless: standard())
  }

  /// A field that occurs once or not at all. A cardinality of `single` says that absence carries no information.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ value: inout Value?,
    cardinality: FieldDescriptor.Cardinality = .optional, privacy: Privacy = .public, shown: Bool = true,
    _ meaning: StaticString = ""
  ) throws(Failure) {
    try optional(
      FieldLabel(number, name, cardinality, privacy, isShown: shown, meaning), &value, Value.coding)
  }

  /// The same with a coding other than that of the type, such as `as: .time`.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Coding: FieldCoding>(
    _ number: Int, _ name: StaticString, _ value: inout Coding.Value?, as coding: Coding, privacy: Privacy = .public,
    shown: Bool = true, _ meaning: StaticString = ""
  ) throws(Failure) {
    try optional(FieldLabel(number, name, .optional, privacy, isShown: shown, meaning), &value, coding)
  }

  /// A field of personal data, which can be sealed.
  ///
  /// - Parameter privacy: Not ``Privacy/public``: readers of a journal take a sealed value only for what is not for everyone.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Value: PersonalValue>(
    _ number: Int, _ name: StaticString, _ value: inout Personal<Value>, privacy: Privacy, shown: Bool = true,
    _ meaning: StaticString = ""
  ) throws(Failure) {
    try single(
      FieldLabel(number, name, Value.cardinality, privacy, isShown: shown, meaning), &value, PersonalCoding<Value>(),
      unless: nil)
  }

  /// A field that occurs any number of times, in the order of the list.
  ///
  /// - Parameter isInOrder: Whether an element may follow another; without it any may.
  @inlinable @inline(__always)
  public mutating func callAsFunction<Value: FieldValue>(
    _ number: Int, _ name: StaticString, _ values: inout [Value], privacy: Privacy = .public, shown: Bool = true,
    _ meaning: StaticString = "", inOrder isInOrder: (Value, Value) -> Bool = { _, _ in true }
  ) throws(Failure) {
    try repeated(
      FieldLabel(number, name, .repeated, privacy, isShown: shown, meaning), &values, Value.coding,
      isInOrder: isInOrder)
  }
}

/// Visits nothing.
@usableFromInline
struct FieldSkipper: FieldVisitor {
  @usableFromInline typealias Failure = Never

  @inlinable
  init() {}

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {}

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {}

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {}
}
