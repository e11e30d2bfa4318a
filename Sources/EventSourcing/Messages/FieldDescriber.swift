/// Describes the fields of a message for the catalogue and the published schema.
@usableFromInline
struct FieldDescriber: FieldVisitor {
  @usableFromInline typealias Failure = Never

  /// The fields so far.
  @usableFromInline private(set) var fields: [FieldDescriptor] = []
  /// What a label says that its field cannot be.
  private var faults: [String] = []

  @inlinable
  init() {}

  @usableFromInline
  mutating func add<Coding: FieldCoding>(_ label: FieldLabel, _ coding: Coding.Type) {
    var field = FieldDescriptor(
      label.number, label.name.description, coding.type, refinement: coding.refinement, label.cardinality,
      privacy: label.privacy, label.meaning.description)
    field.isPersonal = coding.isPersonal
    if coding.isPersonal, label.privacy == .public { faults.append("\(field.place) is personal and public") }
    if label.isRequired, label.number > 63 { faults.append("\(field.place) is required and has a number above 63") }
    fields.append(field)
  }

  /// The message with these fields.
  ///
  /// - Parameter others: What else is wrong with them.
  @usableFromInline
  func message(_ name: String, _ others: [String]) -> MessageDescriptor {
    var message = MessageDescriptor(name, fields)
    message.faults += faults + others
    return message
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    add(label, Coding.self)
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    add(label, Coding.self)
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    add(label, Coding.self)
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    add(label, MessageCoding<Row>.self)
    checkRows(label) { (row: Row) in row.key }
  }

  @inlinable
  mutating func keyedTable<Row: KeyedRow>(_ label: FieldLabel, _ table: inout KeyedTable<Row>) {
    add(label, MessageCoding<KeyedSlot<Row>>.self)
    checkRows(label) { (row: Row) in row.key }
  }

  /// Refuses rows whose key is another one if personal properties are.
  @usableFromInline
  mutating func checkRows<Row: Message, Key: Equatable>(_ label: FieldLabel, by key: (Row) -> Key) {
    guard let blank = (Row.self as? any FieldList.Type)?.blank as? Row else { return }
    let keys = PersonalPass.fillings.compactMap { bytes -> Key? in
      var (row, pass) = (blank, PersonalPass(filling: bytes))
      try? row.passPersonal(to: &pass)
      return pass.changeCount == 0 ? nil : key(row)
    }
    guard keys.contains(where: { $0 != keys.first }) else { return }
    faults.append(
      "field \(label.number), \(label.name), has rows whose key is personal: it is empty while events are folded")
  }
}
