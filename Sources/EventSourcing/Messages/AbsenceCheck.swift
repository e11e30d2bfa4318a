/// Refuses values that an absent field cannot mean, because the writer leaves the field out for another value.
struct AbsenceCheck: FieldVisitor {
  typealias Failure = Never

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    let isDistinct = label.isAlwaysWritten || value == standard() || standard() == nil && Coding.isDefault(value)
    precondition(isDistinct, "field '\(label.name)' begins with a value other than the default: write it 'always'")
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    precondition(value == nil, "field '\(label.name)' may be missing and does not begin with nil")
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    precondition(values.isEmpty, "list '\(label.name)' does not begin empty")
  }
}
