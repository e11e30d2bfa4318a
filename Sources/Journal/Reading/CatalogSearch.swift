/// Finds the catalogues of a journal's events. Each is searched for once, however many segments begin with it.
///
/// A catalogue is only believed where something vouches for it: the SHA-256 in the header of its segment, or in that of
/// another segment of the journal's domain.
struct CatalogSearch {
  private let directory: JournalDirectory
  private let domain: String?
  /// The segments whose headers state a catalogue, by its SHA-256.
  private var holders: [[UInt8]: [SegmentEntry]] = [:]
  /// Where each catalogue that was searched for can be read; `nil` where no copy of it can.
  private var known: [[UInt8]: SegmentEntry?] = [:]

  init(_ reader: JournalReader) {
    directory = reader.directory
    domain = reader.domain
    for entry in reader.catalog.segments { add(entry) }
  }

  /// Includes a segment, which may have been begun after the reader was created.
  mutating func add(_ entry: SegmentEntry) {
    guard entry.headerFault == nil, entry.header.domain == domain, let digest = entry.header.catalogDigest else {
      return
    }
    holders[digest, default: []].append(entry)
    if case .some(.none) = known[digest] { known[digest] = nil }
  }

  /// The SHA-256 of a segment's catalogue: that in its header, or that of the catalogue after a header that does not
  /// verify.
  ///
  /// - Returns: `nil` in a segment without a catalogue.
  /// - Throws: `damaged` where nothing vouches for one; `inputOutput`.
  func digest(of entry: SegmentEntry) throws(JournalError) -> [UInt8]? {
    guard entry.headerFault != nil else { return entry.header.catalogDigest }
    guard let found = try read(entry), holders[found.digest] != nil || isStated(found, by: entry) else {
      throw Self.lost(entry)
    }
    return found.digest
  }

  /// The SHA-256 of the catalogue that a segment claims to begin with, whether or not anything vouches for it; `nil` for
  /// none, and where a header that does not verify leaves nothing of it.
  func claim(of entry: SegmentEntry) -> [UInt8]? {
    guard entry.headerFault != nil else { return entry.header.catalogDigest }
    if let found = try? read(entry) { return found.digest }
    return headerBytes(of: entry).flatMap { SegmentHeader.claimedCatalog(of: domain, in: $0) }
  }

  /// The catalogue of the events in a segment, from it or from another one.
  ///
  /// - Parameter digest: Its SHA-256, as ``digest(of:)`` returned it.
  /// - Throws: `damaged` where no copy of it can be read; `inputOutput`.
  mutating func bytes(of digest: [UInt8], for entry: SegmentEntry) throws(JournalError) -> [UInt8] {
    if let place = known[digest] {
      guard let place, let found = try read(place), found.digest == digest, let bytes = found.inflated else {
        throw Self.lost(entry)
      }
      return bytes
    }
    var obstacle: JournalError?
    for place in [entry] + (holders[digest] ?? []).filter({ $0.name != entry.name }) {
      do throws(JournalError) {
        guard let found = try read(place), found.digest == digest, let bytes = found.inflated else { continue }
        known[digest] = .some(place)
        return bytes
      } catch {
        // An error of the device may pass: the catalogue is not lost.
        if obstacle == nil || error.code == .inputOutput { obstacle = error }
      }
    }
    if obstacle?.code != .inputOutput { known[digest] = .some(nil) }
    throw obstacle ?? Self.lost(entry)
  }

  private func read(_ entry: SegmentEntry) throws(JournalError) -> SegmentCatalog? {
    let file = try directory.open(entry.file)
    defer { directory.fileSystem.close(file) }
    let window = FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file)
    let scanner = SegmentScanner(window, after: entry.header, limit: try directory.size(of: file, entry.file))
    return try scanner.readCatalog()?.catalog
  }

  /// Whether a header that does not verify still states the catalogue and the domain.
  private func isStated(_ found: SegmentCatalog, by entry: SegmentEntry) -> Bool {
    headerBytes(of: entry).map { SegmentHeader.claimedCatalog(of: domain, in: $0) == found.digest } ?? false
  }

  private func headerBytes(of entry: SegmentEntry) -> [UInt8]? {
    guard case .file(let bytes, _)? = try? directory.content(of: entry.file, limit: Format.segmentHeaderSize) else {
      return nil
    }
    return bytes
  }

  private static func lost(_ entry: SegmentEntry) -> JournalError {
    JournalError(
      .damaged, "the catalogue of the events in this segment cannot be read", remedy: "restore the file from a copy",
      file: entry.file, offset: UInt64(entry.header.size), sequence: entry.header.firstSequence)
  }
}

extension SegmentHeader {
  /// The SHA-256 of the catalogue that the bytes of a header, which need not verify, state beside the name of a domain;
  /// `nil` for none.
  static func claimedCatalog(of domain: String?, in bytes: [UInt8]) -> [UInt8]? {
    guard let domain, let record = FixedRecord(bytes, size: Format.segmentHeaderSize),
      record.slice(at: 156, count: Format.domainNameSize) == DomainName.encoded(domain), !record.isZero(124..<156)
    else { return nil }
    return record.slice(at: 124, count: 32)
  }
}
