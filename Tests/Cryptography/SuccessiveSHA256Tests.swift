import Testing

@testable import Cryptography

@Suite("Digests of successive messages")
struct SuccessiveSHA256Tests {
  /// Bytes that end where their memory does, so that the address sanitizer sees every byte read beyond them.
  private static func expectAgreement(_ computer: inout SuccessiveSHA256, _ message: [UInt8]) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: message.count, alignment: 1)
    defer { bytes.deallocate() }
    bytes.copyBytes(from: message)
    let digest = computer.digest(UnsafeRawBufferPointer(bytes))
    #expect(digest.digest == Self.sha256(message), "\(message.count) bytes")
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

  @Test("A change of any byte counts, in the blocks that are remembered and behind them")
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
