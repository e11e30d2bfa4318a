/// Describes the fields of a message for the catalogue and the published schema.
struct FieldDescriber: FieldVisitor {
  typealias Failure = Never

  /// The fields so far.
  private(set) var fields: [FieldDescriptor] = []

  mutating func add(_ label: FieldLabel, _ type: FieldType) {
    fields.append(
      FieldDescriptor(
        label.number, label.name.description, type, label.cardinality, privacy: label.privacy,
        label.meaning.description))
  }

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    add(label, Coding.type)
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    add(label, Coding.type)
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    add(label, Coding.type)
  }
}
