/// Finds the catalogues of a salvaged journal's events: that of the segment that holds them, or the same one from another
/// segment.
struct SalvageCatalogs {
  private let salvage: Salvage
  /// The segments that hold a catalogue, by the digest that their headers state.
  private var copies: [[UInt8]: [Int]] = [:]
  /// The catalogues that were looked for, by segment.
  private var known: [Int: SegmentCatalog?] = [:]
  /// The name of the journal's domain, as far as `JOURNAL` or a header states it.
  let domain: String?
  /// Whether a catalogue was in the pile, or a domain was named.
  let isExpected: Bool
  /// The catalogue of the first events; that of later ones where theirs cannot be read.
  private(set) var first: SegmentCatalog?

  /// - Parameter ways: the route of the events that are salvaged.
  init(_ salvage: Salvage, of source: JournalID, _ ways: [SalvageRoute.Way]) {
    self.salvage = salvage
    let own = salvage.traces.indices.filter { salvage.source(of: salvage.traces[$0].id) == source }
    for index in own {
      guard salvage.traces[index].catalog != nil, let digest = salvage.traces[index].header?.catalogDigest else {
        continue
      }
      copies[digest, default: []].append(index)
    }
    domain =
      salvage.identities.first { salvage.source(of: $0.id) == source && $0.domain != nil }?.domain
      ?? own.lazy.compactMap { salvage.traces[$0].header?.domain }.first
    isExpected = domain != nil || own.contains { salvage.traces[$0].catalog != nil }
    guard domain != nil else { return }
    for index in ways.map({ salvage.fragments[$0.fragment].trace }) + own where first == nil {
      first = catalog(of: index)
    }
  }

  /// The domain of the new journal; `nil` when it names none.
  var journalDomain: JournalDomain? {
    guard let domain, let bytes = first?.inflated else { return nil }
    return try? JournalDomain(name: domain, catalog: bytes)
  }

  /// The catalogue of a segment; `nil` where no copy of it can be read.
  mutating func catalog(of trace: Int) -> SegmentCatalog? {
    if let catalog = known[trace] { return catalog }
    let stated = salvage.traces[trace].header?.catalogDigest
    var found = read(trace, stated)
    for copy in stated.flatMap({ copies[$0] }) ?? [] where found == nil { found = read(copy, stated) }
    known[trace] = .some(found)
    return found
  }

  private func read(_ trace: Int, _ stated: [UInt8]?) -> SegmentCatalog? {
    guard let place = salvage.traces[trace].catalog else { return nil }
    let directory = JournalDirectory(path: "", fileSystem: salvage.fileSystem)
    let path = salvage.files[salvage.traces[trace].file].path
    guard let file = try? salvage.fileSystem.open(path, .read) else { return nil }
    defer { salvage.fileSystem.close(file) }
    let start = place.offset + UInt64(Format.frameHeaderSize)
    guard let payload = try? directory.read(file, path, at: start, count: place.length), payload.count == place.length,
      let catalog = SegmentCatalog(payload: payload), stated == nil || catalog.digest == stated
    else { return nil }
    return catalog
  }
}
