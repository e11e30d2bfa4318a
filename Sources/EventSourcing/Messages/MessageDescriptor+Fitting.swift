import WireFormat

extension MessageDescriptor {
  /// Why bytes are not a message of this kind; `nil` if they are: every field is described, has a value of its type, and
  /// the fields that cannot be absent are present.
  func misfit(_ bytes: UnsafeRawBufferPointer) -> String? {
    var seen: Set<Int> = []
    do throws(WireError) {
      var reader = WireReader(bytes)
      while let field = try reader.nextField() {
        guard let known = self.field(numbered: field.number) else { return "it has an unknown field \(field.number)" }
        if let why = try known.misfit(&reader, field) { return why }
        if known.isRequired { seen.insert(field.number) }
      }
    } catch {
      return "its body cannot be read: \(error)"
    }
    let missing = fields.first { $0.isRequired && !seen.contains($0.number) }
    return missing.map { "its field \($0.name) is missing" }
  }
}

extension FieldDescriptor {
  /// Whether every event has the field: its type has no value that writers leave out.
  fileprivate var isRequired: Bool {
    guard cardinality == .single else { return false }
    return switch type {
    case .guid: true
    // Zero refers to nothing, which is an answer, and a choice may have another default, which is left out.
    case .enumeration, .bool, .unsigned, .signed, .string, .json, .bytes, .time, .duration, .reference, .sequence,
      .message:
      false
    }
  }

  /// Reads a value; why it is not one of this field.
  fileprivate func misfit(_ reader: inout WireReader, _ field: WireReader.Field) throws(WireError) -> String? {
    if type.canBeSealed, privacy != .public, SealedValue.isSealed(reader.peekBytes(field)) {
      _ = try reader.rawBytes(field)
      return nil
    }
    switch type {
    case .bool: _ = try reader.bool(field)
    case .unsigned, .reference, .sequence: _ = try reader.unsigned(field)
    case .signed, .duration: _ = try reader.signed(field)
    case .string, .json: _ = try reader.string(field)
    case .bytes: _ = try reader.rawBytes(field)
    case .time: _ = try reader.fixed(field)
    case .guid:
      if try reader.rawBytes(field).count != 16 { return "its field \(name) has not 16 bytes" }
    case .enumeration(let names):
      let number = try reader.unsigned(field)
      if names.name(of: number) == nil { return "its field \(name) has the unknown value \(number)" }
    case .message(let descriptor):
      return descriptor.misfit(try reader.rawBytes(field))
    }
    return nil
  }
}
