import Expectations
import Testing

@testable import JSON

@Suite("The JSON parser")
struct JSONSyntaxTests {
  struct Refusal: CustomTestStringConvertible, Sendable {
    var text: String
    var code: JSONError.Code
    var line: Int
    var column: Int
    var path = "(document)"
    var testDescription: String { JSONExcerpt.quoted(text) }

    init(_ text: String, _ code: JSONError.Code, _ line: Int, _ column: Int, _ path: String = "(document)") {
      (self.text, self.code, self.line, self.column, self.path) = (text, code, line, column, path)
    }
  }

  @Test(
    "Malformed JSON is refused with line and column",
    arguments: [
      Refusal("", .empty, 1, 1),
      Refusal(" \n ", .empty, 2, 2),
      Refusal("{", .unexpectedEnd, 1, 2),
      Refusal("[1,", .unexpectedEnd, 1, 4, "[1]"),
      Refusal("[1", .unexpectedEnd, 1, 3),
      Refusal("{\"a\"", .unexpectedEnd, 1, 5, "a"),
      Refusal("{\"a\":", .unexpectedEnd, 1, 6, "a"),
      Refusal("\"abc", .unexpectedEnd, 1, 5),
      Refusal("\"abc\\", .unexpectedEnd, 1, 6),
      Refusal("\"abc\\u12", .unexpectedEnd, 1, 9),
      Refusal("-", .unexpectedEnd, 1, 2),
      Refusal("1.", .unexpectedEnd, 1, 3),
      Refusal("[1, 2,\n  ]", .trailingComma, 1, 6),
      Refusal("{\n  \"a\": [\n    1,\n    2 ,\n  ]\n}", .trailingComma, 4, 7, "a"),
      Refusal("{\"a\": 1,\r\n}", .trailingComma, 1, 8),
      Refusal("[,]", .unexpectedCharacter, 1, 2, "[0]"),
      Refusal("[1,,2]", .unexpectedCharacter, 1, 4, "[1]"),
      Refusal("[1 2]", .missingComma, 1, 4),
      Refusal("{\"a\":1 \"b\":2}", .missingComma, 1, 8),
      Refusal("{\"a\":1\n\"b\":2}", .missingComma, 2, 1),
      Refusal("[1}", .unexpectedCharacter, 1, 3),
      Refusal("{\"a\" 1}", .missingColon, 1, 6, "a"),
      Refusal("{a: 1}", .unexpectedCharacter, 1, 2),
      Refusal("{1: 1}", .unexpectedCharacter, 1, 2),
      Refusal("{'a': 1}", .unexpectedCharacter, 1, 2),
      Refusal("{“a”: 1}", .unexpectedCharacter, 1, 2),
      Refusal("// note\n{}", .comment, 1, 1),
      Refusal("{} # note", .comment, 1, 4),
      Refusal("[1 /* note */]", .comment, 1, 4),
      Refusal("{} {}", .trailingContent, 1, 4),
      Refusal("true false", .trailingContent, 1, 6),
      Refusal("truefalse", .unexpectedCharacter, 1, 1),
      Refusal("True", .unexpectedCharacter, 1, 1),
      Refusal("nul", .unexpectedCharacter, 1, 1),
      Refusal("NaN", .unexpectedCharacter, 1, 1),
      Refusal("01", .invalidNumber, 1, 1),
      Refusal("-01", .invalidNumber, 1, 2),
      Refusal("[1.]", .invalidNumber, 1, 4, "[0]"),
      Refusal("[1e]", .invalidNumber, 1, 4, "[0]"),
      Refusal("[1e+]", .invalidNumber, 1, 5, "[0]"),
      Refusal("[-]", .invalidNumber, 1, 3, "[0]"),
      Refusal("[-a]", .invalidNumber, 1, 3, "[0]"),
      Refusal("+1", .unexpectedCharacter, 1, 1),
      Refusal(".5", .unexpectedCharacter, 1, 1),
      Refusal("0x10", .trailingContent, 1, 2),
      Refusal("\"a\nb\"", .controlCharacter, 1, 3),
      Refusal("[\"a\tb\"]", .controlCharacter, 1, 4, "[0]"),
      Refusal("\"\u{0}\"", .controlCharacter, 1, 2),
      Refusal("\"a\\xb\"", .invalidEscape, 1, 3),
      Refusal("\"\\u12g4\"", .invalidEscape, 1, 2),
      Refusal("\"\\uD83D\"", .loneSurrogate, 1, 2),
      Refusal("\"\\uD83Dx\"", .loneSurrogate, 1, 2),
      Refusal("\"\\uD83D\\u0041\"", .loneSurrogate, 1, 2),
      Refusal("\"\\uDE00\"", .loneSurrogate, 1, 2),
      Refusal("{\"a\":1,\"b\":2,\"a\":3}", .duplicateMember, 1, 14, "a"),
      Refusal("{\"a\":1,\n \"\\u0061\":3}", .duplicateMember, 2, 2, "a"),
      Refusal("{\"x\":[{},{\"a\":1,\"a\":1}]}", .duplicateMember, 1, 17, "x[1].a"),
      Refusal("[\"é😀\", tru]", .unexpectedCharacter, 1, 8, "[1]"),
      Refusal("[1,\r2,\r\n3,\n x]", .unexpectedCharacter, 4, 2, "[3]"),
      Refusal("\u{A0}1", .unexpectedCharacter, 1, 1),
      Refusal("1\u{FEFF}", .trailingContent, 1, 2),
    ])
  func refusals(_ refusal: Refusal) throws {
    let error = try #require(throws: JSONError.self) { try JSONDocument.parse(refusal.text) }
    expectEqual(error.code, refusal.code, "\(error)")
    expectEqual(error.position.line, refusal.line, "\(error)")
    expectEqual(error.position.column, refusal.column, "\(error)")
    expectEqual(error.path.description, refusal.path, "\(error)")
    #expect(!error.remedy.isEmpty)
  }

  @Test(
    "Valid JSON is accepted and written again unchanged",
    arguments: [
      "{}", "[]", "0", "-0", "1.50", "1E+2", "1e-05", "123456789012345678901234567890", "\"\"", "null", "true", "false",
      "[[],[{}],{\"\":[]}]", "{\"b\":1,\"a\":{\"z\":null,\"y\":[1,2.0,\"x\"]}}", "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\"",
      "\"\\u2028\\u2029\\u007f\\u009b\\u202e\\ufeff\"", "\"é😀\u{301}\"",
    ])
  func acceptance(_ text: String) throws {
    try expectEqual(JSONDocument.parse(text).value.description, text)
  }

  @Test("Escapes mean the characters they stand for")
  func escapes() throws {
    let value = try JSONDocument.parse(#""\u0027\/\uD83D\uDE00\u00e9\b\f\n\r\t\"\\""#).value
    expectEqual(value.string, "'/😀é\u{8}\u{C}\n\r\t\"\\")
  }

  @Test("Values know their places, in lines that end with LF, CR LF or CR")
  func positions() throws {
    for lineEnd in ["\n", "\r\n", "\r"] {
      let text = ["{", "  \"é\": [1,", "    {\"😀\": true, \"x\": \"\"}]", "}"].joined(separator: lineEnd)
      let root = try JSONDocument.parse(text).root
      let list = try root.required("é").elements()
      expectEqual(root.position, JSONPosition(line: 1, column: 1, offset: 0))
      try expectEqual(root.object().members.first?.position.column, 3)
      #expect(list[0].position.line == 2 && list[0].position.column == 9)
      #expect(list[1].position.line == 3 && list[1].position.column == 5)
      try expectEqual(list[1].required("😀").position.column, 11)
      let last = try list[1].required("x").position
      #expect(last.line == 3 && last.column == 22)
      expectEqual(last.offset, 1 + 11 + 24 + 2 * lineEnd.utf8.count, "bytes, of which é has two and 😀 four")
    }
  }

  @Test("Names that only look the same are different names")
  func canonicalEquivalence() throws {
    let value = try JSONDocument.parse("{\"\\u00e9\":1,\"e\\u0301\":2,\"\\u212a\":3,\"K\":4}").value
    expectEqual(value.object?["e\u{301}"]?.number?.text, "2")
    expectEqual(value.object?["K"]?.number?.text, "4")
    #expect(JSONValue.string("\u{e9}") != JSONValue.string("e\u{301}"))
  }

  @Test("Nesting is bounded, and the error says by how much")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(throws: Never.self) { try JSONDocument.parse(nested(256)) }
    let error = try #require(throws: JSONError.self) { try JSONDocument.parse(nested(257)) }
    #expect(error.code == .tooDeep && error.position.column == 257)
    #expect(error.message.contains("256"))
    let unclosed = String(repeating: "{\"a\":[", count: 200_000)
    #expect(throws: JSONError.self) { try JSONDocument.parse(unclosed) }
  }

  @Test("A text longer than the limit is refused before it is read")
  func length() throws {
    let error = try #require(throws: JSONError.self) {
      try JSONDocument.parse("[1234567]", limits: JSONDocument.Limits(bytes: 8))
    }
    expectEqual(error.code, .tooLong)
    #expect(error.description.contains("9 bytes") && error.description.contains("limit of 8"))
  }
}
