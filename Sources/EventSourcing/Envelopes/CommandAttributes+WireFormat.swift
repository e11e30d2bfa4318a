import WireFormat

// Fields 14, 16 and 17 of an envelope. The body has the number between them.

extension CommandAttributes {
  /// Writes the field before the body.
  func encodeOrigin(into writer: inout WireWriter) {
    guard let origin else { return }
    writer.write(14) { (inner: inout WireWriter) in
      inner.write(1, unsigned: origin.process)
      inner.write(2, fixed: origin.moment.wallNanoseconds)
      inner.write(3, unsigned: UInt64(bitPattern: origin.moment.uptimeNanoseconds))
    }
  }

  /// Writes the fields after the body.
  func encodeRest(into writer: inout WireWriter) {
    writer.write(16, string: stream)
    for entry in metadata {
      writer.write(17) { (inner: inout WireWriter) in
        inner.write(1, string: entry.key)
        inner.write(2, string: entry.value)
      }
    }
  }

  /// Reads one field of an envelope; `false`, and nothing is read, if it is not an attribute.
  mutating func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> Bool {
    switch field.number {
    case 14: origin = try reader.message(field) { (inner) throws(WireError) in try CommandOrigin(from: &inner) }
    case 16: stream = try reader.string(field)
    case 17:
      metadata.append(try reader.message(field) { (inner) throws(WireError) in try MetadataEntry(from: &inner) })
    default: return false
    }
    return true
  }

  /// Reads the attributes among fields that were read before; other fields are skipped.
  init(among fields: UnsafeRawBufferPointer) throws(WireError) {
    self.init()
    var reader = WireReader(fields)
    while let field = try reader.nextField() {
      if !(try read(field, from: &reader)) { try reader.skip(field) }
    }
  }
}

extension CommandOrigin {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(process: 0, at: Moment(wallNanoseconds: 0))
    while let field = try reader.nextField() {
      switch field.number {
      case 1: process = try reader.unsigned(field)
      case 2: moment.wallNanoseconds = try reader.fixed(field)
      case 3: moment.uptimeNanoseconds = Int64(bitPattern: try reader.unsigned(field))
      default: try reader.skip(field)
      }
    }
  }

  /// The fields, as the published schema states them.
  static var descriptor: MessageDescriptor {
    MessageDescriptor(
      "CommandOrigin",
      [
        FieldDescriptor(1, "process", .unsigned, .single, "the number by which the app knows the process"),
        FieldDescriptor(2, "wallTime", .time, .single, "when the request was made, by the device's clock"),
        FieldDescriptor(
          3, "uptime", .unsigned, .single,
          "nanoseconds since the device started, by a clock that does not stop; 0 when unknown"),
      ])
  }
}

extension MetadataEntry {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init("", "")
    while let field = try reader.nextField() {
      switch field.number {
      case 1: key = try reader.string(field)
      case 2: value = try reader.string(field)
      default: try reader.skip(field)
      }
    }
  }

  /// The fields, as the published schema states them.
  static var descriptor: MessageDescriptor {
    MessageDescriptor(
      "MetadataEntry",
      [
        FieldDescriptor(1, "key", .string, .single, "what the value is"),
        FieldDescriptor(2, "value", .string, .single, privacy: .account, "whatever the app wants to find again"),
      ])
  }
}
