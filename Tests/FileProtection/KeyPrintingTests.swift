import Expectations
import Journal
import Testing

@testable import FileProtection

@Suite("What prints a key")
struct KeyPrintingTests {
  @Test("Neither a key, nor what holds one, shows its bytes")
  func printing() throws {
    let key = try #require(SecretKey(bytes: [UInt8](repeating: 219, count: 32)))
    let cipher = try #require(BlockCipher(key, fileID: [UInt8](repeating: 1, count: 32)))
    for value in [key, cipher, KeyEntry.key(key), Optional(key) as Any, ["key": key]] as [Any] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      // The id of a key is its name.
      text = text.replacing(key.id?.description ?? "-", with: "")
      #expect(!text.contains("219") && !text.lowercased().contains("dbdb"), "\(text)")
    }
  }

  @Test("A key that is taken from an array leaves zeros there, also where it is none", arguments: [32, 31, 0])
  func taken(count: Int) {
    let drawn = (0..<count).map { UInt8($0 + 1) }
    var bytes = drawn
    #expect(SecretKey(taking: &bytes) == SecretKey(bytes: drawn) && bytes == [UInt8](repeating: 0, count: count))
    #expect((SecretKey(bytes: drawn) == nil) == (count != 32))
  }

  @Test("A cipher for another thread opens what the first one sealed")
  func copies() throws {
    let key = try #require(SecretKey(bytes: [UInt8](0..<32)))
    let cipher = try #require(BlockCipher(key, fileID: [UInt8](repeating: 1, count: 32)))
    let copy = try #require(cipher.copy())
    let (nonce, text) = ([UInt8](repeating: 3, count: 12), Array("text".utf8))
    let sealed = try #require(cipher.cipher.seal(text, nonce: nonce, context: []))
    expectEqual(copy.cipher.open(sealed[...], nonce: nonce[...], context: []), text)
  }
}
