/// Finds values that an absent field cannot mean, because the writer leaves the field out for another value.
struct AbsenceCheck: FieldVisitor {
  typealias Failure = Never

  /// What is wrong with fields, as clauses.
  private(set) var faults: [String] = []

  private mutating func fail(_ label: FieldLabel, _ why: String) {
    faults.append("field \(label.number), \(label.name), \(why)")
  }

  mutating func single<Coding: FieldCoding>(
    _ label: FieldLabel, _ value: inout Coding.Value, _ coding: Coding,
    unless standard: @autoclosure () -> Coding.Value?
  ) {
    if label.isAlwaysWritten || !Coding.hasDefault { return }
    if value == standard() || standard() == nil && Coding.isDefault(value) { return }
    fail(label, "begins with a value other than the default: write it 'always'")
  }

  mutating func optional<Coding: FieldCoding>(_ label: FieldLabel, _ value: inout Coding.Value?, _ coding: Coding) {
    if value != nil { fail(label, "may be missing and does not begin with nil") }
  }

  mutating func repeated<Coding: FieldCoding>(
    _ label: FieldLabel, _ values: inout [Coding.Value], _ coding: Coding,
    isInOrder: (Coding.Value, Coding.Value) -> Bool
  ) {
    if !values.isEmpty { fail(label, "is a list that does not begin empty") }
  }
}

extension AbsenceCheck {
  /// What is wrong with the values with which reading a list begins.
  static func faults<List: FieldList>(of list: List.Type) -> [String] {
    var (blank, check) = (list.blank, AbsenceCheck())
    list.visit(&blank, &check)
    return check.faults
  }
}
