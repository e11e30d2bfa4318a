/// Finds the catalogues of a salvaged journal's events: that of the segment that holds them, or the same one from another
/// segment. Each is searched for once, however many segments begin with it.
///
/// A catalogue is only believed where something vouches for it: the SHA-256 in the header of its segment, or in that of
/// another segment of the domain.
struct SalvageCatalogs {
  private let salvage: Salvage
  /// The segments that hold a catalogue, by the digest that their headers state.
  private var holders: [[UInt8]: [Int]] = [:]
  /// The segment from which each catalogue can be read, by digest; `nil` where no copy of it can.
  private var known: [[UInt8]: Int?] = [:]
  /// What the segments asked for last have: the fragments of a few may alternate.
  private var recent: [Int: SegmentCatalog?] = [:]
  private static let recentCapacity = 8
  /// The name of the journal's domain, as far as `JOURNAL` or a header states it.
  let domain: String?
  /// The catalogue of the first events that have one.
  private(set) var first: SegmentCatalog?
  /// Whether some events have none, although their journal is of a domain.
  private(set) var lacksSome = false

  /// - Parameter ways: the route of the events that are salvaged.
  /// - Throws: `otherDomain` when the files name more than one domain, and none says which is meant.
  init(_ salvage: Salvage, of source: JournalID, _ ways: [SalvageRoute.Way]) throws(JournalError) {
    self.salvage = salvage
    let route = ways.map { salvage.fragments[$0.fragment].trace }
    domain = try Self.domain(salvage, source, route)
    let hasCatalog = route.contains { salvage.traces[$0].catalog != nil }
    guard domain != nil else {
      lacksSome = hasCatalog
      return
    }
    for (index, trace) in salvage.traces.enumerated() {
      guard salvage.source(of: trace.id) == source, trace.catalog != nil, trace.header?.domain == domain,
        let digest = trace.header?.catalogDigest
      else { continue }
      holders[digest, default: []].append(index)
    }
    var asked: Set<Int> = []
    for trace in route where asked.insert(trace).inserted {
      let found = catalog(of: trace)
      if first == nil { first = found }
      if found == nil { lacksSome = true }
    }
  }

  /// The domain that `JOURNAL` names, and otherwise the one that the headers of the salvaged segments agree on.
  private static func domain(
    _ salvage: Salvage, _ source: JournalID, _ route: [Int]
  ) throws(JournalError) -> String? {
    if let stated = try salvage.statedDomain(of: source) { return stated }
    let headers = route.compactMap { trace in
      salvage.traces[trace].header.map { ($0.domain, salvage.files[salvage.traces[trace].file].path) }
    }
    guard let (domain, file) = headers.first else { return nil }
    if let (other, otherFile) = headers.first(where: { $0.0 != domain }) {
      throw JournalError(
        .otherDomain,
        "it names the domain \(DomainName.quoted(other)), \(file) names \(DomainName.quoted(domain)), and no JOURNAL "
          + "says which is meant",
        remedy: "salvage the files of one domain at a time", file: otherFile)
    }
    return domain
  }

  /// The domain of the new journal, to write the first events with; `nil` when it names none, or no catalogue was found.
  var journalDomain: JournalDomain? {
    guard let domain, let bytes = first?.inflated else { return nil }
    return try? JournalDomain(name: domain, catalog: bytes)
  }

  /// The catalogue of a segment; `nil` where no copy of it can be read.
  mutating func catalog(of trace: Int) -> SegmentCatalog? {
    guard domain != nil else { return nil }
    if let found = recent[trace] { return found }
    let found = search(trace)
    if recent.count >= Self.recentCapacity { recent = [:] }
    recent[trace] = .some(found)
    return found
  }

  private mutating func search(_ trace: Int) -> SegmentCatalog? {
    if let header = salvage.traces[trace].header { return header.catalogDigest.flatMap { copy($0, trace) } }
    guard let found = read(trace), holders[found.digest] != nil || isStated(found, by: trace) else { return nil }
    return found
  }

  private mutating func copy(_ digest: [UInt8], _ trace: Int) -> SegmentCatalog? {
    if let place = known[digest] { return place.flatMap { read($0) }.flatMap { $0.digest == digest ? $0 : nil } }
    for place in [trace] + (holders[digest] ?? []).filter({ $0 != trace }) {
      guard let found = read(place), found.digest == digest else { continue }
      known[digest] = .some(place)
      return found
    }
    known[digest] = .some(nil)
    return nil
  }

  private func read(_ trace: Int) -> SegmentCatalog? {
    guard let place = salvage.traces[trace].catalog,
      let payload = bytes(of: trace, at: place.offset + UInt64(Format.frameHeaderSize), place.length)
    else { return nil }
    return SegmentCatalog(payload: payload)
  }

  /// Whether the header before a catalogue, which does not verify, still states both it and the domain.
  private func isStated(_ found: SegmentCatalog, by trace: Int) -> Bool {
    guard let place = salvage.traces[trace].catalog else { return false }
    // Where bytes are missing, its end is what is left of it.
    let size = min(UInt64(Format.segmentHeaderSize), place.offset)
    guard let rest = bytes(of: trace, at: place.offset - size, Int(size)) else { return false }
    let header = [UInt8](repeating: 0, count: Format.segmentHeaderSize - rest.count) + rest
    return SegmentHeader.claimedCatalog(of: domain, in: header) == found.digest
  }

  private func bytes(of trace: Int, at offset: UInt64, _ count: Int) -> [UInt8]? {
    let directory = JournalDirectory(path: "", fileSystem: salvage.fileSystem)
    let path = salvage.files[salvage.traces[trace].file].path
    guard let file = try? salvage.fileSystem.open(path, .read) else { return nil }
    defer { salvage.fileSystem.close(file) }
    guard let bytes = try? directory.read(file, path, at: offset, count: count), bytes.count == count else {
      return nil
    }
    return bytes
  }
}
