/// What a field's type leaves unsaid. Recorded beside a type of the same wire form, which readers that do not know the refinement
/// show instead.
public enum FieldRefinement: UInt64, Sendable {
  /// Of a ``FieldType/time``: the bits are those of a `double`.
  case double = 1
  /// Of a ``FieldType/signed``: the number of days since 1970-01-01.
  case date = 2

  /// Whether it refines a type.
  func refines(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.double, .time), (.date, .signed): true
    default: false
    }
  }
}
