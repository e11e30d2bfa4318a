/// Describes the fields of a message for the catalogue and the published schema.
@usableFromInline
struct FieldDescriber: FieldVisitor {
  @usableFromInline typealias Failure = Never

  /// The fields so far.
  @usableFromInline private(set) var fields: [FieldDescriptor] = []

  @inlinable
  init() {}

  @usableFromInline
  mutating func add(_ label: FieldLabel, _ type: FieldType) {
    fields.append(
      FieldDescriptor(
        label.number, label.name.description, type, label.cardinality, privacy: label.privacy,
        label.meaning.description))
  }

  @inlinable
  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    add(label, Coding.type)
  }

  @inlinable
  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    add(label, Coding.type)
  }

  @inlinable
  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    add(label, Coding.type)
  }
}
