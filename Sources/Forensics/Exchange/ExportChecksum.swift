import Cryptography
import PlainText

/// A running SHA-256 (FIPS 180-4).
struct ExportChecksum {
  private var running = RunningSHA256()

  /// Adds bytes.
  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { running.add($0) }
  }

  /// Adds an event: the length of its payload in four bytes, the least significant first, and the payload.
  mutating func add(event payload: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: UInt32(payload.count).littleEndian) { running.add($0) }
    running.add(payload)
  }

  /// Adds lost events, each of which counts as one without content.
  mutating func add(lost count: UInt64) {
    // Only the lengths, all of them 0.
    let block = [UInt8](repeating: 0, count: Int(min(count, 1 << 14)) * 4)
    var rest = count
    while rest > 0 {
      let events = min(rest, 1 << 14)
      block.withUnsafeBytes { running.add(UnsafeRawBufferPointer(rebasing: $0[..<(Int(events) * 4)])) }
      rest -= events
    }
  }

  /// The digest of everything added, in hexadecimal digits.
  var hex: String {
    var text: [UInt8] = []
    text.append(hexadecimal: running.digest)
    return String(decoding: text, as: UTF8.self)
  }
}
