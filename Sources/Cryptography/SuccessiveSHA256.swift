/// Computes the SHA-256 of successive messages that begin alike, such as one slice of successive states: the blocks that a
/// message has in common with the last one, from its beginning on, are not digested again.
///
/// CryptoKit does not tell the value between two blocks: on Apple platforms every message is digested as a whole.
@usableFromInline
package struct SuccessiveSHA256: Sendable {
  /// The most blocks remembered, 2 KiB: enough for a slice without large parts.
  package static var capacity: Int { 32 }

  /// A digest as four words, the first byte most significant.
  package typealias Words = (UInt64, UInt64, UInt64, UInt64)

  @usableFromInline
  package init() {}

  #if canImport(CryptoKit)
    /// The digest of `message`. O(n).
    package mutating func digest(_ message: UnsafeRawBufferPointer) -> Words {
      var running = RunningSHA256()
      running.add(message)
      var words: Words = (0, 0, 0, 0)
      withUnsafeMutableBytes(of: &words) { running.finish(into: $0) }
      return (
        UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2), UInt64(bigEndian: words.3)
      )
    }
  #else
    private static var blockLength: Int { 64 }
    /// The value before the first block.
    private static let start = RunningSHA256().value

    private struct Block {
      var bytes = SIMD8<UInt64>()
      /// The digest's working value after the block.
      var value = SIMD8<UInt32>()
    }

    /// The first blocks of the last message with its padding, and memory for more.
    private var blocks: [Block] = []
    private var blockCount = 0
    private var running = RunningSHA256()

    /// The digest of `message`. O(n).
    package mutating func digest(_ message: UnsafeRawBufferPointer) -> Words {
      let whole = message.count / Self.blockLength
      // The rest, a bit that ends it, zeros, and the length in bits (FIPS 180-4, section 5.1.1).
      let rest = UnsafeRawBufferPointer(rebasing: message[(whole * Self.blockLength)...])
      let paddedCount = rest.count < Self.blockLength - 8 ? 1 : 2
      var padded = (SIMD8<UInt64>(), SIMD8<UInt64>())
      let value = withUnsafeMutableBytes(of: &padded) { padded in
        padded.copyMemory(from: rest)
        padded[rest.count] = 0x80
        padded.storeBytes(
          of: (UInt64(message.count) * 8).bigEndian, toByteOffset: paddedCount * Self.blockLength - 8, as: UInt64.self)
        return digest(whole, of: message, UnsafeRawBufferPointer(rebasing: padded[..<(paddedCount * Self.blockLength)]))
      }
      func word(_ index: Int) -> UInt64 { UInt64(value[2 * index]) << 32 | UInt64(value[2 * index + 1]) }
      return (word(0), word(1), word(2), word(3))
    }

    /// The value after the whole blocks of a message and those that follow.
    private mutating func digest(
      _ whole: Int, of message: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer
    ) -> SIMD8<UInt32> {
      let count = whole + rest.count / Self.blockLength
      guard let end = rest.baseAddress else { return Self.start }
      let begin = message.baseAddress ?? end
      func address(_ place: Int) -> UnsafeRawPointer {
        place < whole ? begin + place * Self.blockLength : end + (place - whole) * Self.blockLength
      }
      let keptCount = min(count, Self.capacity)
      while blocks.count < keptCount { blocks.append(Block()) }
      return blocks.withUnsafeMutableBufferPointer { blocks in
        var place = 0
        while place < min(count, blockCount), Self.isSame(blocks[place].bytes, address(place)) { place += 1 }
        guard place < count else { return blocks[count - 1].value }
        running.value = place == 0 ? Self.start : blocks[place - 1].value
        blockCount = keptCount
        for place in place..<count {
          running.digest(block: address(place))
          if place < keptCount {
            blocks[place].bytes = address(place).loadUnaligned(as: SIMD8<UInt64>.self)
            blocks[place].value = running.value
          }
        }
        return running.value
      }
    }

    private static func isSame(_ bytes: SIMD8<UInt64>, _ block: UnsafeRawPointer) -> Bool {
      let differences = bytes ^ block.loadUnaligned(as: SIMD8<UInt64>.self)
      let half = differences.lowHalf | differences.highHalf
      let quarter = half.lowHalf | half.highHalf
      return quarter[0] | quarter[1] == 0
    }
  #endif
}
