import Expectations
import Testing

@testable import SensitiveText

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test("Two hexadecimal digits are a byte, and nothing else is")
  func digits() {
    for (digits, byte) in [("00", 0x00), ("7e", 0x7E), ("aF", 0xAF), ("FF", 0xFF)] as [(String, UInt8)] {
      let utf8 = Array(digits.utf8)
      expectEqual(UInt8(hexadecimal: utf8[0], utf8[1]), byte)
    }
    for digits in ["+f", "f-", "g0", " 1", "0x", "é"] {
      let utf8 = Array(digits.utf8)
      #expect(UInt8(hexadecimal: utf8[0], utf8[1]) == nil, "\(digits)")
    }
  }

  @Test("A text is decoded once, and what is no encoding stays")
  func decoding() {
    func decoded(_ text: String) -> String? {
      PercentEncoding.decoded(Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
    }
    expectEqual(decoded("%3a%2F%252f"), ":/%2f")
    #expect(decoded("a%4") == nil && decoded("100%") == nil && decoded("%zz%") == nil && decoded("") == nil)
  }
}
