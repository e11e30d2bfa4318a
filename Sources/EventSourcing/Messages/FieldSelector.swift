import WireFormat

/// Writes one field of a message.
@usableFromInline
struct FieldSelector: FieldVisitor {
  @usableFromInline typealias Failure = Never

  @usableFromInline var writer: WireWriter
  /// How many fields precede the one to write.
  @usableFromInline var distance: Int

  @inlinable
  init(_ index: Int, writer: WireWriter) {
    distance = index
    self.writer = writer
  }

  @inlinable
  mutating func isHere() -> Bool {
    defer { distance -= 1 }
    return distance == 0
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    // The default too: the state that reading begins with may hold something else.
    if isHere() { Coding.write(value, to: label.number, of: &writer) }
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if isHere() { writer.optional(label, &value, coding) }
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    if isHere() { writer.repeated(label, &values, coding, isInOrder: isInOrder) }
  }

  @inlinable
  mutating func table<Row: TableRow>(_ label: FieldLabel, _ table: inout StateTable<Row>) {
    if isHere() { writer.table(label, &table) }
  }
}
