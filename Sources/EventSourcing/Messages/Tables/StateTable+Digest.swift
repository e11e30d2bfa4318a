import Synchronization

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
