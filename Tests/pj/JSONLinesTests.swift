import Forensics
import JSON
import PlainText
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool

@Suite("Records of JSON Lines")
struct JSONLinesTests {
  private enum Word: String, JSONWord {
    case one, other
  }

  private struct Part: Sendable {
    var name: String
    var count: Int?
  }

  private struct Row: Sendable {
    var text = "a \"word\""
    var word = Word.one
    var number: UInt64?
    var range: ClosedRange<UInt64>? = 1...9
    var part: Part? = Part(name: "x", count: 1)
    var parts: [Part] = []
    var place = RedactedText.statePath("/keys/someone@example.com")
  }

  private static let part: [JSONMember<Part>] = [.init("name", \.name), .ifAny("count", \.count)]

  private static let record = JSONRecord<(row: Row, file: String)>(
    "thing",
    [
      .init("text", \.text), .init("word", \.word), .init("number", \.number), .ifAny("given", \.number),
      .init("range", \.range), .init("part", orNull: part, \.part), .ifAny("whole", part) { $0.part },
      .init("parts", each: part, \.parts), .ifAny("some", each: part, \.parts),
      .init("known", eachOrNull: part) { $0.parts.isEmpty ? nil : $0.parts },
      .ifAny("since", orNull: part) { row in row.number.map { _ in row.part } },
      .init("counts") { JSONTable(entries: $0.parts.map { (name: $0.name, value: $0.count) }) },
      .init("pair") { JSONPair($0.number, $0.number) }, .init("digits") { _ in HexDigits("0a") },
      .init("time") { _ in CivilTime(nanoseconds: 0) }, .init("any") { JSONAny($0.text) },
      .init("choice", oneOf: ["a", "b"]) { _ in "a" }, .init("place", \.place),
    ].of(\.row) + [.init("file", \.file)])

  private static let output = JSONOutput<Int, Int>(
    "things", start: [.init("first") { $0 }], [record], end: [.init("last") { $0 }])

  private static func line(_ row: Row, _ redaction: Redaction = .on) -> String {
    String(decoding: record.line((row, "f"), redaction), as: UTF8.self)
  }

  @Test("A record has its members in the order in which they are declared, and leaves out those without a value")
  func lines() {
    var row = Row()
    #expect(
      Self.line(row) == """
        {"kind":"thing","text":"a \\"word\\"","word":"one","number":null,"range":[1,9],"part":{"name":"x","count":1},\
        "whole":{"name":"x","count":1},"parts":[],"known":null,"counts":{},"pair":[null,null],"digits":"0a",\
        "time":"1970-01-01T00:00:00Z","any":"a \\"word\\"","choice":"a","place":"/keys/(withheld)","file":"f"}
        """)
    (row.number, row.range, row.part, row.word) = (7, nil, nil, .other)
    row.parts = [Part(name: "y"), Part(name: "z", count: 2)]
    #expect(
      Self.line(row, .revealing) == """
        {"kind":"thing","text":"a \\"word\\"","word":"other","number":7,"given":7,"range":null,"part":null,\
        "parts":[{"name":"y"},{"name":"z","count":2}],"some":[{"name":"y"},{"name":"z","count":2}],\
        "known":[{"name":"y"},{"name":"z","count":2}],"since":null,"counts":{"y":null,"z":2},"pair":[7,7],"digits":"0a",\
        "time":"1970-01-01T00:00:00Z","any":"a \\"word\\"","choice":"a","place":"/keys/someone@example.com","file":"f"}
        """)
  }

  @Test("The schema has every member of every record, and a record that is not declared is against it")
  func schema() throws {
    var full = Row(number: 7)
    full.parts = [Part(name: "y", count: 1)]
    let written = TextOutput()
    let lines = JSONLines(written, .on)
    lines.begin(Self.output, 1)
    lines.add(Self.record, each: [(Row(), "f"), (full, "g")])
    lines.end(Self.output, 2, .different)
    let schema = Self.output.schema.json
    let texts = written.text.split(separator: "\n")
    #expect(texts.count == 4)
    #expect(texts.last == "{\"kind\":\"end\",\"complete\":true,\"exit\":1,\"last\":2}")
    for text in texts {
      let value = try JSONDocument.parse(Array(text.utf8)).root.value
      #expect(JSONSchemaValidator.problems(of: value, in: schema, at: "line") == [], "\(text)")
    }
    for other in [#"{"kind":"other"}"#, texts[1].replacing("\"file\"", with: "\"folder\"")] {
      let value = try JSONDocument.parse(Array(other.utf8)).root.value
      #expect(JSONSchemaValidator.problems(of: value, in: schema, at: "line") != [], "\(other)")
    }
  }

  @Test("A failed command ends its records, and begins them where none were written")
  func failure() {
    let written = TextOutput()
    Tool.$current.withValue(Tool("rooms-tool", version: "1.2.3")) {
      JSONLines(written, .on).fail(.unreadable, "no such file", of: "things")
    }
    #expect(
      written.text == """
        {"kind":"start","schema":"pj.things","version":1,"tool":"rooms-tool 1.2.3"}
        {"kind":"end","complete":false,"exit":4,"error":"no such file"}

        """)
  }
}
