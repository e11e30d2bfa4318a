import Expectations
import Testing

@testable import Cryptography

@Suite("The bytes of keys")
struct KeyBytesTests {
  private struct Failure: Error {}

  /// What any of the ways to print a value shows.
  private static func prints(_ value: some Any) -> String {
    var text =
      "\(value) \(String(describing: value)) \(String(reflecting: value)) \(String(reflecting: [Optional(value)]))"
    dump(value, to: &text)
    dump((key: value, others: [value]), to: &text)
    return text
  }

  private static func hex(_ bytes: [UInt8]?) -> String? {
    bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func bytes(_ key: KeyBytes?) -> [UInt8]? { key?.withUnsafeBytes { Array($0) } }

  @Test("Nothing prints a key, nor a cipher that has one")
  func printing() throws {
    let key = KeyBytes(copying: [UInt8](repeating: 219, count: 32))
    let cipher = try #require(AES256GCM(key: key))
    for text in [Self.prints(key), Self.prints(cipher)] {
      #expect(!text.contains("219") && !text.lowercased().contains("db") && !text.contains("0x"), "\(text)")
    }
    #expect(Self.prints([219]).contains("219"))
    #expect("\(key)" == "(key)" && Mirror(reflecting: key).children.isEmpty)
    #expect(Mirror(reflecting: cipher).children.isEmpty)
  }

  @Test("Clearing memory leaves zeros, and nothing beside it changes")
  func clearing() {
    var bytes = [UInt8](repeating: 219, count: 40)
    bytes.withUnsafeMutableBytes { KeyBytes.clear(UnsafeMutableRawBufferPointer(rebasing: $0[4..<36])) }
    expectEqual(bytes, [219, 219, 219, 219] + [UInt8](repeating: 0, count: 32) + [219, 219, 219, 219])
    KeyBytes.clear(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  @Test("A key that is taken from an array leaves zeros in it, and one that is copied leaves the array")
  func taking() {
    var drawn = (0..<32).map { UInt8($0) }
    let copied = KeyBytes(copying: drawn)
    expectEqual(drawn, Array(0..<32))
    let taken = KeyBytes(taking: &drawn)
    expectEqual(drawn, [UInt8](repeating: 0, count: 32))
    #expect(taken == copied && Self.bytes(taken) == Array(0..<32))
  }

  @Test("Keys are equal if all their bytes are")
  func equality() {
    let key = KeyBytes(copying: [1, 2, 3])
    expectEqual(key, KeyBytes(count: 3) { $0.copyBytes(from: [1, 2, 3]) })
    for other in [[], [1, 2], [1, 2, 3, 0], [0, 2, 3], [1, 2, 4]] as [[UInt8]] {
      #expect(key != KeyBytes(copying: other))
    }
    expectEqual(KeyBytes(copying: []), KeyBytes(count: 0) { _ in })
  }

  @Test("A key is made in memory that holds zeros, and is not made where that fails")
  func making() {
    expectEqual(Self.bytes(KeyBytes(count: 4) { $0[1] = 7 }), [0, 7, 0, 0])
    #expect(throws: Failure.self) {
      try KeyBytes(count: 4) { (bytes) throws(Failure) in
        bytes[0] = 1
        throw Failure()
      }
    }
  }

  /// RFC 4231, test cases 1 and 2.
  @Test("HMAC-SHA-256 gives the published codes, and has an empty key")
  func codes() {
    let twenty = KeyBytes(copying: [UInt8](repeating: 0x0B, count: 20))
    expectEqual(
      Self.hex(HMACSHA256.code(of: Array("Hi There".utf8), key: twenty)),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    let jefe = KeyBytes(copying: Array("Jefe".utf8))
    let question = Array("what do ya want for nothing?".utf8)
    expectEqual(
      Self.hex(HMACSHA256.requiredCode(of: question, key: jefe)),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    expectEqual(
      Self.hex(HMACSHA256.code(of: [], key: KeyBytes(copying: []))),
      "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  /// RFC 5869, test case 3, of which the first block is the key.
  @Test("A derived key is HKDF's, and differs with the key, the salt and the purpose")
  func derivation() {
    let key = KeyBytes(copying: [UInt8](repeating: 0x0B, count: 22))
    let derived = HMACSHA256.derive(from: key, salt: [], purpose: "")
    expectEqual(Self.hex(Self.bytes(derived)), "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d")
    let others = [
      derived, HMACSHA256.derive(from: key, salt: [1], purpose: ""),
      HMACSHA256.derive(from: key, salt: [], purpose: "p"),
      derived.flatMap { HMACSHA256.derive(from: $0, salt: [], purpose: "") },
    ]
    expectEqual(Set(others.map(Self.bytes)).count, 4)
  }

  @Test("A copy of a cipher seals as the first one does, and stays when that is gone")
  func copies() throws {
    var cipher = AES256GCM(key: KeyBytes(copying: [UInt8](0..<32)))
    let (nonce, text) = ([UInt8](repeating: 1, count: 12), Array("text".utf8))
    let sealed = try #require(cipher?.seal(text, nonce: nonce, context: [1]))
    let copy = try #require(cipher?.copy())
    cipher = nil
    expectEqual(copy.seal(text, nonce: nonce, context: [1]), sealed)
    expectEqual(copy.open(sealed[...], nonce: nonce[...], context: [1]), text)
    #expect(AES256GCM(key: KeyBytes(copying: [UInt8](0..<31))) == nil)
  }
}
