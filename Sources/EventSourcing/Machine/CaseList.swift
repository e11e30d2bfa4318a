import WireFormat

/// A value whose cases list their fields, such as an ``EventList``, or the commands of a domain:
///
/// ```swift
/// enum Order: CaseList {
///   case deposit(cents: Int64 = 0), withdraw(cents: Int64 = 0)
///   func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> Order {
///     switch self {
///     case .deposit(let cents): try .deposit(cents: list.field(1, "cents", cents))
///     case .withdraw(let cents): try .withdraw(cents: list.field(1, "cents", cents))
///     }
///   }
/// }
/// ```
///
/// Which case the bytes are of is written elsewhere, such as in a field before them.
public protocol CaseList {
  /// Shows each field to a visitor, in the order in which they are written, and returns the value with those that the
  /// visitor returned.
  func visit<Fields: FieldVisitor>(_ list: inout EventVisitor<Fields>) throws(Fields.Failure) -> Self
}

extension CaseList {
  /// Writes the fields in the order of the list.
  @inlinable
  public func encodeFields(into writer: inout WireWriter) {
    // Swapped, because a copy of the writer would copy its bytes.
    var list = EventVisitor(WireWriter())
    swap(&list.fields, &writer)
    _ = visit(&list)
    swap(&list.fields, &writer)
  }

  /// Reads the fields of this case, in any order; unknown ones are skipped. Those that are missing keep the values of this one.
  @inlinable
  public func decodeFields(from reader: inout WireReader) throws(WireError) -> Self {
    var list = EventVisitor(FieldReader(reader))
    var value = try visit(&list)
    try list.fields.readRest { (seeker) throws(WireError) in
      var rest = EventVisitor(seeker)
      value = try value.visit(&rest)
      seeker = rest.fields
    }
    reader = list.fields.reader
    try list.fields.checkRequired()
    return value
  }
  /// Shows the fields to a visitor.
  @inlinable
  public func show<Fields: FieldVisitor>(to fields: inout Fields) throws(Fields.Failure) {
    var list = EventVisitor(fields)
    _ = try visit(&list)
    fields = list.fields
  }
}
