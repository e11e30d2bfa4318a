import EventSourcing
import JSON
import SensitiveText
import WireFormat

/// Replaces what is personal in events by pseudonyms, by the descriptions of their fields. What no description covers does
/// not leave.
///
/// It belongs to one thread at a time.
final class PayloadRedactor {
  private let pseudonyms: Pseudonyms
  /// How often each field was met, and what became of it.
  private(set) var uses: [ExportFieldUse: UInt64] = [:]
  /// How many secrets were met, those in links too; counted where uses are.
  private(set) var secrets: UInt64 = 0
  /// The type of the event at hand, for ``uses``.
  private var type = ""
  /// Whether uses are counted.
  private let counts: Bool

  /// Takes the place of bytes that cannot be read, and cannot be read either.
  private static let unreadable: [UInt8] = [0]

  init(_ pseudonyms: Pseudonyms, counts: Bool = false) {
    (self.pseudonyms, self.counts) = (pseudonyms, counts)
  }

  /// An event's payload without what is personal in it.
  ///
  /// - Returns: Nothing for the place of a lost event.
  func payload<Event>(of event: RecordedEvent<Event>) -> [UInt8] {
    if case .lost = event.content { return [] }
    type = event.typeName
    if case .foreign = event.content {
      countUse("payload", .secret, .withheld)
      return Self.unreadable
    }
    var envelope = brought(event)
    envelope.body = body(envelope.body, of: event)
    let (key, fingerprint) = command(envelope.idempotencyKey, envelope.commandFingerprint)
    (envelope.idempotencyKey, envelope.commandFingerprint) = (key, fingerprint)
    if !key.isEmpty { countUse("idempotencyKey", .account, .pseudonym, ofEnvelope: true) }
    // They are digests of what is personal too: with the rest of a state at hand, names could be tried.
    if envelope.digest != nil { countUse("stateDigest", .account, .withheld, ofEnvelope: true) }
    envelope.digest = nil
    if var attributes = envelope.attributes {
      attributes.stream = attribute(attributes.stream, "stream")
      for index in attributes.metadata.indices {
        attributes.metadata[index].value = attribute(
          attributes.metadata[index].value, "metadata.\(attributes.metadata[index].key)")
      }
      envelope.attributes = attributes
    }
    var writer = WireWriter()
    envelope.encode(into: &writer)
    return writer.bytes
  }

  /// A stored state without what is personal in it; `nil` where that cannot be determined.
  ///
  /// - Parameter slices: The fields of each slice, in the order of the slices.
  func state<Machine: Reducer>(
    _ body: [UInt8], of machine: Machine.Type, _ slices: [MessageDescriptor]
  ) -> [UInt8]? {
    guard slices.count == Machine.State.sliceNames.count else { return nil }
    return try? CheckpointRewriting.rewritten(
      body, of: machine, rewriteSlice: { message($1, slices[$0]) ?? [] }, rewriteCommand: { command($0, $1) })
  }

  /// The key and the fingerprint of a command.
  func command(_ key: [UInt8], _ fingerprint: [UInt8]) -> (key: [UInt8], fingerprint: [UInt8]) {
    (pseudonyms.bytes(key), pseudonyms.fingerprint(fingerprint, of: key))
  }

  private func attribute(_ text: String, _ name: String) -> String {
    guard !text.isEmpty, Privacy.canBePersonal(text) else { return text }
    if counts, TextPrivacy.holdsSecret(text) { secrets += 1 }
    countUse(name, .account, .pseudonym, ofEnvelope: true)
    return pseudonyms.text(text)
  }

  /// The envelope; where no description fits the version that was written, that of the event as this program reads it.
  private func brought<Event>(_ event: RecordedEvent<Event>) -> Envelope {
    var envelope = event.envelope
    guard case .known(let known) = event.content, Event.isUpcast(type: envelope.type, version: envelope.version),
      let entry = Event.catalog[known.type]
    else { return envelope }
    var writer = WireWriter()
    known.encodeBody(into: &writer)
    (envelope.type, envelope.version, envelope.body) = (entry.number, entry.version, writer.bytes)
    return envelope
  }

  private func body<Event>(_ body: [UInt8], of event: RecordedEvent<Event>) -> [UInt8] {
    if body.isEmpty { return body }
    if event.isUnderstood, let descriptor = event.descriptor?.body, let redacted = message(body, descriptor) {
      return redacted
    }
    countUse("body", .secret, .withheld)
    return Self.unreadable
  }

  /// A message without what is personal in it; `nil` where it is not as described.
  func message(_ bytes: [UInt8], _ descriptor: MessageDescriptor) -> [UInt8]? {
    var writer = WireWriter()
    do throws(WireError) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        try message(&reader, descriptor, .public, "", into: &writer)
      }
      return writer.bytes
    } catch {
      return nil
    }
  }

  private func message(
    _ reader: inout WireReader, _ descriptor: MessageDescriptor, _ privacy: Privacy, _ path: String,
    into writer: inout WireWriter
  ) throws(WireError) {
    let name = try name(in: reader, descriptor)
    while let found = try reader.nextField() {
      guard let field = descriptor.field(numbered: found.number) else {
        try reader.skip(found)
        countUse(path + "field \(found.number)", .secret, .withheld)
        continue
      }
      let stricter = field.privacy.rawValue > privacy.rawValue ? field.privacy : privacy
      if case .message(let inner) = field.type {
        let name = counts ? "\(path)\(field.name)." : ""
        let raw = try reader.rawBytes(found)
        var nested = WireWriter()
        var nestedReader = WireReader(raw)
        try message(&nestedReader, inner, stricter, name, into: &nested)
        writer.write(found.number, message: { $0.append(encoded: nested.bytes) })
        continue
      }
      let isSecret = name.map { self.isSecret(found, field, named: $0, in: descriptor, privacy, reader) } ?? false
      try value(found, of: field, isSecret ? .secret : stricter, &reader, path, into: &writer)
    }
  }

  /// Whether a value is a secret because the text beside it, which names it, says so.
  private func isSecret(
    _ found: WireReader.Field, _ field: FieldDescriptor, named name: String, in descriptor: MessageDescriptor,
    _ privacy: Privacy, _ reader: WireReader
  ) -> Bool {
    switch field.type {
    case .string, .json:
      found.number != descriptor.namingField
        && field.isSecret(String(decoding: reader.peekBytes(found), as: UTF8.self), named: name, within: privacy)
    case .bool, .unsigned, .signed, .bytes, .guid, .time, .duration, .reference, .sequence, .enumeration, .message:
      false
    }
  }

  /// The text that names what stands beside it; `nil` where nothing does, or one that is sealed. It may come after what it names.
  private func name(in reader: WireReader, _ descriptor: MessageDescriptor) throws(WireError) -> String? {
    guard let naming = descriptor.namingField else { return nil }
    var ahead = reader
    while let found = try ahead.nextField() {
      if found.number == naming {
        return SealedValue.isSealed(ahead.peekBytes(found)) ? nil : try ahead.string(found)
      }
      try ahead.skip(found)
    }
    return nil
  }

  private func value(
    _ found: WireReader.Field, of field: FieldDescriptor, _ privacy: Privacy, _ reader: inout WireReader,
    _ path: String, into writer: inout WireWriter
  ) throws(WireError) {
    let number = found.number
    if field.type.canBeSealed, privacy != .public, SealedValue.isSealed(reader.peekBytes(found)) {
      writer.append(encoded: try reader.skipRaw(found))
      return countUse(field, privacy, .pseudonym, path)
    }
    if counts, holdsSecret(found, field.type, privacy, reader) { secrets += 1 }
    switch field.type {
    case .string:
      let text = try reader.string(found)
      let isPersonal = privacy.ofValue(text) != .public || TextPrivacy.identifies(text)
      guard isPersonal || TextPrivacy.holdsSecret(text) else { break }
      guard isPersonal else {
        writer.writePresent(number, string: TextPrivacy.withoutSecrets(text))
        return countUse(field, .secret, .withheld, path)
      }
      writer.writePresent(number, string: privacy == .secret ? Pseudonyms.secret : pseudonyms.text(text))
      return countUse(field, privacy, privacy == .secret ? .withheld : .pseudonym, path)
    case .json:
      let text = try reader.string(found)
      guard privacy != .secret else {
        writer.writePresent(number, string: "\"\(Pseudonyms.secret)\"")
        return countUse(field, privacy, .withheld, path)
      }
      let redacted = pseudonyms.json(text, isPersonal: privacy.ofValue(text) != .public)
      guard !redacted.utf8.elementsEqual(text.utf8) else { break }
      writer.writePresent(number, string: redacted)
      return countUse(field, privacy, .pseudonym, path)
    case .guid, .bytes:
      guard privacy != .public else { break }
      let bytes = try reader.bytes(found)
      let redacted = privacy == .secret ? [UInt8](repeating: 0, count: 16) : pseudonyms.guid(bytes)
      writer.write(number, message: { $0.append(encoded: redacted) })
      return countUse(field, privacy, privacy == .secret ? .withheld : .pseudonym, path)
    case .unsigned, .signed, .time, .duration, .enumeration:
      guard privacy != .public else { break }
      try reader.skip(found)
      return countUse(field, privacy, .withheld, path)
    // Yes and no, and numbers that the journal gives.
    case .bool, .reference, .sequence, .message: break
    }
    // Strings are read already.
    writer.append(encoded: try copied(found, field.type, &reader))
    countUse(field, privacy, .shown, path)
  }

  /// Whether a value is a secret, or has one in a link.
  private func holdsSecret(
    _ found: WireReader.Field, _ type: FieldType, _ privacy: Privacy, _ reader: WireReader
  ) -> Bool {
    switch type {
    case .string, .json:
      let text = String(decoding: reader.peekBytes(found), as: UTF8.self)
      if privacy == .secret { return !text.isEmpty }
      if case .json = type { return TextPrivacy.shown(json: text, revealsPersons: true) != text }
      return TextPrivacy.holdsSecret(text)
    case .unsigned, .signed, .bytes, .guid, .time, .duration, .enumeration: return privacy == .secret
    case .bool, .reference, .sequence, .message: return false
    }
  }

  /// The bytes of a field as it is.
  private func copied(
    _ found: WireReader.Field, _ type: FieldType, _ reader: inout WireReader
  ) throws(WireError) -> [UInt8] {
    switch type {
    case .string, .json: Array(reader.encoded(found))
    case .bool, .unsigned, .signed, .bytes, .guid, .time, .duration, .reference, .sequence, .enumeration, .message:
      try reader.skipCopying(found)
    }
  }

  private func countUse(_ field: FieldDescriptor, _ privacy: Privacy, _ treatment: ExportTreatment, _ path: String) {
    guard counts else { return }
    countUse(path + field.name, privacy, treatment)
  }

  private func countUse(_ field: String, _ privacy: Privacy, _ treatment: ExportTreatment, ofEnvelope: Bool = false) {
    guard counts else { return }
    let use = ExportFieldUse(
      type: ofEnvelope ? "envelope" : type, field: field, privacy: privacy, treatment: treatment)
    uses[use, default: 0] += 1
  }
}
