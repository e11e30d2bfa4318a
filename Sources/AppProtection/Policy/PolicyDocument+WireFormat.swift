import EventSourcing
import WireFormat

extension PolicyDocument {
  /// Writes the policy: fields in the order of their numbers, then unknown fields. Equal policies give equal bytes.
  public func encode(into writer: inout WireWriter) {
    let preserved = Set(storage.preservedFields.map(\.number))
    if !preserved.contains(1) { writer.write(1, unsigned: kind.number) }
    for number in nullNumbers where !isSet(number) { writer.writePresent(2, unsigned: UInt64(number)) }
    for member in keptMembers { writer.write(3) { member.encode(into: &$0) } }
    PolicyProperty.all.withUnsafeBufferPointer { properties in
      // By index, because an iterator would count references to each property.
      for index in properties.indices where !preserved.contains(properties[index].number) {
        if let value = properties[index].read(self) { properties[index].encode(value, into: &writer) }
      }
    }
    for field in storage.preservedFields { writer.append(encoded: field.bytes) }
  }

  /// Whether a setting has a value, which then overrides an earlier `null`.
  private func isSet(_ number: Int) -> Bool {
    PolicyProperty.numbered(number)?.read(self) != nil
  }

  /// Reads a policy that ``encode(into:)`` wrote, in this program or in a later version of it.
  ///
  /// A field that is unknown, or holds more than its property can (a later enumeration's member), is preserved and
  /// written back unchanged.
  ///
  /// - Throws: `WireError` when the bytes are not wire format, a field has the wrong wire type, or a duration or date
  ///   is invalid.
  public init(from reader: inout WireReader) throws(WireError) {
    self.init()
    // Fields written back unchanged: unknown ones, and the last form of known ones that hold more than their property
    // can.
    var unknown: [PreservedField] = []
    var richer: [Int: [UInt8]] = [:]
    var again = WireWriter()
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        let number = try reader.unsigned(field)
        kind = PolicyKind(number: number)
        again.removeAll()
        again.write(1, unsigned: number)
        richer[1] = kind.number == number ? nil : again.bytes
      case 2: try readNull(field, from: &reader)
      case 3:
        keptMembers.append(
          try reader.message(field) { (inner) throws(WireError) in try KeptMember(from: &inner) })
      default:
        guard let property = PolicyProperty.numbered(field.number) else {
          unknown.append(PreservedField(number: field.number, bytes: try reader.skipCopying(field)))
          continue
        }
        let value = try property.decode(field, from: &reader)
        property.write(&self, value)
        again.removeAll()
        if let value = property.representable(value) { property.encode(value, into: &again) }
        let bytes = reader.encoded(field)
        if !again.holds(bytes) {
          richer[field.number] = [UInt8](bytes)
        } else if !richer.isEmpty {
          richer[field.number] = nil
        }
      }
    }
    assert(unknown.allSatisfy { richer[$0.number] == nil }, "a field is both known and unknown")
    storage.preservedFields = unknown + richer.map { PreservedField(number: $0, bytes: $1) }
    // Stable: several fields with one number keep their order. No number is both unknown and known.
    storage.preservedFields.sort { $0.number < $1.number }
  }

  private mutating func readNull(
    _ field: WireReader.Field, from reader: inout WireReader
  ) throws(WireError) {
    let number = Int(try reader.unsigned(field, as: Int32.self))
    guard number > nullNumbers.last ?? 0 else { throw WireError(.outOfRange(field: 2), at: field.offset) }
    storage.nullNumbers.append(number)
  }

  /// The fields of a policy on the wire, derived from the property table.
  public static let descriptor = MessageDescriptor(
    "PolicyDocument",
    [
      FieldDescriptor(1, "kind", .enumeration(PolicyKind.descriptor), .single, "What kind of policy it is"),
      FieldDescriptor(
        2, "nullFields", .unsigned, .repeated, "The numbers of the fields that are null in the document, rising"),
      FieldDescriptor(
        3, "keptMembers", .message(KeptMember.descriptor), .repeated,
        "Members of the document that are kept as they came"),
    ]
      + PolicyProperty.all.map {
        let effect = $0.effect == .steersDecisions ? "; decisions read it" : ""
        return FieldDescriptor(
          $0.number, $0.name, $0.fieldType, .optional, privacy: $0.privacy, $0.meaning + effect)
      })
}
