import Expectations
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("The YAML of exports")
struct YAMLReaderTests {
  private static func json(_ text: String) throws -> String {
    try YAMLReader.read(try ExportText(Array(text.utf8))).description
  }

  @Test(
    "Values are what other programs read",
    arguments: [
      ("a: 1\nb: -2.50\n", #"{"a":1,"b":-2.50}"#),
      ("a: null\nb: ~\nc:\nd: true\ne: False\n", #"{"a":null,"b":null,"c":null,"d":true,"e":false}"#),
      ("a: PT12H\nb: '0'\nc: 'it''s'\nd: http://x/#y\n", #"{"a":"PT12H","b":"0","c":"it's","d":"http://x/#y"}"#),
      ("a: 1 # note\nb: x # note\n# note\n\nc: []\nd: {}\n", #"{"a":1,"b":"x","c":[],"d":{}}"#),
      ("a:\n- 1\n- b: 2\n  c: 3\n-\n  - 4\n- - 5\n  - 6\nd: 7\n", #"{"a":[1,{"b":2,"c":3},[4],[5,6]],"d":7}"#),
      ("a:\n  b:\n    c: 1\n  d: 2\n", #"{"a":{"b":{"c":1},"d":2}}"#),
      ("a: one\n  two\n\n  three\nb: 2\n", #"{"a":"one two\nthree","b":2}"#),
      ("a: 'one\n\n  two\n  three'\n", #"{"a":"one\ntwo three"}"#),
      (#"a: "\u00e4\x41\t\"\ud83d\ude00\"""# + "\n", #"{"a":"äA\t\"😀\""}"#),
      ("a: \"one \\\n  \\  two\"\n", #"{"a":"one   two"}"#),
      ("a: |\n  one\n   two\n\n  three\nb: 1\n", #"{"a":"one\n two\n\nthree\n","b":1}"#),
      ("a: |-\n  one\nb: |+\n  two\n\nc: 1\n", #"{"a":"one","b":"two\n\n","c":1}"#),
      ("a: >-\n  one\n  two\n\n  three\n    four\n  five\n", #"{"a":"one two\nthree\n  four\nfive"}"#),
      ("---\n'@odata.type': '#a'\n", ##"{"@odata.type":"#a"}"##), ("- 1\n- x\n", #"[1,"x"]"#),
      ("a: 2026-01-01\nb: 1.2.3\nc: 1e3\n", #"{"a":"2026-01-01","b":"1.2.3","c":"1e3"}"#),
      ("a: yes\nb: 010\nc: 1.\n", #"{"a":"yes","b":"010","c":"1."}"#), ("a: -x\r\nb: ?y\r\n", #"{"a":"-x","b":"?y"}"#),
      ("a:\n  one two\n", #"{"a":"one two"}"#),
    ])
  func values(text: String, json: String) throws {
    try expectEqual(Self.json(text), json)
  }

  @Test(
    "Everything else is refused with its place",
    arguments: [
      ("a: &x 1\n", "line 1, column 4: anchors"), ("a: *x\n", "anchors"), ("a: !!str 1\n", "tags"),
      ("a: [1, 2]\n", "brackets is not empty"), ("a: {b: 1}\n", "brackets is not empty"), ("? a\n: b\n", "needed here"),
      ("%YAML 1.2\na: 1\n", "needed here"), ("a: 1\n---\nb: 2\n", "line 2, column 1: a second document"),
      ("a: 1\na: 2\n", "line 2, column 1: the member \"a\" occurs twice"), ("a: b: c\n", "a colon with a blank"),
      ("a:\n\tb: 1\n", "line 2, column 1: a line is indented with a tab"), ("a: 1\n  b: 2\n", "a colon with a blank"),
      ("a: 'x\n", "does not end"), ("a: \"\\q\"\n", "does not begin an escape"),
      ("a: \"\\ud800\"\n", "not a character"),
      ("a: \"\\ud800\\u0041\"\n", "half a character"), ("a: 'x' y\n", "something follows"), ("a: |x\n  b\n", "header"),
      ("a: @b\n", "cannot begin"), ("a: - b\n", "cannot begin here"), ("plain\n", "a mapping or a sequence is needed"),
      ("", "a mapping or a sequence is needed"), ("a:\n    b: 1\n  c: 2\n", "indented differently"),
      ("a: 1\nb\n", "line 2, column 1: a name with a colon"), ("<<: 1\n", "merge keys"), ("a: ,\n", "cannot begin"),
      (String(repeating: "- ", count: 80) + "1\n", "nested deeper"),
    ])
  func refused(text: String, reason: String) throws {
    let error = #expect(throws: PolicyDocumentError.self) { try Self.json(text) }
    #expect(error?.code == .yaml && error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
  }

  @Test("Bytes that are not text are refused")
  func encoding() {
    #expect(throws: PolicyDocumentError.self) { try ExportText([0x61, 0xFF, 0x62]) }
  }
}
