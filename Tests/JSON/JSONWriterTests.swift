import Expectations
import Testing

@testable import JSON

@Suite("Writing JSON")
struct JSONWriterTests {
  static let value: JSONValue = [
    "kind": "event", "seq": 42, "done": false, "cause": nil, "paths": ["/a", "/b"], "none": [], "empty": [:],
    "inner": ["x": ["y": [[1], 2]]],
  ]

  @Test("A compact text has one line and no spaces")
  func compact() {
    expectEqual(
      Self.value.description,
      #"{"kind":"event","seq":42,"done":false,"cause":null,"paths":["/a","/b"],"none":[],"empty":{},"#
        + #""inner":{"x":{"y":[[1],2]}}}"#)
  }

  @Test("A pretty text is indented by two spaces a level")
  func pretty() {
    #expect(
      Self.value.text(style: .pretty) == """
        {
          "kind": "event",
          "seq": 42,
          "done": false,
          "cause": null,
          "paths": [
            "/a",
            "/b"
          ],
          "none": [],
          "empty": {},
          "inner": {
            "x": {
              "y": [
                [
                  1
                ],
                2
              ]
            }
          }
        }
        """)
  }

  @Test("Records are written piece by piece with one writer")
  func records() {
    var writer = JSONWriter()
    var lines: [String] = []
    for sequence in 1...2 {
      writer.removeAll()
      writer.object {
        $0.member("seq", sequence)
        $0.member("ok", true)
        $0.member("list") { writer in
          writer.array {
            $0.write("a\u{2028}b")
            $0.writeNull()
            $0.object { _ in }
          }
        }
        $0.member("end", ["done": true])
      }
      lines.append(writer.text)
    }
    expectEqual(lines, (1...2).map { #"{"seq":\#($0),"ok":true,"list":["a\u2028b",null,{}],"end":{"done":true}}"# })
  }

  @Test("Objects keep the order of their members, replace by name, and remove by nil")
  func objects() {
    var object = JSONObject([.init("b", 1), .init("a", 2)])
    object["b"] = 3
    object["c"] = nil
    expectEqual(JSONValue(.object(object)).description, #"{"b":3,"a":2}"#)
    object["b"] = .some(nil)
    expectEqual(JSONValue(.object(object)).description, #"{"b":null,"a":2}"#)
    object["b"] = Optional<JSONValue>.none
    expectEqual(JSONValue(.object(object)).description, #"{"a":2}"#)
    expectEqual(object.member(ignoringCase: "A")?.value, 2)
  }

  @Test("Equality keeps the order of members, equivalence does not")
  func equality() {
    let one: JSONValue = ["a": 1, "b": ["c": [1, 2], "d": nil]]
    let other: JSONValue = ["b": ["d": nil, "c": [1, 2]], "a": 1]
    #expect(one != other)
    #expect(one.isEquivalent(to: other))
    #expect(!one.isEquivalent(to: ["b": ["d": nil, "c": [2, 1]], "a": 1]))
    #expect(!one.isEquivalent(to: ["a": 1]))
  }

  @Test("Characters that hide or reorder text are escaped, even beyond the first plane, and read back unchanged")
  func hidden() throws {
    let text = "a\u{61C}b\u{180E}c\u{E0001}\u{E0041}\u{E007F}d\u{202E}e"
    let written = JSONValue.string(text).description
    expectEqual(written, "\"a\\u061cb\\u180ec\\udb40\\udc01\\udb40\\udc41\\udb40\\udc7fd\\u202ee\"", "\(written)")
    try expectEqual(JSONDocument.parse(written).value, .string(text))
  }
}
