extension JournalReader {
  /// The name of the events' domain; `nil` in a journal that names none, as those of format 1.0.
  public var domain: String? { identity.domain }

  /// Refuses a journal of which nothing says whose events it has.
  ///
  /// - Throws: `damaged`.
  public func requireKnownDomain() throws(JournalError) {
    try identity.requireKnownDomain()
  }

  /// Refuses a journal in which a verified header names another domain than JOURNAL, or in which nothing says which domain
  /// it is. Reading it leaves out the events of that segment.
  ///
  /// - Throws: `damaged`, with the segment.
  public func requireOneDomain() throws(JournalError) {
    try identity.requireKnownDomain()
    guard let other = catalog.segments.first(where: catalog.isOfOtherDomain) else { return }
    throw JournalError(
      .damaged, catalog.domains(of: other), remedy: "restore the file from a copy, or salvage the journal without it",
      file: other.file, sequence: other.header.firstSequence)
  }

  /// Reads the catalogue that describes an event: the one with which its segment begins, or the same one from another
  /// segment. Of an event that does not exist yet, it is that of the last segment.
  ///
  /// - Returns: `nil` in a journal without a domain, in one without a segment, and where a ``Salvage`` that found no
  ///   catalogue wrote the segment.
  /// - Throws: `damaged` where no copy of it can be read, or nothing vouches for it; `inputOutput`.
  public func catalog(at sequence: UInt64) throws(JournalError) -> [UInt8]? {
    guard domain != nil, let first = catalog.segments.first else { return nil }
    let entry = catalog.segments.last { $0.header.firstSequence <= sequence } ?? first
    var search = CatalogSearch(self)
    return try search.digest(of: entry).map { (digest) throws(JournalError) in try search.bytes(of: digest, for: entry)
    }
  }

  /// The first event after each change of the catalogue, with the new one's SHA-256; `nil` where a segment has none.
  package var catalogChanges: [(first: UInt64, digest: [UInt8]?)] {
    var changes: [(first: UInt64, digest: [UInt8]?)] = []
    for entry in ownSegments where changes.last.map({ $0.digest != entry.header.catalogDigest }) ?? true {
      changes.append((entry.header.firstSequence, entry.header.catalogDigest))
    }
    return changes
  }

  /// A catalogue that segments claim to begin with, from its first event on.
  package struct ClaimedCatalog {
    package let first: UInt64
    /// Its SHA-256; `nil` where a segment has no catalogue, and where nothing is left of its claim.
    package let digest: [UInt8]?
    /// The catalogue; `nil` for the one that was left out, and where no copy of it can be read.
    package let bytes: [UInt8]?
  }

  /// Each change of the catalogue. After a header that does not verify, a catalogue counts here even where nothing vouches
  /// for it: damage must not hide what a program has to understand.
  ///
  /// - Parameter own: The SHA-256 of the catalogue that is not read. A journal that has no other is not read at all.
  package func claimedCatalogs(besides own: [UInt8]?) -> [ClaimedCatalog] {
    let isOther = { (entry: SegmentEntry) in
      entry.headerFault != nil || entry.header.catalogDigest.map { $0 != own } ?? false
    }
    guard domain != nil, catalog.segments.contains(where: isOther) else { return [] }
    var search = CatalogSearch(self)
    var claims: [ClaimedCatalog] = []
    for entry in ownSegments {
      let digest = search.claim(of: entry)
      if let last = claims.last, last.digest == digest { continue }
      let bytes = digest == own ? nil : digest.flatMap { try? search.bytes(of: $0, for: entry) }
      claims.append(ClaimedCatalog(first: entry.header.firstSequence, digest: digest, bytes: bytes))
    }
    return claims
  }

  /// Reads each catalogue in the journal once, in the order of the segments, except for one that the caller knows. Those
  /// that cannot be read are left out.
  ///
  /// - Parameters:
  ///   - own: The catalogue to leave out. A journal that has no other is not read.
  ///   - body: Receives a catalogue and the first segment that begins with it; returns whether to go on.
  package func readCatalogs(besides own: JournalDomain, _ body: ([UInt8], JournalSegment) -> Bool) {
    guard domain != nil, catalog.segments.contains(where: { $0.header.catalogDigest != own.described.digest }) else {
      return
    }
    var search = CatalogSearch(self)
    var seen: Set<[UInt8]> = [own.described.digest]
    for (entry, segment) in zip(catalog.segments, segments) {
      guard !catalog.isOfOtherDomain(entry), let digest = try? search.digest(of: entry), seen.insert(digest).inserted,
        let bytes = try? search.bytes(of: digest, for: entry)
      else { continue }
      guard body(bytes, segment) else { return }
    }
  }

  /// The segments whose events are served.
  private var ownSegments: [SegmentEntry] { catalog.segments.filter { !catalog.isOfOtherDomain($0) } }
}

extension JournalCatalog {
  /// Whether a segment is of another domain than the journal, so that its events mean something else.
  func isOfOtherDomain(_ entry: SegmentEntry) -> Bool {
    entry.headerFault == nil && entry.header.domain != identity.domain
  }

  /// What is wrong with such a segment.
  func domains(of entry: SegmentEntry) -> String {
    "the header of this segment names the domain \(DomainName.quoted(entry.header.domain)), and JOURNAL "
      + DomainName.quoted(identity.domain)
  }
}
