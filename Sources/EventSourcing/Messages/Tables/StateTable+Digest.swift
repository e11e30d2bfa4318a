extension TableNode {
  /// Collects what stands for the rows in a digest. O(log n) for each row that changed since a version that was digested.
  @inlinable
  func summarize(_ writer: inout DigestWriter) {
    if isLeaf {
      writer.collect(1, entries.count) { index, writer in entries[index].digest(&writer) }
    } else {
      writer.collect(2, parts.count) { index, writer in parts[index].digest(&writer) }
    }
  }

  @inlinable
  func digest(_ writer: inout DigestWriter) -> Digest {
    if let known = digest.digest { return known }
    summarize(&writer)
    let computed = writer.computer.sha256(writer.digests)
    digest.store(computed)
    return computed
  }
}
