import Testing

@testable import WireFormat

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
}
