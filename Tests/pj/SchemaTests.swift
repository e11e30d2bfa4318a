import Expectations
import AppProtection
import EventSourcing
import Forensics
import Testing
import WireFormat

@testable import CommandSupport

@Suite("The published schema")
struct SchemaTests {
  private static let path = "Sources/AppProtection/policyjournal.proto"

  @Test("The file in the repository is what the catalogue gives: UPDATE_GOLDEN=1 writes it again")
  func fileIsCurrent() throws {
    let (path, schema) = ("\(Repository.root)/\(Self.path)", ToolRun("schema", "--proto").output)
    if Platform.variable("UPDATE_GOLDEN") == "1" { try TestFiles.write(Array(schema.utf8), to: path) }
    expectEqual(String(decoding: try TestFiles.read(path), as: UTF8.self), schema)
  }

  @Test("Two messages or enumerations of one name are one")
  func namesAreUnambiguous() {
    var seen: [String: String] = [:]
    func note(_ name: String, _ shape: String) {
      #expect(seen[name] ?? shape == shape, "\(name) has two shapes")
      seen[name] = shape
    }
    func walk(_ message: MessageDescriptor) {
      note(message.name, "\(message.fields.map { "\($0.number) \($0.name) \($0.type.name)" })")
      for field in message.fields {
        switch field.type {
        case .message(let inner): walk(inner)
        case .enumeration(let names): note(names.name, "\(names.members.map { "\($0.number) \($0.name)" })")
        default: break
        }
      }
    }
    AppProtectionEvent.catalog.entries.forEach { walk($0.body) }
  }

  /// protoc reads what we write, knows every field of it, and writes the same bytes from what it read.
  @Test("protoc and this program agree on every event", arguments: AppProtectionEvent.catalog.entries.map(\.name))
  func protocAgrees(name: String) throws {
    let entry = try #require(AppProtectionEvent.catalog.entries.first { $0.name == name })
    let bytes = try sample(of: entry)
    try roundTrip(bytes, as: entry.body.name)
    var envelope = Envelope(type: entry.number, at: Moment(wallNanoseconds: -5, uptimeNanoseconds: 7))
    (envelope.version, envelope.cause, envelope.correlation, envelope.process) = (2, 3, 4, 5)
    (envelope.idempotencyKey, envelope.commandFingerprint) = ([1, 0], [3])
    (envelope.digest, envelope.body) = (RecordedDigest([4], as: .merkle), bytes)
    var writer = WireWriter()
    envelope.encode(into: &writer)
    try roundTrip(writer.bytes, as: "Envelope")
  }

  private func roundTrip(_ bytes: [UInt8], as message: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(bytes, to: "\(folder)/in")
      let schema = "-I \(Repository.root)/Sources/AppProtection policyjournal.proto"
      let message = "policyjournal.\(message)"
      expectEqual(
        TestFiles.shell("protoc --decode=\(message) \(schema) < \(folder)/in > \(folder)/text 2> \(folder)/err"), 0)
      let text = String(decoding: try TestFiles.read("\(folder)/text"), as: UTF8.self)
      let unknown = text.split(separator: "\n").filter { $0.drop { $0 == " " }.first?.isNumber ?? false }
      #expect(unknown.isEmpty, "fields that the schema does not know")
      expectEqual(TestFiles.shell("protoc --encode=\(message) \(schema) < \(folder)/text > \(folder)/out"), 0)
      try expectEqual(TestFiles.read("\(folder)/out"), bytes, "\(text)")
    }
  }

  /// An event with a value in every field that its description has, as this program encodes it.
  private func sample(of entry: EventDescriptor) throws -> [UInt8] {
    var writer = WireWriter()
    SampleMessage.write(entry.body, into: &writer)
    let event = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
      try AppProtectionEvent.decode(type: entry.number, version: entry.version, body: &reader)
    }
    var body = WireWriter()
    try #require(event).encodeBody(into: &body)
    // What the event does not carry over cannot be compared; nothing may get lost but what excludes each other.
    let written = MessageFields(body.bytes, as: entry.body).fields.map(\.number)
    expectEqual(written, entry.body.fields.map(\.number), "\(entry.name) drops a field")
    return body.bytes
  }
}

/// Messages with a value in every field, made from their descriptions.
enum SampleMessage {
  /// Fields that cannot stand beside another one of their message.
  private static let excluded: [String: Set<Int>] = [
    // An identity is nobody's or an account's; a scope has a window's number or a thread's label.
    "Identity": [1], "IdentityScope": [3],
  ]

  static func write(_ message: MessageDescriptor, into writer: inout WireWriter) {
    for field in message.fields where excluded[message.name]?.contains(field.number) != true {
      for round in 0..<(field.cardinality == .repeated ? 2 : 1) { write(field, round, in: message.name, into: &writer) }
    }
  }

  private static func write(_ field: FieldDescriptor, _ round: Int, in message: String, into writer: inout WireWriter) {
    switch field.type {
    case .bool: writer.write(field.number, bool: true)
    case .unsigned, .reference, .sequence: writer.write(field.number, unsigned: UInt64(3 + round))
    case .signed, .duration: writer.write(field.number, signed: 60_000_000_000)
    case .time: writer.write(field.number, fixed: 1_583_398_800_000_000_000)
    case .string: writer.write(field.number, string: text(field, message))
    case .json: writer.write(field.number, string: "{\"a\":[1,\"\\u00e9\"]}")
    case .bytes: writer.write(field.number, bytes: [0, 255, UInt8(round)])
    case .guid: writer.write(field.number, bytes: (0..<16).map { UInt8($0 + round) })
    case .enumeration(let names):
      let members = names.members.filter { $0.number != 0 }
      let member = message == "IdentityScope" ? 2 : members.isEmpty ? 1 : members[round % members.count].number
      writer.write(field.number, unsigned: member)
    case .message(let inner): writer.write(field.number) { write(inner, into: &$0) }
    }
  }

  private static func text(_ field: FieldDescriptor, _ message: String) -> String {
    switch field.name {
    case "userPrincipalName": "alice@contoso.com"
    case _ where field.name.hasSuffix("DateTime"): "2020-03-05T10:00:00Z"
    case _ where field.name.hasPrefix("period") || field.name.hasPrefix("gracePeriod"): "PT30M"
    case _ where field.name.hasSuffix("Timeout"): "PT30M"
    default: "text"
    }
  }
}
