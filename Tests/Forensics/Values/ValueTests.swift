import Expectations
import EventSourcing
import Forensics
import JSON
import Testing
import WireFormat

@Suite("Values in text and in JSON")
struct ValueTests {
  @Test(
    "Every value has a text and a JSON form",
    arguments: [
      (.unset, "unset", "null"), (.bool(true), "true", "true"), (.integer(-4), "-4", "-4"),
      (.name("enrolled"), "enrolled", "\"enrolled\""), (.text("iPhone15,2"), "iPhone15,2", "\"iPhone15,2\""),
      (.text("two words"), "\"two words\"", "\"two words\""), (.text(""), "\"\"", "\"\""),
      (.text("true"), "\"true\"", "\"true\""), (.text("a\"b\\"), "\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""),
      (.time(0), "1970-01-01T00:00:00Z", "\"1970-01-01T00:00:00Z\""),
      (.duration(1_800_000_000_000), "PT30M", "\"PT30M\""), (.sequence(42), "42", "42"),
      (.list([.name("a"), .integer(1)]), "[a, 1]", "[\"a\",1]"), (.list([]), "[]", "[]"),
      (.personal("alice", .account), "(withheld)", "{\"redacted\":\"account\"}"),
      (.personal("1234", .secret), "(secret)", "{\"redacted\":\"secret\"}"),
      (.personal("blue", .public), "blue", "\"blue\""),
    ] as [(StateValue, String, String)])
  func forms(value: StateValue, text: String, json: String) {
    expectEqual(ValueText(.on).text(value), text)
    expectEqual(ValueJSON(.on).json(value).description, json)
    var bytes: [UInt8] = []
    ValueJSON(.on).append(value, to: &bytes)
    expectEqual(String(decoding: bytes, as: UTF8.self), json)
  }

  @Test("Revealing shows personal values, but never a secret")
  func revealing() {
    expectEqual(ValueText(.revealing).text(.personal("alice", .account)), "alice")
    expectEqual(ValueJSON(.revealing).json(.personal("alice", .account)), "alice")
    expectEqual(ValueText(.revealing).text(.personal("1234", .secret)), "(secret)")
    expectEqual(ValueJSON(.revealing).json(.personal("1234", .secret)).description, "{\"redacted\":\"secret\"}")
  }

  private static let descriptor = MessageDescriptor(
    "Sample",
    [
      FieldDescriptor(1, "account", .reference(EventAccounts.kind), .single, "whose"),
      FieldDescriptor(2, "name", .string, .single, privacy: .account, "what the person is called"),
      FieldDescriptor(3, "key", .bytes, .single, privacy: .secret, "a key"),
      FieldDescriptor(4, "raw", .json, .single, "JSON"),
      FieldDescriptor(
        5, "kind", .enumeration(EnumerationDescriptor("Kind", [(0, "none"), (1, "some")])), .single, "a kind"),
      FieldDescriptor(6, "id", .guid, .single, "an id"),
      FieldDescriptor(
        7, "inner", .message(MessageDescriptor("Inner", [FieldDescriptor(1, "n", .unsigned, .single, "a number")])),
        .repeated, "parts"),
      FieldDescriptor(8, "flag", .bool, .single, "a flag"),
    ])

  private static var fields: MessageFields {
    var writer = WireWriter()
    writer.write(1, unsigned: 2)
    writer.write(2, string: "alice@contoso.com")
    writer.write(3, bytes: [1, 2])
    writer.write(4, string: "{\"a\":[1]}")
    writer.write(5, unsigned: 7)
    writer.write(6, bytes: (0..<16).map { UInt8($0) })
    writer.write(7) { $0.write(1, unsigned: 5) }
    writer.write(7) { _ in }
    writer.write(8, string: "no flag")
    writer.write(99, string: "hidden")
    return MessageFields(writer.bytes, as: descriptor)
  }

  @Test("The fields of an event are shown by their classes, unknown ones never, undecodable ones as such")
  func fieldTexts() {
    let texts = ValueText(.on).fields(Self.fields).map { "\($0.name): \($0.text)" }
    expectEqual(
      texts,
      [
        "account: a2", "name: (withheld)", "key: (secret)", "raw: {\"a\":[1]}", "kind: 7",
        "id: 00010203-0405-0607-0809-0a0b0c0d0e0f", "inner: [{n: 5}, {}]",
        "flag: undecodable (byte 62: field 8 has a different wire type from its schema)",
        "field 99: (secret)",
      ])
    let revealed = ValueText(.revealing).fields(Self.fields).map(\.text)
    expectEqual(revealed[1], "alice@contoso.com")
    #expect(revealed[7].hasSuffix("schema): 42076e6f20666c6167"))
    #expect(revealed[2] == "(secret)" && revealed[8] == "(secret)")
  }

  @Test("In JSON a payload is JSON, and withheld or undecodable values are marked")
  func fieldJSON() throws {
    let object = try #require(ValueJSON(.on).json(Self.fields).object)
    expectEqual(object["account"], "a2")
    expectEqual(object["name"]?.description, "{\"redacted\":\"account\"}")
    expectEqual(object["raw"]?.description, "{\"a\":[1]}")
    expectEqual(object["inner"]?.description, "[{\"n\":5},{}]")
    #expect(object["flag"]?.object?["undecodable"] != nil)
    expectEqual(object["unknownFields"]?.description, "[{\"number\":99,\"value\":{\"redacted\":\"secret\"}}]")
  }

  @Test("Malformed bytes leave what was read before them")
  func truncated() {
    let fields = MessageFields([8, 2, 18, 200], as: Self.descriptor)
    expectEqual(ValueText(.on).fields(fields).map(\.name), ["account", "rest"])
    #expect(ValueJSON(.on).json(fields).object?["undecodable"] != nil)
  }

  @Test("A tree has an indented, a flat and a JSON form, without unset values")
  func trees() {
    let tree = StateTree.members([
      .init("accounts", .members([.init("a1", .members([.init("status", .name("enrolled")), .init("upn", .unset)]))])),
      .init("wipes", .members([])), .init("launch", .integer(3)),
    ])
    expectEqual(TreeText(.on).indented(tree).map(\.text), ["accounts", "  a1", "    status  enrolled", "launch  3"])
    expectEqual(TreeText(.on).flat(tree, under: "/"), ["/accounts/a1/status = enrolled", "/launch = 3"])
    expectEqual(
      ValueJSON(.on).json(tree).description,
      "{\"accounts\":{\"a1\":{\"status\":\"enrolled\",\"upn\":null}},\"wipes\":{},\"launch\":3}")
  }

  @Test(
    "Durations are read in days and smaller units, in ISO 8601 or without its letters",
    arguments: [
      ("90d", 90 * 86_400), ("2h30m", 9000), ("PT30M", 1800), ("P1D", 86_400), ("p2w", 14 * 86_400), ("P1DT1S", 86_401),
      ("0s", 0), ("", nil), ("P", nil), ("PT", nil), ("P1M", nil), ("P1Y", nil), ("P1H", nil), ("PT1D", nil),
      ("12", nil),
      ("m", nil), ("-1h", nil), ("1.5h", nil), ("9999999999d", nil), ("١h", nil),
    ] as [(String, Int64?)])
  func durations(text: String, seconds: Int64?) {
    expectEqual(SpanText.nanoseconds(text), seconds.map { $0 * 1_000_000_000 })
  }
}
