import Expectations
import EventSourcing
import Testing
import WireFormat

/// A random number generator with a seed (splitmix64), so that a failing test can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

@Suite("The fields of a message, for printing")
struct MessageFieldsTests {
  private static let color = EnumerationDescriptor("Color", [(1, "red"), (2, "green")])

  private static let everything = MessageDescriptor(
    "Everything",
    [
      FieldDescriptor(1, "flag", .bool, .single, ""),
      FieldDescriptor(2, "count", .unsigned, .single, ""),
      FieldDescriptor(3, "delta", .signed, .single, ""),
      FieldDescriptor(4, "text", .string, .single, privacy: .account, ""),
      FieldDescriptor(5, "document", .json, .single, ""),
      FieldDescriptor(6, "blob", .bytes, .single, privacy: .secret, ""),
      FieldDescriptor(7, "id", .guid, .single, ""),
      FieldDescriptor(8, "at", .time, .single, ""),
      FieldDescriptor(9, "took", .duration, .single, ""),
      FieldDescriptor(10, "who", .reference(LedgerEvent.account), .single, ""),
      FieldDescriptor(11, "which", .sequence, .single, ""),
      FieldDescriptor(12, "color", .enumeration(color), .single, ""),
      FieldDescriptor(13, "owner", .message(LedgerEvent.owner), .single, ""),
      FieldDescriptor(14, "numbers", .unsigned, .repeated, ""),
      FieldDescriptor(15, "hidden", .message(LedgerEvent.owner), .single, privacy: .secret, ""),
    ])

  @Test("A default that is an answer is added if the bytes omit it, and nothing else")
  func defaults() {
    let colors = EnumerationDescriptor("Color", [(0, "none"), (1, "red")])
    let inner = MessageDescriptor("Inner", [FieldDescriptor(1, "color", .enumeration(colors), .single, "")])
    let descriptor = MessageDescriptor(
      "Answer",
      [
        FieldDescriptor(1, "flag", .bool, .single, ""), FieldDescriptor(2, "count", .unsigned, .single, ""),
        FieldDescriptor(3, "text", .string, .single, ""), FieldDescriptor(4, "maybe", .bool, .optional, ""),
        FieldDescriptor(5, "color", .enumeration(colors), .single, ""),
        FieldDescriptor(6, "other", .enumeration(Self.color), .single, ""),
        FieldDescriptor(7, "inner", .message(inner), .repeated, ""), FieldDescriptor(8, "at", .time, .single, ""),
      ])
    var writer = WireWriter()
    writer.write(2, unsigned: 7)
    writer.write(7) { _ in }
    let fields = MessageFields(writer.bytes, as: descriptor).withDefaults(of: descriptor)
    expectEqual(fields.fields.map(\.name), ["flag", "count", "color", "inner"])
    #expect(fields["flag"]?.values == [.bool(false)] && fields["count"]?.values == [.unsigned(7)])
    expectEqual(fields["color"]?.values, [.enumeration(0, name: "none")])
    expectEqual(fields["inner"]?.values, [.message(MessageFields([], as: inner))])
    let cut = MessageFields([0x10], as: descriptor)
    #expect(cut.error != nil && cut.withDefaults(of: descriptor) == cut)
  }

  @Test(
    "Values that cannot be personal are shown even in personal fields",
    arguments: [
      ("true", false), ("", false), ("\"\"", false), ("null", false), ("42", false), ("-1.5", false), ("999", false),
      ("4711", true), ("-12.34", true), ("[1, 471100]", true),
      ("[1, true]", false),
      ("{{mail}}", false), (" {{ UserID }}", false), ("{{Alice Smith}}", true), ("{{a@b}}", true),
      ("for {{mail}}", true),
      ("[]", false), ("alice", true), ("5551234567", true), ("[1, \"a\"]", true), ("{\"a\": 1}", true), ("[[1]]", true),
    ])
  func personal(text: String, isPersonal: Bool) {
    expectEqual(Privacy.canBePersonal(text), isPersonal)
    expectEqual(Privacy.account.ofValue(text), isPersonal ? .account : .public)
    #expect(Privacy.secret.ofValue(text) == .secret && Privacy.public.ofValue(text) == .public)
  }

  private func encoded() -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, bool: true)
    writer.write(2, unsigned: 300)
    writer.write(3, signed: -5)
    writer.write(4, string: "ü")
    writer.write(5, string: "{}")
    writer.write(6, bytes: [1, 2])
    writer.write(7, bytes: [UInt8](0..<16))
    writer.write(8, fixed: -9)
    writer.write(9, signed: 1_000)
    writer.write(10, unsigned: 4)
    writer.write(11, unsigned: 44)
    writer.write(12, unsigned: 2)
    writer.write(13, message: { $0.write(1, string: "Ada") })
    writer.writePresent(14, unsigned: 7)
    writer.writePresent(14, unsigned: 0)
    writer.write(15, message: { $0.write(1, string: "Eve") })
    return writer.bytes
  }

  @Test("Every type of field is read by its description")
  func types() {
    let fields = MessageFields(encoded(), as: Self.everything)
    #expect(fields.error == nil)
    expectEqual(fields.fields.map(\.name), Self.everything.fields.map(\.name))
    let values = fields.fields.map(\.values)
    let expected: [[MessageFields.Value]] = [
      [.bool(true)], [.unsigned(300)], [.signed(-5)], [.text("ü")], [.json("{}")], [.bytes([1, 2])],
      [.guid([UInt8](0..<16))], [.time(-9)], [.duration(1_000)], [.reference(4, LedgerEvent.account)], [.sequence(44)],
      [.enumeration(2, name: "green")],
    ]
    expectEqual(Array(values.prefix(12)), expected)
    expectEqual(values[13], [.unsigned(7), .unsigned(0)])
    expectEqual(fields["numbers"]?.isRepeated, true)
    expectEqual(fields["text"]?.privacy, .account)
    #expect(fields["absent"] == nil)
  }

  @Test("Inside a message, no field is less private than the message")
  func privacy() throws {
    let fields = MessageFields(encoded(), as: Self.everything)
    for (name, expected) in [("owner", Privacy.account), ("hidden", .secret)] {
      guard case .message(let inner)? = fields[name]?.values.first else {
        Issue.record("\(name) is no message")
        continue
      }
      expectEqual(inner.fields.map(\.privacy), [expected])
    }
  }

  @Test("An unknown field keeps its number and bytes, and is secret")
  func unknown() {
    var writer = WireWriter()
    writer.write(1, bool: true)
    writer.write(99, string: "x")
    let fields = MessageFields(writer.bytes, as: Self.everything)
    expectEqual(fields.fields.map(\.number), [1, 99])
    #expect(fields.fields.last?.name == nil)
    expectEqual(fields.fields.last?.privacy, .secret)
    expectEqual(fields.fields.last?.values, [.unknown(.lengthDelimited, [0x9a, 0x06, 1, 0x78])])
    expectEqual(MessageFields(writer.bytes, as: nil).fields.map(\.name), [nil, nil])
  }

  @Test("An enumeration's number without a name stays a number")
  func namelessMember() {
    expectEqual(MessageFields([12 << 3, 9], as: Self.everything)["color"]?.values, [.enumeration(9, name: nil)])
  }

  @Test("A field that does not match its description is shown as its bytes and the reason")
  func undecodable() {
    // A string where a bool should be; a GUID of two bytes; text that is not UTF-8.
    let bytes: [UInt8] = [1 << 3 | 2, 1, 0x61, 7 << 3 | 2, 2, 1, 2, 4 << 3 | 2, 1, 0xff]
    let fields = MessageFields(bytes, as: Self.everything)
    expectEqual(fields["flag"]?.values, [.undecodable([10, 1, 0x61], WireError(.wrongWireType(field: 1), at: 0))])
    expectEqual(fields["id"]?.values, [.undecodable([58, 2, 1, 2], WireError(.outOfRange(field: 7), at: 3))])
    expectEqual(fields["text"]?.values, [.undecodable([34, 1, 0xff], WireError(.invalidUTF8(field: 4), at: 7))])
    #expect(fields.error == nil)
  }

  @Test("Fields before malformed bytes are shown")
  func truncated() {
    let fields = MessageFields([8, 1, 18, 200], as: Self.everything)
    expectEqual(fields["flag"]?.values, [.bool(true)])
    expectEqual(fields.error?.code, .truncated)
  }

  @Test("The last occurrence of a single field counts")
  func lastCounts() {
    expectEqual(MessageFields([16, 1, 16, 2], as: Self.everything)["count"]?.values, [.unsigned(2)])
  }

  @Test("No bytes stop the program, whatever the description", arguments: [1, 2, 3] as [UInt64])
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let valid = encoded()
    for round in 0..<20_000 {
      var bytes: [UInt8]
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
        }
      } else {
        bytes = valid
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
      }
      let fields = MessageFields(bytes, as: round % 3 == 0 ? nil : Self.everything)
      let record = bytes.withUnsafeBytes { RecordedEvent<LedgerEvent>(sequence: 1, chain: 0, payload: $0) }
      _ = record.fields
      // Every byte that was read stands in at most one field.
      #expect(fields.fields.count <= bytes.count, "seed \(seed), round \(round)")
    }
  }
}
