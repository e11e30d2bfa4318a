import WireFormat

extension EventCatalog {
  /// The catalogue's bytes: equal catalogues give equal bytes.
  public func encode() -> [UInt8] {
    var builder = CatalogBuilder()
    builder.form.events = entries.map { entry in
      EventForm(
        number: UInt64(entry.number), name: entry.name, version: UInt64(entry.version),
        unknownReaders: UInt64(entry.unknownReaders.rawValue), body: builder.place(of: entry.body),
        meaning: entry.meaning, remedy: entry.remedy ?? "")
    }
    builder.form.revision = UInt64(state?.revision ?? 0)
    builder.form.slices = (state?.slices ?? []).map {
      SliceForm(name: $0.name, unknownReaders: UInt64($0.unknownReaders.rawValue))
    }
    var writer = WireWriter()
    builder.form.encode(into: &writer)
    return writer.bytes
  }

  /// Reads a catalogue that any program wrote.
  ///
  /// Accepts any bytes: a description that contradicts itself, or would take more than ``maximumFieldCount`` fields or
  /// ``maximumMemberCount`` members to write out, or nests messages deeper than ``maximumDepth``, is refused. Meanings
  /// and remedies may hold any text: the printer escapes it.
  ///
  /// - Throws: ``CatalogError``.
  public init(decoding bytes: [UInt8]) throws(CatalogError) {
    let form: CatalogForm
    do throws(WireError) {
      form = try WireReader.decode(bytes) { (reader) throws(WireError) in try CatalogForm(from: &reader) }
    } catch {
      throw .unreadable(error)
    }
    let reader = try CatalogReader(form)
    self.init(try reader.events(), state: try reader.state())
  }

  /// Whether a text can be a name. Names are printed, compared and searched: they are short and hold nothing that disturbs a
  /// terminal.
  static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// The most fields that a catalogue may have when each message is written out wherever it occurs.
  public static var maximumFieldCount: Int { 65_536 }

  /// The most members of enumerations that a catalogue may have when each enumeration is written out at every field of
  /// every message that is written out.
  public static var maximumMemberCount: Int { 1_048_576 }

  /// The most messages that may lie within each other.
  public static var maximumDepth: Int { 32 }
}

/// Why bytes are not the description of a domain's events.
public enum CatalogError: Error, Equatable, Sendable, CustomStringConvertible {
  /// They are not in wire format.
  case unreadable(WireError)
  /// A name is empty, too long, or has other characters than letters, digits, `.`, `-` and `_`.
  case name(String)
  /// Two event types, fields or members share a number or a name, or are not in the order of their numbers.
  case order(in: String)
  /// A number is not one that this program knows or that its place allows.
  case number(UInt64, in: String)
  /// The fields or members are too many, or messages lie too deep in each other.
  case tooLarge

  /// One sentence that states the reason.
  public var description: String {
    switch self {
    case .unreadable(let error): "the catalogue cannot be read: \(error)"
    case .name(let name): "the catalogue contains a name that is not valid: \"\(name)\""
    case .order(let place): "the catalogue's \(place) are not in order, or share a number or a name"
    case .number(let number, let place): "the catalogue's \(place) cannot be \(number)"
    case .tooLarge:
      "the catalogue describes more than \(EventCatalog.maximumFieldCount) fields or \(EventCatalog.maximumMemberCount) "
        + "members, or messages too deep in each other"
    }
  }
}

/// Collects the messages and enumerations of a catalogue, each once.
private struct CatalogBuilder {
  var form = CatalogForm()
  private var messages: [[UInt8]: UInt64] = [:]
  private var enumerations: [[UInt8]: UInt64] = [:]

  mutating func place(of message: MessageDescriptor) -> UInt64 {
    let fields = message.fields.map { field in
      var form = FieldForm(
        number: UInt64(clamping: field.number), name: field.name, type: field.type.kind.rawValue,
        cardinality: field.cardinality.rawValue, privacy: UInt64(field.privacy.rawValue), meaning: field.meaning,
        refinement: field.refinement?.rawValue ?? 0)
      switch field.type {
      case .message(let part): form.place = place(of: part)
      case .enumeration(let names): form.place = place(of: names)
      case .reference(let kind): (form.reference, form.prefix) = (kind.name, kind.prefix)
      case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence: break
      }
      return form
    }
    return Self.place(of: MessageForm(name: message.name, fields: fields), in: &form.messages, &messages)
  }

  private mutating func place(of names: EnumerationDescriptor) -> UInt64 {
    let members = names.members.map { MemberForm(number: $0.number, name: $0.name) }
    return Self.place(of: EnumerationForm(name: names.name, members: members), in: &form.enumerations, &enumerations)
  }

  private static func place<Form: FieldList>(
    of form: Form, in table: inout [Form], _ places: inout [[UInt8]: UInt64]
  ) -> UInt64 {
    var writer = WireWriter()
    form.encode(into: &writer)
    if let known = places[writer.bytes] { return known }
    table.append(form)
    places[writer.bytes] = UInt64(table.count)
    return UInt64(table.count)
  }
}

/// How much a message is when the messages and enumerations within it are written out.
private struct WrittenSize {
  var fieldCount = 0
  var memberCount = 0
  /// How deep messages lie within each other.
  var depth = 0

  /// Adds a part, and refuses what has become too much.
  mutating func add(_ part: WrittenSize) throws(CatalogError) {
    fieldCount += part.fieldCount
    memberCount += part.memberCount
    depth = max(depth, part.depth)
    guard fieldCount <= EventCatalog.maximumFieldCount, memberCount <= EventCatalog.maximumMemberCount,
      depth <= EventCatalog.maximumDepth
    else { throw .tooLarge }
  }
}

/// Turns a catalogue's tables into descriptors, and refuses what cannot be one.
private struct CatalogReader {
  let form: CatalogForm
  private var enumerations: [EnumerationDescriptor] = []
  private var messages: [(descriptor: MessageDescriptor, size: WrittenSize)] = []

  init(_ form: CatalogForm) throws(CatalogError) {
    self.form = form
    for enumeration in form.enumerations { enumerations.append(try Self.descriptor(enumeration)) }
    for message in form.messages { messages.append(try descriptor(message)) }
  }

  func events() throws(CatalogError) -> [EventDescriptor] {
    try Self.checkOrder(form.events, "event types", \.number, \.name)
    var events: [EventDescriptor] = []
    var size = WrittenSize()
    for event in form.events {
      guard let number = UInt32(exactly: event.number), number > 0 else {
        throw .number(event.number, in: "event type")
      }
      guard let version = UInt32(exactly: event.version), version > 0 else {
        throw .number(event.version, in: "version of \(event.name)")
      }
      guard let rule = UInt8(exactly: event.unknownReaders).flatMap(UnknownReaderRule.init) else {
        throw .number(event.unknownReaders, in: "rule of \(event.name)")
      }
      guard let body = Self.element(event.body, of: messages) else {
        throw .number(event.body, in: "body of \(event.name)")
      }
      try size.add(body.size)
      events.append(
        EventDescriptor(
          number, event.name, version: version, unknownReaders: rule, body: body.descriptor, meaning: event.meaning,
          remedy: event.remedy.isEmpty ? nil : event.remedy))
    }
    return events
  }

  /// What computes the states; `nil` if it is not stated.
  func state() throws(CatalogError) -> StateDescriptor? {
    guard let revision = UInt32(exactly: form.revision) else { throw .number(form.revision, in: "revision") }
    guard form.slices.count <= EventCatalog.maximumFieldCount else { throw .tooLarge }
    var slices: [StateDescriptor.Slice] = []
    for slice in form.slices {
      try Self.check(slice.name)
      guard let rule = UInt8(exactly: slice.unknownReaders).flatMap(UnknownReaderRule.init) else {
        throw .number(slice.unknownReaders, in: "rule of \(slice.name)")
      }
      slices.append(StateDescriptor.Slice(slice.name, unknownReaders: rule))
    }
    guard Set(slices.map(\.name)).count == slices.count else { throw .order(in: "slices") }
    return revision == 0 ? nil : StateDescriptor(revision: revision, slices: slices)
  }

  private func descriptor(_ form: MessageForm) throws(CatalogError) -> (MessageDescriptor, WrittenSize) {
    try Self.check(form.name)
    try Self.checkOrder(form.fields, "fields of \(form.name)", \.number, \.name)
    var fields: [FieldDescriptor] = []
    var size = WrittenSize()
    try size.add(WrittenSize(fieldCount: form.fields.count, depth: 1))
    for field in form.fields {
      guard let number = Int(exactly: field.number), (1...WireReader.maximumFieldNumber).contains(number) else {
        throw .number(field.number, in: "field \(field.name)")
      }
      guard let cardinality = FieldDescriptor.Cardinality(rawValue: field.cardinality) else {
        throw .number(field.cardinality, in: "cardinality of \(field.name)")
      }
      guard let privacy = UInt8(exactly: field.privacy).flatMap(Privacy.init) else {
        throw .number(field.privacy, in: "privacy class of \(field.name)")
      }
      let type = try type(of: field, &size)
      // One that this program does not know, or that refines another type, changes nothing.
      let refinement = FieldRefinement(rawValue: field.refinement).flatMap { $0.refines(type) ? $0 : nil }
      fields.append(
        FieldDescriptor(
          number, field.name, type, refinement: refinement, cardinality, privacy: privacy, field.meaning))
    }
    return (MessageDescriptor(form.name, fields), size)
  }

  private func type(of field: FieldForm, _ size: inout WrittenSize) throws(CatalogError) -> FieldType {
    guard let kind = FieldType.Kind(rawValue: field.type) else {
      throw .number(field.type, in: "type of \(field.name)")
    }
    switch kind {
    case .bool: return .bool
    case .unsigned: return .unsigned
    case .signed: return .signed
    case .string: return .string
    case .json: return .json
    case .bytes: return .bytes
    case .guid: return .guid
    case .time: return .time
    case .duration: return .duration
    case .sequence: return .sequence
    case .reference:
      try Self.check(field.reference)
      guard !FieldType.isScalarName(field.reference) else { throw .name(field.reference) }
      if !field.prefix.isEmpty { try Self.check(field.prefix) }
      return .reference(ReferenceDescriptor(field.reference, prefix: field.prefix))
    case .enumeration:
      guard let names = Self.element(field.place, of: enumerations) else {
        throw .number(field.place, in: "enumeration of \(field.name)")
      }
      try size.add(WrittenSize(memberCount: names.members.count))
      return .enumeration(names)
    case .message:
      // Only earlier messages are in the table yet, so no message contains itself.
      guard let part = Self.element(field.place, of: messages) else {
        throw .number(field.place, in: "message of \(field.name)")
      }
      var inner = part.size
      inner.depth += 1
      try size.add(inner)
      return .message(part.descriptor)
    }
  }

  private static func descriptor(_ form: EnumerationForm) throws(CatalogError) -> EnumerationDescriptor {
    try check(form.name)
    try checkOrder(form.members, "members of \(form.name)", \.number, \.name)
    return EnumerationDescriptor(form.name, form.members.map { ($0.number, $0.name) })
  }

  /// The element at a place, counted from 1.
  private static func element<Element>(_ place: UInt64, of table: [Element]) -> Element? {
    guard place > 0, place <= UInt64(table.count) else { return nil }
    return table[Int(place - 1)]
  }

  /// Refuses elements whose numbers do not ascend, or that share a name.
  private static func checkOrder<Form>(
    _ forms: [Form], _ place: String, _ number: (Form) -> UInt64, _ name: (Form) -> String
  ) throws(CatalogError) {
    for form in forms { try check(name(form)) }
    guard zip(forms, forms.dropFirst()).allSatisfy({ number($0) < number($1) }),
      Set(forms.map(name)).count == forms.count
    else { throw .order(in: place) }
  }

  private static func check(_ name: String) throws(CatalogError) {
    guard EventCatalog.isName(name) else { throw .name(String(name.prefix(128))) }
  }
}

extension FieldType {
  /// The type without what it names, with its number in a catalogue. Numbers are never reused.
  enum Kind: UInt64 {
    case bool = 1
    case unsigned, signed, string, json, bytes, guid, time, duration, reference, sequence, enumeration, message
  }

  var kind: Kind {
    switch self {
    case .bool: .bool
    case .unsigned: .unsigned
    case .signed: .signed
    case .string: .string
    case .json: .json
    case .bytes: .bytes
    case .guid: .guid
    case .time: .time
    case .duration: .duration
    case .reference: .reference
    case .sequence: .sequence
    case .enumeration: .enumeration
    case .message: .message
    }
  }
}
