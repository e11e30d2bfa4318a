import WireFormat

/// Writes the fields of a message that may be keys, of one that reading begins with: what absent fields mean.
struct AbsentFields: FieldVisitor {
  typealias Failure = Never

  private var writer = WireWriter()
  /// The fields, also those with the default.
  var bytes: [UInt8] { writer.bytes }

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    write(value, label, coding)
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if let value { write(value, label, coding) }
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    for value in values { write(value, label, coding) }
  }

  private mutating func write<Coding: FieldCoding>(_ value: Coding.Value, _ label: FieldLabel, _ coding: Coding) {
    // What is personal and missing has no form.
    guard !Coding.isPersonal else { return }
    switch Coding.type {
    case .unsigned, .reference, .guid, .bytes: Coding.write(value, to: label.number, of: &writer)
    case .bool, .signed, .string, .json, .time, .duration, .sequence, .enumeration, .message: break
    }
  }
}
