import WireFormat

/// The fields of any message, decoded with the help of its description for printing.
///
/// Never traps or fails: an unreadable field becomes a value of its own, and the fields before it are kept.
///
/// ```swift
/// for field in record.fields.fields {
///   print(field.name ?? "field \(field.number)", field.values)
/// }
/// ```
public struct MessageFields: Equatable, Sendable {
  /// The described fields in the description's order, then the unknown ones in wire order. A field that is absent or
  /// holds its default is left out.
  public private(set) var fields: [Field] = []
  /// Why the rest of the bytes could not be read; `nil` if all were.
  public private(set) var error: WireError?

  /// One field present in the message.
  public struct Field: Equatable, Sendable {
    /// The field's number on the wire.
    public let number: Int
    /// Its name in the description; `nil` for an unknown field.
    public let name: String?
    /// Who may see it: the stricter of its own class and that of the enclosing message, unless the value cannot be
    /// personal. An unknown field may hold anything, so its class is ``Privacy/secret``.
    public fileprivate(set) var privacy: Privacy
    /// Whether the description allows several occurrences.
    public let isRepeated: Bool
    /// What it holds; a single value unless the field is repeated.
    public fileprivate(set) var values: [Value]
  }

  /// The value of one occurrence.
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
    /// Personal data that is sealed.
    case sealed(SealedValue)
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    case time(Int64)
    /// A length of time in nanoseconds.
    case duration(Int64)
    /// A number of any size and precision.
    case double(Double)
    /// A day.
    case date(CivilDate)
    /// The number of something that events refer to, and what that is.
    case reference(UInt64, ReferenceDescriptor)
    /// The position of an event.
    case sequence(UInt64)
    /// A member of an enumeration; the name is `nil` if the description has none for the number.
    case enumeration(UInt64, name: String?)
    /// The fields of an embedded message.
    case message(MessageFields)
    /// The bytes of an unknown field exactly as they are on the wire: tag, length and value.
    case unknown(WireType, [UInt8])
    /// The bytes, tag included, of a field whose contents do not match its description.
    case undecodable([UInt8], WireError)
  }

  /// Decodes a message. Without a description, all fields are unknown.
  ///
  /// - Parameters:
  ///   - bytes: The message in wire format.
  ///   - descriptor: Names the fields; `nil` if the type is unknown.
  ///   - privacy: The class of the enclosing message; no field gets a less strict one.
  public init(_ bytes: [UInt8], as descriptor: MessageDescriptor?, within privacy: Privacy = .public) {
    self = bytes.withUnsafeBytes { buffer in
      MessageFields(buffer, as: descriptor, within: privacy)
    }
  }

  /// The fields including those omitted because they hold their default, where the default is an answer: `false`,
  /// zero, or the first name of an enumeration. Embedded messages are left alone, and so is a message that could not be
  /// read to its end, because its missing fields are unknown.
  public func withDefaults(of descriptor: MessageDescriptor?) -> MessageFields {
    guard let descriptor, error == nil else { return self }
    var result = self
    // Both are in the order of the numbers.
    var present = fields.prefix { $0.name != nil }
    result.fields = descriptor.fields.compactMap { known in
      present = present.drop { $0.number < known.number }
      if let field = present.first, field.number == known.number { return field }
      guard known.cardinality == .single, let value = Value(defaultOf: known) else { return nil }
      return Field(number: known.number, name: known.name, privacy: known.privacy, isRepeated: false, values: [value])
    }
    result.fields += fields.filter { $0.name == nil }
    return result
  }

  /// Why the bytes are not a message as described: the rest of them, or a value within them, could not be read.
  var mismatch: WireError? {
    for case let value in fields.lazy.flatMap(\.values) {
      switch value {
      case .undecodable(_, let error): return error
      case .message(let part): if let mismatch = part.mismatch { return mismatch }
      case .bool, .unsigned, .signed, .text, .json, .bytes, .guid, .sealed, .time, .duration, .double, .date,
        .reference,
        .sequence, .enumeration, .unknown:
        continue
      }
    }
    return error
  }

  /// The first field with this name; `nil` if there is none.
  public subscript(name: String) -> Field? {
    fields.first { $0.name == name }
  }

  /// Decodes a message in place.
  init(_ buffer: UnsafeRawBufferPointer, as descriptor: MessageDescriptor?, within privacy: Privacy = .public) {
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
        let value = Value(of: known, in: raw, at: start, within: stricter)
        let isRepeated = known.cardinality == .repeated
        if isRepeated, found[tag.number] != nil {
          found[tag.number]?.values.append(value)
        } else {
          // A field that may occur once takes its last occurrence.
          found[tag.number] = Field(
            number: tag.number, name: known.name, privacy: isRepeated ? stricter : value.privacy(in: stricter),
            isRepeated: isRepeated, values: [value])
        }
      }
    } catch {
      self.error = error
    }
    if let descriptor { Self.raiseSecrets(in: &found, descriptor, within: privacy) }
    fields = (descriptor?.fields.compactMap { found[$0.number] } ?? []) + unknown
  }

  /// Gives the class of secrets to personal texts that the text beside them names so: a value of an app configuration with its
  /// key.
  private static func raiseSecrets(
    in found: inout [Int: Field], _ descriptor: MessageDescriptor, within privacy: Privacy
  ) {
    guard let naming = descriptor.namingField, case .text(let name)? = found[naming]?.values.first else { return }
    for field in descriptor.fields where field.number != naming {
      guard let text = found[field.number]?.values.first?.writtenText,
        field.isSecret(text, named: name, within: privacy)
      else { continue }
      found[field.number]?.privacy = .secret
    }
  }
}

extension FieldDescriptor {
  /// Whether a text of this field is a secret because the text beside it, which names it, says so.
  ///
  /// - Parameter outer: The class of the message that it is in.
  package func isSecret(_ text: String, named name: String, within outer: Privacy) -> Bool {
    cardinality != .repeated && max(privacy.rawValue, outer.rawValue) == Privacy.account.rawValue
      && Privacy.isSecret(text, named: name)
  }
}

extension MessageFields.Value {
  /// Reads one field, tag included; `offset` is its position in the message.
  fileprivate init(of known: FieldDescriptor, in raw: UnsafeRawBufferPointer, at offset: Int, within privacy: Privacy) {
    do throws(WireError) {
      var reader = WireReader(raw, base: offset)
      guard let field = try reader.nextField() else { throw WireError(.truncated, at: offset) }
      if known.type.canBeSealed, privacy != .public, SealedValue.isSealed(reader.peekBytes(field)) {
        self = .sealed(SealedValue(try reader.rawBytes(field)))
        return
      }
      self =
        switch known.type {
        case .time where known.refinement == .double:
          .double(Double(bitPattern: UInt64(bitPattern: try reader.fixed(field))))
        case .signed where known.refinement == .date: try .date(reader, field)
        case .bool: .bool(try reader.bool(field))
        case .unsigned: .unsigned(try reader.unsigned(field))
        case .signed: .signed(try reader.signed(field))
        case .string: .text(try reader.string(field))
        case .json: .json(try reader.string(field))
        case .bytes: .bytes(try reader.bytes(field))
        case .guid: try .guid(reader, field)
        case .time: .time(try reader.fixed(field))
        case .duration: .duration(try reader.signed(field))
        case .reference(let kind): .reference(try reader.unsigned(field), kind)
        case .sequence: .sequence(try reader.unsigned(field))
        case .enumeration(let names): .named(try reader.unsigned(field), in: names)
        case .message(let descriptor):
          .message(MessageFields(try reader.bytes(field), as: descriptor, within: privacy))
        }
    } catch {
      self = .undecodable([UInt8](raw), error)
    }
  }

  /// The text, of either kind.
  fileprivate var writtenText: String? {
    switch self {
    case .text(let text), .json(let text): text
    case .bool, .unsigned, .signed, .bytes, .guid, .sealed, .time, .duration, .double, .date, .reference, .sequence,
      .enumeration, .message, .unknown, .undecodable:
      nil
    }
  }

  /// The privacy class of this value in a field declared with `declared`.
  fileprivate func privacy(in declared: Privacy) -> Privacy {
    switch self {
    case .text(let text), .json(let text): declared.ofValue(text)
    case .bool, .unsigned, .signed, .bytes, .guid, .sealed, .time, .duration, .double, .date, .reference, .sequence,
      .enumeration, .message, .unknown, .undecodable:
      declared
    }
  }

  /// The default of a type whose default carries information; `nil` where it means absence.
  fileprivate init?(defaultOf field: FieldDescriptor) {
    switch field.type {
    case .time where field.refinement == .double: self = .double(0)
    case .signed where field.refinement == .date: return nil
    case .bool: self = .bool(false)
    case .unsigned: self = .unsigned(0)
    case .signed: self = .signed(0)
    case .enumeration(let names):
      guard let name = names.name(of: 0) else { return nil }
      self = .enumeration(0, name: name)
    case .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence, .message: return nil
    }
  }

  private static func guid(_ reader: WireReader, _ field: WireReader.Field) throws(WireError) -> Self {
    var reader = reader
    let bytes = try reader.bytes(field)
    guard bytes.count == 16 else { throw WireError(.outOfRange(field: field.number), at: field.offset) }
    return .guid(bytes)
  }

  private static func date(_ reader: WireReader, _ field: WireReader.Field) throws(WireError) -> Self {
    var reader = reader
    guard let date = CivilDate(daysSince1970: try reader.signed(field)) else {
      throw WireError(.outOfRange(field: field.number), at: field.offset)
    }
    return .date(date)
  }

  private static func named(_ number: UInt64, in names: EnumerationDescriptor) -> Self {
    .enumeration(number, name: names.name(of: number))
  }
}

extension FieldType {
  /// Whether a field of this type may hold a ``SealedValue`` in place of its value.
  package var canBeSealed: Bool {
    switch self {
    case .string, .json, .guid: true
    case .bool, .unsigned, .signed, .bytes, .time, .duration, .reference, .sequence, .enumeration, .message: false
    }
  }
}

extension MessageDescriptor {
  /// The field with this number; `nil` if there is none. O(log n).
  public func field(numbered number: Int) -> FieldDescriptor? {
    var (low, high) = (0, fields.count)
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < fields.count && fields[low].number == number ? fields[low] : nil
  }
}
