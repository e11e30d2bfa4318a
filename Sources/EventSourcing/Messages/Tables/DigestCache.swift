import Synchronization

/// A digest that is computed once and then known to every version that shares what it covers.
///
/// Threads may compute it at the same time: all of them store the same value.
@usableFromInline
struct DigestCache: ~Copyable, Sendable {
  @usableFromInline let isKnown = Atomic(false)
  private let first = Atomic<UInt64>(0)
  private let second = Atomic<UInt64>(0)
  private let third = Atomic<UInt64>(0)
  private let fourth = Atomic<UInt64>(0)

  @usableFromInline
  init() {}

  /// A cache of what another one knows.
  @usableFromInline
  init(copying other: borrowing DigestCache) {
    guard other.isKnown.load(ordering: .acquiring) else { return }
    first.store(other.first.load(ordering: .relaxed), ordering: .relaxed)
    second.store(other.second.load(ordering: .relaxed), ordering: .relaxed)
    third.store(other.third.load(ordering: .relaxed), ordering: .relaxed)
    fourth.store(other.fourth.load(ordering: .relaxed), ordering: .relaxed)
    isKnown.store(true, ordering: .relaxed)
  }

  /// The digest; `nil` until it is stored.
  @usableFromInline var digest: Digest? {
    guard isKnown.load(ordering: .acquiring) else { return nil }
    return Digest(
      inOrder: (
        first.load(ordering: .relaxed), second.load(ordering: .relaxed), third.load(ordering: .relaxed),
        fourth.load(ordering: .relaxed)
      ))
  }

  /// Writes the digest, which is known, to the first 32 bytes.
  @usableFromInline
  borrowing func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: first.load(ordering: .relaxed).bigEndian, as: UInt64.self)
    bytes.storeBytes(of: second.load(ordering: .relaxed).bigEndian, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: third.load(ordering: .relaxed).bigEndian, toByteOffset: 16, as: UInt64.self)
    bytes.storeBytes(of: fourth.load(ordering: .relaxed).bigEndian, toByteOffset: 24, as: UInt64.self)
  }

  @usableFromInline
  borrowing func store(_ digest: Digest) {
    let words = digest.inOrder
    first.store(words.0, ordering: .relaxed)
    second.store(words.1, ordering: .relaxed)
    third.store(words.2, ordering: .relaxed)
    fourth.store(words.3, ordering: .relaxed)
    isKnown.store(true, ordering: .releasing)
  }

  /// Forgets the digest, because what it covers is about to change. Only the owner of the only reference may do so.
  @inlinable @inline(__always)
  borrowing func forget() {
    isKnown.store(false, ordering: .relaxed)
  }
}

extension TableNode {
  /// Collects what stands for the rows in a digest. O(log n) for each row that changed since a version that was digested.
  @inlinable
  func summarize(_ writer: inout DigestWriter) {
    for slot in 0..<head.pointee.slotCount where !slots[slot].digest.isKnown.load(ordering: .acquiring) {
      let digest =
        isLeaf
        ? writer.digest(of: row(in: slot).pointee)
        : part(in: slot)._withUnsafeGuaranteedRef { part in
          part.summarize(&writer)
          return Digest.sha256(writer.digests)
        }
      slots[slot].digest.store(digest)
    }
    let count = head.pointee.slotCount
    writer.setCount(ofDigests: 1 + count * Digest.byteCount)
    writer.digests.withUnsafeMutableBytes { bytes in
      // What comes first keeps rows from being mistaken for parts.
      bytes[0] = isLeaf ? 1 : 2
      for slot in 0..<count {
        slots[slot].digest.write(to: UnsafeMutableRawBufferPointer(rebasing: bytes[(1 + slot * Digest.byteCount)...]))
      }
    }
  }
}
