import Expectations
import Testing

@testable import Cryptography

@Suite("Digests of successive messages")
struct SuccessiveSHA256Tests {
  /// Bytes that end where their memory does, so that the address sanitizer sees every byte read beyond them.
  private static func expectAgreement(_ computer: inout SuccessiveSHA256, _ message: [UInt8]) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: message.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: message)
    let words = computer.digest(UnsafeRawBufferPointer(bytes))
    let digest = [words.0, words.1, words.2, words.3].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
    expectEqual(digest, Self.sha256(message), "\(message.count) bytes")
  }

  private static func sha256(_ message: [UInt8]) -> [UInt8] {
    var running = RunningSHA256()
    message.withUnsafeBytes { running.add($0) }
    return running.digest
  }

  @Test("The digest of a message is its SHA-256, whatever message came before it")
  func everyLength() {
    var computer = SuccessiveSHA256()
    for count in Array(0...200) + [2047, 2048, 2049, 2111, 2112, 5000, 130, 64, 63, 0, 128] {
      let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      Self.expectAgreement(&computer, message)
      Self.expectAgreement(&computer, message)
    }
  }

  @Test("A change of any byte counts, in the blocks that are remembered and after them")
  func everyByte() {
    var computer = SuccessiveSHA256()
    var message = [UInt8](repeating: 7, count: 64 * (SuccessiveSHA256.capacity + 2) + 5)
    for place in message.indices.reversed() where place % 7 == 0 || place < 200 {
      message[place] ^= UInt8(truncatingIfNeeded: place) | 1
      Self.expectAgreement(&computer, message)
      Self.expectAgreement(&computer, Array(message.prefix(place)))
      Self.expectAgreement(&computer, message)
    }
  }

  @Test("A message that begins the last one, ends in its padding, or adds to it has its own digest")
  func prefixes() {
    var message = [UInt8](repeating: 3, count: 119)
    // What pads 119 bytes, as if it were part of the message.
    let padding = [0x80] + [UInt8](repeating: 0, count: 6) + [0x03, 0xb8]
    var computer = SuccessiveSHA256()
    for longer in [message, message + padding, Array(message.prefix(64)), message, [], message, []] {
      Self.expectAgreement(&computer, longer)
    }
    for count in (0...119).reversed() {
      message.removeLast(message.count - count)
      Self.expectAgreement(&computer, message)
    }
  }

  @Test("A copy goes on by itself")
  func copies() {
    var one = SuccessiveSHA256()
    let message = [UInt8](repeating: 1, count: 300)
    Self.expectAgreement(&one, message)
    var other = one
    Self.expectAgreement(&other, [UInt8](repeating: 2, count: 300))
    Self.expectAgreement(&one, message)
  }
}
