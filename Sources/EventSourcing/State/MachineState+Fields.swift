import WireFormat

/// A state that lists its fields: each one is a slice.
///
/// Encoding a slice visits every field, so a state of many fields defines its slices itself.
extension MachineState where Self: FieldList {
  /// Visits the fields.
  @inlinable
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    try Self.visit(&self, &pass)
  }

  /// The names of the fields. Found out once in a process.
  public static var sliceNames: [String] {
    fieldNames.value(ObjectIdentifier(Self.self)) { descriptor.fields.map(\.name) }
  }

  /// The fields, each with those within it.
  public static var sliceDescriptors: [MessageDescriptor] {
    descriptor.fields.map { field in
      if case .message(let part) = field.type { part } else { MessageDescriptor(field.name, [field]) }
    }
  }

  /// Writes one field.
  @inlinable
  public func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    var copy = self
    var field = FieldSelector(index, writer: WireWriter())
    swap(&field.writer, &writer)
    Self.visit(&copy, &field)
    swap(&field.writer, &writer)
  }

  /// Reads one field; unknown ones are skipped.
  @inlinable
  public mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    var fields = FieldReader(reader)
    try Self.visit(&self, &fields)
    if !fields.reader.isAtEnd { try Self.visitRest(&self, &fields) }
    reader = fields.reader
  }
}

/// The names of states' fields: a generic type cannot keep its own.
private let fieldNames = Memos<ObjectIdentifier, [String]>()
