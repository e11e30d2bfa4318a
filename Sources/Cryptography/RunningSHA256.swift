#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// The SHA-256 of bytes that come in parts (FIPS 180-4): by CryptoKit on Apple platforms, by libcrypto elsewhere.
@usableFromInline
package struct RunningSHA256: Sendable {
  /// The length of a digest in bytes.
  package static let byteCount = 32

  #if canImport(CryptoKit)
    private var hash = SHA256()
  #else
    private var context = SHA256_CTX()
  #endif

  /// The digest of nothing so far.
  package init() {
    #if !canImport(CryptoKit)
      SHA256_Init(&context)
    #endif
  }

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      hash.update(bufferPointer: bytes)
    #else
      SHA256_Update(&context, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Writes the digest of everything added to `output`, which must have 32 bytes.
  package consuming func finish(into output: UnsafeMutableRawBufferPointer) {
    precondition(output.count == Self.byteCount, "a digest has 32 bytes")
    #if canImport(CryptoKit)
      hash.finalize().withUnsafeBytes { output.copyMemory(from: $0) }
    #else
      SHA256_Final(output.assumingMemoryBound(to: UInt8.self).baseAddress, &context)
    #endif
  }

  /// The digest of everything added so far.
  package var digest: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    bytes.withUnsafeMutableBytes { finish(into: $0) }
    return bytes
  }

  #if !canImport(CryptoKit)
    /// The value between two blocks.
    var value: SIMD8<UInt32> {
      get { withUnsafeBytes(of: context.h) { $0.loadUnaligned(as: SIMD8<UInt32>.self) } }
      set { withUnsafeMutableBytes(of: &context.h) { $0.storeBytes(of: newValue, as: SIMD8<UInt32>.self) } }
    }

    /// Digests a whole block of 64 bytes, which ``finish(into:)`` does not count.
    mutating func digest(block: UnsafeRawPointer?) {
      SHA256_Transform(&context, block?.assumingMemoryBound(to: UInt8.self))
    }
  #endif
}
