import Expectations
import Testing

import PlainText

@Suite("Base64")
struct Base64Tests {
  @Test("Bytes of every length come back, and only their own text is read")
  func roundTrip() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      var back: [UInt8] = []
      #expect(Base64.decode(Base64.text(bytes), into: &back) && back == bytes)
    }
    #expect(Base64.text(Array("Man".utf8)) == "TWFu" && Base64.text(Array("Ma".utf8)) == "TWE=")
    for text in ["A", "AA", "AAA", "A===", "AB==", "AAB=", "AA=A", "AAA\n", "ÄAAA", "AA==AAAA", "===="] {
      var bytes: [UInt8] = []
      #expect(!Base64.decode(text, into: &bytes), "\(text)")
    }
  }

  @Test("A text of others may have white space and any spare bits, but no letters after the padding")
  func spaced() {
    expectEqual(Base64.decode(spaced: " TW\r\n\tFu TWE=\n"), Array("ManMa".utf8))
    #expect(Base64.decode(spaced: "TWF=") == Array("Ma".utf8) && Base64.decode(spaced: " ") == [])
    for text in ["TWE", "TWE=TWFu", "T===", "====", "TW-_", "TWE\u{A0}="] {
      #expect(Base64.decode(spaced: text) == nil, "\(text)")
    }
  }
}
