extension JournalReader {
  /// The name of the events' domain; `nil` in a journal that names none, as those of format 1.0.
  public var domain: String? { identity.domain }

  /// Refuses a journal in which a verified header names another domain than JOURNAL: whose events they are is unknown.
  ///
  /// - Throws: `otherDomain`, with the segment.
  public func requireOneDomain() throws(JournalError) {
    guard let other = catalog.segments.first(where: { $0.headerFault == nil && $0.header.domain != domain }) else {
      return
    }
    func text(_ name: String?) -> String { name.map { "\"\($0)\"" } ?? "none" }
    throw JournalError(
      .otherDomain,
      "the header of this segment names the domain \(text(other.header.domain)), and JOURNAL \(text(domain))",
      remedy: "restore the file that is wrong from a copy", file: other.file, sequence: other.header.firstSequence)
  }

  /// Reads the catalogue that describes an event: the one with which its segment begins, or the same one from another
  /// segment. Of an event that does not exist yet, it is that of the last segment.
  ///
  /// - Returns: `nil` in a journal without a domain, and in one without a segment.
  /// - Throws: `damaged` where no copy of it can be read; `inputOutput`.
  public func catalog(at sequence: UInt64) throws(JournalError) -> [UInt8]? {
    guard domain != nil, let first = catalog.segments.first else { return nil }
    return try catalogBytes(for: catalog.segments.last { $0.header.firstSequence <= sequence } ?? first)
  }

  /// The first event behind each change of the catalogue, with the new one's SHA-256; `nil` where a segment has none.
  package var catalogChanges: [(first: UInt64, digest: [UInt8]?)] {
    var changes: [(first: UInt64, digest: [UInt8]?)] = []
    for entry in catalog.segments where changes.last.map({ $0.digest != entry.header.catalogDigest }) ?? true {
      changes.append((entry.header.firstSequence, entry.header.catalogDigest))
    }
    return changes
  }

  /// The catalogue of the events in a segment, from it or from another one with the same catalogue.
  func catalogBytes(for entry: SegmentEntry) throws(JournalError) -> [UInt8] {
    if let bytes = try catalogBytes(of: entry) { return bytes }
    if let digest = entry.header.catalogDigest {
      for other in catalog.segments where other.header.catalogDigest == digest && other.name != entry.name {
        if let bytes = try catalogBytes(of: other) { return bytes }
      }
    }
    throw JournalError(
      .damaged, "the catalogue of the events in this segment cannot be read", remedy: "restore the file from a copy",
      file: entry.file, offset: UInt64(entry.header.size), sequence: entry.header.firstSequence)
  }

  /// The catalogue in a segment; `nil` where it does not verify, or is not the one that the header states.
  private func catalogBytes(of entry: SegmentEntry) throws(JournalError) -> [UInt8]? {
    let file = try directory.open(entry.file)
    defer { directory.fileSystem.close(file) }
    let window = FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file)
    let scanner = SegmentScanner(window, after: entry.header, limit: try directory.size(of: file, entry.file))
    guard let found = try scanner.readCatalog()?.catalog else { return nil }
    let stated = entry.headerFault == nil ? entry.header.catalogDigest : found.digest
    return found.digest == stated ? found.inflated : nil
  }
}
