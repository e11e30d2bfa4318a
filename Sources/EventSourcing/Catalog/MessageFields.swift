import WireFormat

/// The fields of any message for printing, read from its bytes with the help of its description.
///
/// No bytes make this trap or fail: what cannot be read is a value of its own, and the fields before it are there.
///
/// ```swift
/// for field in record.fields.fields {
///   print(field.name ?? "field \(field.number)", field.values)
/// }
/// ```
public struct MessageFields: Equatable, Sendable {
  /// The fields: those of the description in its order, and then the unknown ones in the order of the bytes. A field
  /// that is absent, or that holds its default, is left out.
  public private(set) var fields: [Field] = []
  /// Why the rest of the bytes could not be read, when it could not.
  public private(set) var error: WireError?

  /// One field that occurs.
  public struct Field: Equatable, Sendable {
    /// The field's number on the wire.
    public let number: Int
    /// Its name in the description; `nil` when that has no such field.
    public let name: String?
    /// Who may see it: the stricter of its own class and that of the message around it, unless the value cannot be
    /// personal. An unknown field may hold anything, so its class is ``Privacy/secret``.
    public let privacy: Privacy
    /// Whether the description lets it occur many times.
    public let isRepeated: Bool
    /// What it holds; one value unless it is repeated.
    public fileprivate(set) var values: [Value]
  }

  /// What a field holds.
  public indirect enum Value: Equatable, Sendable {
    /// True or false.
    case bool(Bool)
    /// A count or number without unit.
    case unsigned(UInt64)
    /// A number that may be negative.
    case signed(Int64)
    /// Text.
    case text(String)
    /// One JSON value as it came from its source.
    case json(String)
    /// Bytes.
    case bytes([UInt8])
    /// The 16 bytes of a GUID, in the order of its text form.
    case guid([UInt8])
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case time(Int64)
    /// A length of time in nanoseconds.
    case duration(Int64)
    /// The number of an account within the journal.
    case account(UInt64)
    /// The position of an event.
    case sequence(UInt64)
    /// A member of an enumeration; without a name when the description has none for it.
    case enumeration(UInt64, name: String?)
    /// The fields of an embedded message.
    case message(MessageFields)
    /// The bytes of a field that nobody knows: tag, length and value, as they lie on the wire.
    case unknown(WireType, [UInt8])
    /// The bytes, tag included, of a field that does not hold what its description says.
    case undecodable([UInt8], WireError)
  }

  /// Reads a message. Without a description all fields are unknown.
  ///
  /// - Parameters:
  ///   - bytes: The message in wire format.
  ///   - descriptor: Names the fields; `nil` when the type is unknown.
  ///   - privacy: The class of what surrounds the message: no field is shown more freely.
  public init(_ bytes: [UInt8], as descriptor: MessageDescriptor?, within privacy: Privacy = .public) {
    self = bytes.withUnsafeBytes { buffer in
      MessageFields(buffer, as: descriptor, within: privacy)
    }
  }

  /// The same with the fields that the bytes leave out because they hold their default, where that is an answer: `false`,
  /// zero, or the first name of an enumeration. Embedded messages stay as they are. Where the bytes cannot be read to their end, nothing is known to be left out.
  public func withDefaults(of descriptor: MessageDescriptor?) -> MessageFields {
    guard let descriptor, error == nil else { return self }
    var result = self
    result.fields = descriptor.fields.compactMap { known in
      if let field = fields.first(where: { $0.name != nil && $0.number == known.number }) { return field }
      guard known.cardinality == .single, let value = Value(defaultOf: known.type) else { return nil }
      return Field(number: known.number, name: known.name, privacy: known.privacy, isRepeated: false, values: [value])
    }
    result.fields += fields.filter { $0.name == nil }
    return result
  }

  /// The first field with this name.
  public subscript(name: String) -> Field? {
    fields.first { $0.name == name }
  }

  private init(_ buffer: UnsafeRawBufferPointer, as descriptor: MessageDescriptor?, within privacy: Privacy) {
    var reader = WireReader(buffer)
    var found: [Int: Field] = [:]
    var unknown: [Field] = []
    do throws(WireError) {
      while let tag = try reader.nextField() {
        let start = tag.offset
        try reader.skip(tag)
        let raw = UnsafeRawBufferPointer(rebasing: buffer[start..<reader.offset])
        guard let known = descriptor?.field(numbered: tag.number) else {
          unknown.append(
            Field(
              number: tag.number, name: nil, privacy: .secret, isRepeated: false,
              values: [.unknown(tag.type, [UInt8](raw))]))
          continue
        }
        let stricter = known.privacy.rawValue > privacy.rawValue ? known.privacy : privacy
        let value = Value(of: known.type, in: raw, at: start, within: stricter)
        let isRepeated = known.cardinality == .repeated
        if isRepeated, found[tag.number] != nil {
          found[tag.number]?.values.append(value)
        } else {
          // Of several occurrences of a field that may occur once the last one counts.
          found[tag.number] = Field(
            number: tag.number, name: known.name, privacy: isRepeated ? stricter : value.privacy(in: stricter),
            isRepeated: isRepeated, values: [value])
        }
      }
    } catch {
      self.error = error
    }
    fields = (descriptor?.fields.compactMap { found[$0.number] } ?? []) + unknown
  }
}

extension MessageFields.Value {
  /// Reads one field, tag included; `offset` is where it begins in the message.
  fileprivate init(of type: FieldType, in raw: UnsafeRawBufferPointer, at offset: Int, within privacy: Privacy) {
    do throws(WireError) {
      var reader = WireReader(raw, base: offset)
      guard let field = try reader.nextField() else { throw WireError(.truncated, at: offset) }
      self =
        switch type {
        case .bool: .bool(try reader.bool(field))
        case .unsigned: .unsigned(try reader.unsigned(field))
        case .signed: .signed(try reader.signed(field))
        case .string: .text(try reader.string(field))
        case .json: .json(try reader.string(field))
        case .bytes: .bytes(try reader.bytes(field))
        case .guid: try .guid(reader, field)
        case .time: .time(try reader.fixed(field))
        case .duration: .duration(try reader.signed(field))
        case .account: .account(try reader.unsigned(field))
        case .sequence: .sequence(try reader.unsigned(field))
        case .enumeration(let names): .named(try reader.unsigned(field), in: names)
        case .message(let descriptor):
          .message(MessageFields(try reader.bytes(field), as: descriptor, within: privacy))
        }
    } catch {
      self = .undecodable([UInt8](raw), error)
    }
  }

  /// The class of the value in a field of a class.
  fileprivate func privacy(in declared: Privacy) -> Privacy {
    switch self {
    case .text(let text), .json(let text): declared.ofValue(text)
    default: declared
    }
  }

  /// The default of a type whose default says something; `nil` where it means that nothing is there.
  fileprivate init?(defaultOf type: FieldType) {
    switch type {
    case .bool: self = .bool(false)
    case .unsigned: self = .unsigned(0)
    case .signed: self = .signed(0)
    case .enumeration(let names):
      guard let name = names.name(of: 0) else { return nil }
      self = .enumeration(0, name: name)
    case .string, .json, .bytes, .guid, .time, .duration, .account, .sequence, .message: return nil
    }
  }

  private static func guid(_ reader: WireReader, _ field: WireReader.Field) throws(WireError) -> Self {
    var reader = reader
    let bytes = try reader.bytes(field)
    guard bytes.count == 16 else { throw WireError(.outOfRange(field: field.number), at: field.offset) }
    return .guid(bytes)
  }

  private static func named(_ number: UInt64, in names: EnumerationDescriptor) -> Self {
    .enumeration(number, name: names.name(of: number))
  }
}

extension MessageDescriptor {
  /// The field with this number, if there is one. O(number of fields).
  public func field(numbered number: Int) -> FieldDescriptor? {
    fields.first { $0.number == number }
  }
}
