import CCrypto

/// Computes the SHA-256 of successive messages that begin alike, such as one slice of successive states: the blocks that a
/// message has in common with the last one, from its beginning on, are not digested again.
@usableFromInline
struct SuccessiveSHA256: Sendable {
  /// The most blocks remembered, 2 KiB: enough for a slice without large parts.
  static var capacity: Int { 32 }
  private static var blockLength: Int { 64 }

  private struct Block {
    var bytes: SIMD8<UInt64>
    /// The digest's working value after the block.
    var value: SIMD8<UInt32>
  }

  /// The first whole blocks of the last message.
  private var blocks: [Block] = []

  @usableFromInline
  init() {}

  /// The SHA-256 digest of `message`. O(n).
  @usableFromInline
  mutating func digest(_ message: UnsafeRawBufferPointer) -> Digest {
    var context = SHA256_CTX()
    SHA256_Init(&context)
    let whole = min(message.count / Self.blockLength, Self.capacity)
    guard whole > 0 else {
      blocks.removeAll(keepingCapacity: true)
      return Digest.finish(&context, with: message)
    }
    var known = 0
    while known < min(whole, blocks.count), blocks[known].bytes == Self.block(known, of: message) { known += 1 }
    if known > 0 { context.h = Self.words(blocks[known - 1].value) }
    blocks.removeLast(blocks.count - known)
    for place in known..<whole {
      let bytes = Self.block(place, of: message)
      withUnsafeBytes(of: bytes) { SHA256_Transform(&context, $0.baseAddress) }
      blocks.append(Block(bytes: bytes, value: Self.vector(context.h)))
    }
    let length = whole * Self.blockLength
    context.Nl = UInt32(length * 8)
    return Digest.finish(&context, with: UnsafeRawBufferPointer(rebasing: message[length...]))
  }

  private static func block(_ place: Int, of message: UnsafeRawBufferPointer) -> SIMD8<UInt64> {
    message.loadUnaligned(fromByteOffset: place * blockLength, as: SIMD8<UInt64>.self)
  }

  private typealias Words = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  private static func words(_ vector: SIMD8<UInt32>) -> Words {
    (vector[0], vector[1], vector[2], vector[3], vector[4], vector[5], vector[6], vector[7])
  }

  private static func vector(_ words: Words) -> SIMD8<UInt32> {
    SIMD8(words.0, words.1, words.2, words.3, words.4, words.5, words.6, words.7)
  }
}
