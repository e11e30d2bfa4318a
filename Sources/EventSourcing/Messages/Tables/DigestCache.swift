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

  /// A cache of a digest that is known, or of one that is not.
  @usableFromInline
  init(_ digest: Digest?) {
    if let digest { store(digest) }
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
    for slot in 0..<header.slotCount where !slots[slot].digest.isKnown.load(ordering: .acquiring) {
      let digest =
        isLeaf
        ? writer.digest(of: row(in: slot).pointee)
        : part(in: slot)._withUnsafeGuaranteedRef { part in
          part.summarize(&writer)
          return Digest.sha256(writer.digests)
        }
      slots[slot].digest.store(digest)
    }
    writer.digests.removeAll(keepingCapacity: true)
    // What comes first keeps rows from being mistaken for parts.
    writer.digests.append(isLeaf ? 1 : 2)
    for slot in 0..<header.slotCount { slots[slot].digest.digest?.append(to: &writer.digests) }
  }
}
