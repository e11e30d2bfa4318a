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
