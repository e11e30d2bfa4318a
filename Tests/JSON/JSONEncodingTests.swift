import Expectations
import Testing

@testable import JSON

@Suite("Encodings of JSON texts")
struct JSONEncodingTests {
  static let text = "{\r\n \"nämn\": \"😀\", \"x\": tru\r\n}"

  static func utf16(_ text: String, lowByteFirst: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
      let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return lowByteFirst ? bytes.reversed() : bytes
    }
  }

  @Test("UTF-8 and UTF-16 in both byte orders are read, with and without a byte order mark")
  func recognition() throws {
    let text = "{\"nämn\": [\"😀\", 1]}"
    let expected: JSONValue = ["nämn": ["😀", 1]]
    let utf8 = Array(text.utf8)
    let inputs: [([UInt8], JSONDocument.Encoding)] = [
      (utf8, .utf8), ([0xEF, 0xBB, 0xBF] + utf8, .utf8),
      (Self.utf16(text, lowByteFirst: true, mark: true), .utf16LittleEndian),
      (Self.utf16(text, lowByteFirst: true, mark: false), .utf16LittleEndian),
      (Self.utf16(text, lowByteFirst: false, mark: true), .utf16BigEndian),
      (Self.utf16(text, lowByteFirst: false, mark: false), .utf16BigEndian),
    ]
    for (bytes, encoding) in inputs {
      let document = try JSONDocument.parse(bytes)
      expectEqual(document.encoding, encoding)
      expectEqual(document.value, expected)
    }
    try expectEqual(JSONDocument.parse([0x31]).value, 1)
    try expectEqual(JSONDocument.parse([0x31, 0]).value, 1)
  }

  @Test(
    "A text that is read as far as it goes is known in every encoding, cut or not, with a mark for what is no character"
  )
  func lenient() {
    let text = "a 😀\nb"
    for lowByteFirst in [true, false] {
      for mark in [true, false] {
        let bytes = Self.utf16(text, lowByteFirst: lowByteFirst, mark: mark)
        expectEqual(String(decoding: JSONSource.text(of: bytes), as: UTF8.self), text)
        expectEqual(
          String(decoding: JSONSource.text(of: Array(bytes.dropLast())), as: UTF8.self), String(text.dropLast()))
        let half = bytes.prefix((mark ? 2 : 0) + 6)
        expectEqual(String(decoding: JSONSource.text(of: Array(half)), as: UTF8.self), "a \u{FFFD}")
      }
    }
    expectEqual(JSONSource.text(of: [0xEF, 0xBB, 0xBF, 0x61, 0xFF]), [0x61, 0xFF])
    for bytes in [[], [0x61], [0xFF, 0xFE]] as [[UInt8]] {
      expectEqual(JSONSource.text(of: bytes), bytes.count < 2 ? bytes : [])
    }
  }

  @Test("Line and column do not depend on the encoding; the offset counts the original bytes")
  func positions() throws {
    let error8 = try #require(throws: JSONError.self) { try JSONDocument.parse(Self.text) }
    expectEqual(error8.position, JSONPosition(line: 2, column: 20, offset: 26))
    for lowByteFirst in [true, false] {
      let bytes = Self.utf16(Self.text, lowByteFirst: lowByteFirst, mark: true)
      let error16 = try #require(throws: JSONError.self) { try JSONDocument.parse(bytes) }
      expectEqual(error16.position, JSONPosition(line: 2, column: 20, offset: 2 + 2 * (3 + 19 + 1)))
      expectEqual(error16.code, error8.code)
    }
  }

  @Test(
    "Bytes invalid in their encoding are refused with their place",
    arguments: [
      ([0x22, 0x61, 0xFF, 0x22], 3), ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2), ([0x22, 0xC3, 0xA9, 0xE2, 0x82], 3), ([0x22, 0x80, 0x22], 2),
      ([0x22, 0xE0, 0x9F, 0xBF, 0x22], 2), ([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 2),
      ([0xFF, 0xFE, 0x22, 0x00, 0x3D, 0xD8, 0x22, 0x00], 2), ([0xFF, 0xFE, 0x22, 0x00, 0x00, 0xDE, 0x22, 0x00], 2),
      ([0xFE, 0xFF, 0x00, 0x22, 0x00], 2),
    ] as [([UInt8], Int)])
  func invalid(_ bytes: [UInt8], column: Int) throws {
    let error = try #require(throws: JSONError.self) { try JSONDocument.parse(bytes) }
    expectEqual(error.code, .invalidEncoding)
    expectEqual(error.position.column, column)
    #expect(error.description.contains("save the text as UTF-8 again"))
  }

  @Test("UTF-32 is refused by name")
  func utf32() throws {
    for bytes in [
      [0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0], [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], [0x7B, 0, 0, 0], [0, 0, 0, 0x7B],
    ]
      as [[UInt8]]
    {
      let error = try #require(throws: JSONError.self) { try JSONDocument.parse(bytes) }
      #expect(error.code == .unsupportedEncoding && error.message.contains("UTF-32"))
    }
  }

  @Test("Every Unicode scalar survives being written and read")
  func everyScalar() throws {
    var text = ""
    for value in UInt32(0)...0x10FFFF where value % 7 == 0 || value < 0x3000 {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    let written = JSONValue.string(text).description
    try expectEqual(JSONDocument.parse(written).value, .string(text))
    #expect(!written.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{2028}" || $0 == "\u{2029}" })
  }
}
