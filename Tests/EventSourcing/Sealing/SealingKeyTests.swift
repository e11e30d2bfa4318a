import Expectations
import Testing

@testable import EventSourcing

@Suite("Keys that seal")
struct SealingKeyTests {
  @Test("AES-256-GCM gives what McGrew and Viega publish (test cases 13, 14 and 16)")
  func published() throws {
    let zero = try #require(SealingKey(bytes: [UInt8](repeating: 0, count: 32)))
    let nonce = [UInt8](repeating: 0, count: 12)
    expectEqual(zero.seal([], nonce: nonce, context: []), bytes("530f8afbc74536b9a963b4f1c4cb738b"))
    expectEqual(
      zero.seal([UInt8](repeating: 0, count: 16), nonce: nonce, context: []),
      bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
    let half = bytes("feffe9928665731c6d6a8f9467308308")
    let key = try #require(SealingKey(bytes: half + half))
    let text = bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    let context = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let sealed = key.seal(text, nonce: bytes("cafebabefacedbaddecaf888"), context: context)
    expectEqual(
      sealed,
      bytes(
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
      ) + bytes("76fc6ece0f4e1768cddf8853bb2d551b"))
    expectEqual(key.open(sealed[...], nonce: bytes("cafebabefacedbaddecaf888")[...], context: context), text)
  }

  @Test("Nothing opens what was changed anywhere, or with another key or context")
  func changed() throws {
    let key = try #require(SealingKey(bytes: [UInt8](0..<32)))
    let other = try #require(SealingKey(bytes: [UInt8](1...32)))
    let nonce = [UInt8](repeating: 9, count: 12)
    for text in [[], Array("text".utf8)] {
      let sealed = key.seal(text, nonce: nonce, context: [1, 2])
      expectEqual(key.open(sealed[...], nonce: nonce[...], context: [1, 2]), text)
      #expect(other.open(sealed[...], nonce: nonce[...], context: [1, 2]) == nil)
      #expect(key.open(sealed[...], nonce: nonce[...], context: [1]) == nil)
      for bit in 0..<(sealed.count * 8) {
        var bytes = sealed
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        #expect(key.open(bytes[...], nonce: nonce[...], context: [1, 2]) == nil, "bit \(bit)")
      }
      for count in 0..<sealed.count {
        #expect(key.open(sealed[..<count], nonce: nonce[...], context: [1, 2]) == nil, "\(count) bytes")
      }
    }
    #expect(SealingKey(bytes: [1]) == nil)
  }

  @Test("Nothing prints a key, nor a value that has one, and keys of the same bytes are equal")
  func printing() throws {
    struct Holder { var key: SealingKey? }
    let key = try #require(SealingKey(bytes: [UInt8](repeating: 219, count: 32)))
    for value in [key, Optional(key) as Any, Holder(key: key), [7: key]] as [Any] {
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      #expect(text.contains("sealing key") && !text.contains("219") && !text.lowercased().contains("dbdb"), "\(text)")
    }
    expectEqual(key, SealingKey(bytes: [UInt8](repeating: 219, count: 32)))
    #expect(key != SealingKey(bytes: [UInt8](repeating: 219, count: 31) + [218]))
  }

  @Test("An authentication code is HMAC-SHA-256")
  func authenticationCode() throws {
    let key = try #require(SealingKey(bytes: [UInt8](0..<32)))
    expectEqual(
      key.authenticationCode(of: Array("command".utf8)),
      bytes("49a09c7e699148525fc2be753eaebd296c8f623580ef0d3ed8ab021c18520d01"))
  }

  @Test("A sealed value opens only where it may be used, and no plain value looks like one")
  func values() throws {
    let key = try #require(SealingKey(bytes: [UInt8](0..<32)))
    let use = SealedValue.Use(domain: "bank", kind: 4, privacy: .account)
    let nonce = [UInt8](repeating: 9, count: 12)
    let value = SealedValue(sealing: Array("Ada".utf8), for: 0x0102, use, key: key, nonce: nonce)
    #expect(Array(value.bytes[..<10]) == [0xFF, 1, 2, 1, 0, 0, 0, 0, 0, 0] && Array(value.bytes[10..<22]) == nonce)
    #expect(value.account == 0x0102 && value.bytes.count == 41)
    expectEqual(value.opened(with: key, use), Array("Ada".utf8))
    for other in [
      SealedValue.Use(domain: "bank2", kind: 4, privacy: .account),
      SealedValue.Use(domain: "bank", kind: 7, privacy: .account),
      SealedValue.Use(domain: "bank", kind: 4, privacy: .secret),
    ] {
      #expect(value.opened(with: key, other) == nil)
    }
    var moved = value.bytes
    moved[2] = 3
    let isSealed = moved.withUnsafeBytes { SealedValue.isSealed($0) }
    #expect(isSealed && moved.withUnsafeBytes { SealedValue($0) }.opened(with: key, use) == nil)
    for plain in [[], [0xFF], [UInt8](repeating: 0xFF, count: 16), [0xFF, 1] + [UInt8](repeating: 0, count: 35)] {
      #expect(!plain.withUnsafeBytes { SealedValue.isSealed($0) }, "\(plain)")
    }
  }
}
