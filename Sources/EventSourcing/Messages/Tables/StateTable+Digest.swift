extension StateTable {
  /// The digest of the table. O(log n) for each row that changed since a version whose digest was computed.
  @inlinable
  public func digest(_ writer: inout DigestWriter) -> Digest {
    tree?.digest(&writer) ?? Node.digest(entries, &writer)
  }
}

extension TableNode {
  @inlinable
  static func digest(_ entries: [Entry], _ writer: inout DigestWriter) -> Digest {
    writer.combine(1, entries.count) { index, writer in entries[index].digest(&writer) }
  }

  @inlinable
  func digest(_ writer: inout DigestWriter) -> Digest {
    if let known = digest.digest { return known }
    let computed =
      isLeaf
      ? Self.digest(entries, &writer)
      : writer.combine(2, parts.count) { index, writer in parts[index].digest(&writer) }
    digest.store(computed)
    return computed
  }
}
