import WireFormat

/// Writes every field of a message that is what reading begins with: what absent fields mean.
struct AbsentFields: FieldVisitor {
  typealias Failure = Never

  private var writer = WireWriter()
  /// The fields, also those with the default.
  var bytes: [UInt8] { writer.bytes }

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    Coding.write(value, to: label.number, of: &writer)
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if let value { Coding.write(value, to: label.number, of: &writer) }
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    for value in values { Coding.write(value, to: label.number, of: &writer) }
  }
}
