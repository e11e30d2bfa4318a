/// Computes the SHA-256 of successive messages that begin alike, such as one slice of successive states: the blocks that a
/// message has in common with the last one, from its beginning on, are not digested again.
///
/// CryptoKit does not tell the value between two blocks: on Apple platforms every message is digested as a whole.
@usableFromInline
package struct SuccessiveSHA256: Sendable {
  /// The most blocks remembered, 2 KiB: enough for a slice without large parts.
  package static var capacity: Int { 32 }

  #if !canImport(CryptoKit)
    private static var blockLength: Int { 64 }

    private struct Block {
      var bytes: SIMD8<UInt64>
      /// The digest's working value after the block.
      var value: SIMD8<UInt32>
    }

    /// The first whole blocks of the last message.
    private var blocks: [Block] = []
  #endif

  @usableFromInline
  package init() {}

  /// The running digest of `message`. O(n).
  @usableFromInline
  package mutating func digest(_ message: UnsafeRawBufferPointer) -> RunningSHA256 {
    var digest = RunningSHA256()
    #if canImport(CryptoKit)
      digest.add(message)
    #else
      let whole = min(message.count / Self.blockLength, Self.capacity)
      var known = 0
      while known < min(whole, blocks.count), blocks[known].bytes == Self.block(known, of: message) { known += 1 }
      if known > 0 { digest.value = blocks[known - 1].value }
      blocks.removeLast(blocks.count - known)
      for place in known..<whole {
        let bytes = Self.block(place, of: message)
        withUnsafeBytes(of: bytes) { digest.digest(block: $0.baseAddress) }
        blocks.append(Block(bytes: bytes, value: digest.value))
      }
      digest.note(blocks: whole)
      digest.add(UnsafeRawBufferPointer(rebasing: message[(whole * Self.blockLength)...]))
    #endif
    return digest
  }

  #if !canImport(CryptoKit)
    private static func block(_ place: Int, of message: UnsafeRawBufferPointer) -> SIMD8<UInt64> {
      message.loadUnaligned(fromByteOffset: place * blockLength, as: SIMD8<UInt64>.self)
    }
  #endif
}
