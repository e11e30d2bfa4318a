import SystemCalls

/// A file that may hold frames of a segment which no header, and no frame after them, identified.
struct SalvageDoubt {
  var file: Int
  /// Where segments may begin in it.
  var bases: [UInt64]
  /// The bytes in which nothing was found, or events without a place.
  var regions: [Range<UInt64>]

  /// `nil` where a header accounts for every byte.
  init?(_ index: Int, _ scanner: PileScanner) {
    file = index
    let linked = scanner.fragments.filter { scanner.traces[$0.trace].evidence == .link }
    let hasSeeds = scanner.traces.contains { $0.evidence == .seed }
    regions = (scanner.holes + linked.map { $0.start..<$0.end }).sorted { $0.lowerBound < $1.lowerBound }
    let traces = scanner.traces.filter { $0.evidence != .link }
    // A verified header outweighs what its frames look like.
    bases = Set([0] + scanner.presumedHeaders + traces.map(\.base)).subtracting(
      scanner.firstLaterHeader.map { [$0] } ?? []
    )
    .sorted()
    guard !regions.isEmpty || hasSeeds, !bases.isEmpty else { return nil }
  }
}

/// The journals that any file names, and the highest known segment number.
struct KnownSegments {
  private let ids: [JournalID]
  var highest: UInt64

  init(_ salvage: Salvage) {
    ids = salvage.knownIDs
    highest = salvage.traces.lazy.compactMap(\.ordinal).max() ?? 0
  }

  /// The segment that has this seed, if its number is near the known ones.
  func segment(of seed: UInt32) -> (JournalID, UInt64)? {
    for id in ids {
      let ordinal = Checksum.ordinal(of: seed, in: id)
      if ordinal > 0, ordinal <= highest + 4096 { return (id, ordinal) }
    }
    return nil
  }
}

extension Salvage {
  /// The number of segments of one file, known only from their frames, after which the search for more stops.
  private static let maximumPresumed = 16

  /// Looks for frames again under the seeds of segments known by now, in files with unidentified parts.
  ///
  /// A single frame reveals its seed. The seed is right when it is that of the segment whose frames were found at the
  /// same place of the file, or of the segment that the file is according to the other files of its directory. For the
  /// first frame after a header, it is also right when it is that of any plausible segment of a known journal and no
  /// other evidence exists.
  mutating func searchDoubtfulFiles() throws(JournalError) {
    let known = KnownSegments(self)
    let segments = Dictionary(grouping: traces.filter { $0.evidence != .link }, by: \.file)
    var searches: [[SegmentTrace]] = []
    // Checksums are linear: two frames that verify under one seed also verify when the segment is assumed to begin
    // elsewhere in the file, if that changes the same bits of both offsets. The seed is then not that of a known
    // segment.
    let strange = Dictionary(
      grouping: fragments.filter { traces[$0.trace].evidence == .seed && traces[$0.trace].id == nil }, by: \.file)
    for var doubt in doubts {
      doubt.regions += (strange[doubt.file] ?? []).map { $0.start..<$0.end }
      doubt.regions.sort { $0.lowerBound < $1.lowerBound }
      let presumed = presumedSegments(doubt, known, segments[doubt.file] ?? [])
      if !presumed.isEmpty { searches.append(presumed) }
    }
    doubts = []
    // The search finds everything in these files again.
    let again = Set(searches.compactMap { $0.first?.file })
    let paths = Set(again.map { files[$0].path })
    fragments.removeAll { again.contains($0.file) }
    placeholders.removeAll { again.contains($0.file) }
    obstacles.removeAll { loss in loss.file.map { paths.contains($0) } ?? false }
    for presumed in searches {
      guard let file = presumed.first?.file else { continue }
      try search(files[file].path, presuming: presumed)
    }
    doubts = []
  }

  /// The segments of a file whose frames reveal their seeds, in the order of their first frames.
  private func presumedSegments(
    _ doubt: SalvageDoubt, _ known: KnownSegments, _ traces: [SegmentTrace]
  ) -> [SegmentTrace] {
    let path = files[doubt.file].path
    guard let file = try? fileSystem.open(path, .read) else { return [] }
    defer { fileSystem.close(file) }
    let window = FileWindow(fileSystem: fileSystem, file: file, name: path)
    let hint = SegmentName(FileName.lastComponent(of: path))?.firstSequence ?? 0
    var result: [SegmentTrace] = []
    for base in doubt.bases {
      // Frames under a header that verifies were all found with it.
      let headed = Set(traces.filter { $0.base == base && $0.evidence == .header }.compactMap(\.seed))
      var owners: [UInt32: (JournalID, UInt64)] = [:]
      for trace in traces where trace.base == base && trace.evidence == .seed {
        if let seed = trace.seed, let id = trace.id, let ordinal = trace.ordinal { owners[seed] = (id, ordinal) }
      }
      if base == 0, let neighbor = neighbors[path] { owners[neighbor.seed] = (neighbor.id, neighbor.ordinal) }
      let start = base + UInt64(Format.smallestSegmentHeaderSize)
      var probe = SeedRecovery(window: window, base: base, limit: files[doubt.file].length)
      var found = headed
      // A flipped bit may turn the seed of a frame that stands elsewhere into that of the segment.
      func isMoved(_ frame: SeedRecovery.Frame) -> Bool {
        (try? window.showsMove(
          of: frame.header, at: frame.offset, writtenAt: frame.offset - base, chain: frame.chain, seed: frame.seed,
          limit: files[doubt.file].length)) ?? false
      }
      func presume(_ frame: SeedRecovery.Frame, _ owner: (id: JournalID, ordinal: UInt64)) {
        found.insert(frame.seed)
        let sequence = PileScanner.fullSequence(frame.header.sequenceBits, near: hint)
        let isEvent = frame.header.type == .event
        // The catalogue of a journal's first segment stands before event 1.
        guard sequence > 0 || !isEvent, sequence < Format.numberLimit, result.count < Self.maximumPresumed else {
          return
        }
        result.append(
          SegmentTrace(
            file: doubt.file, base: base, evidence: .seed, seed: frame.seed, id: owner.id, ordinal: owner.ordinal,
            end: frame.offset, sequence: isEvent ? sequence - 1 : sequence, chain: frame.header.previous))
      }
      // A flipped bit may turn the seed that a frame reveals into that of another segment: a header or other frames
      // outweigh it.
      for size in [Format.smallestSegmentHeaderSize, Format.segmentHeaderSize] {
        let first = base + UInt64(size)
        if headed.isEmpty, owners.isEmpty, doubt.regions.contains(where: { $0.contains(first) }),
          let frame = (try? probe.frame(at: first)) ?? nil,
          !found.contains(frame.seed), !isMoved(frame), let owner = known.segment(of: frame.seed)
        {
          presume(frame, owner)
        }
      }
      for region in doubt.regions {
        guard found.count < headed.count + owners.count + 1, region.upperBound > start else { continue }
        let range = max(region.lowerBound, start)..<region.upperBound
        while let frame =
          (try? probe.first(in: range) {
            owners[$0.seed] != nil && !found.contains($0.seed) && !isMoved($0)
          }) ?? nil, let owner = owners[frame.seed]
        {
          presume(frame, owner)
        }
      }
      if base == 0, let neighbor = neighbors[path], !headed.contains(neighbor.seed),
        let trace = shiftedTrace(of: neighbor, in: doubt.file, &probe)
      {
        result.append(trace)
      }
    }
    return result.sorted { ($0.end, $0.base) < ($1.end, $1.base) }
  }

  /// The segment that a file is according to the other files of its directory, if frames that were found by their links
  /// were written at another place of it: all of them, where the header itself is cut.
  private func shiftedTrace(
    of neighbor: SalvageNeighbor, in file: Int, _ probe: inout SeedRecovery
  ) -> SegmentTrace? {
    let candidates = fragments.lazy.filter { $0.file == file && traces[$0.trace].id == nil }
    for fragment in candidates.prefix(Self.maximumPresumed) {
      var frame = (try? probe.frame(at: fragment.start)) ?? nil
      // The check of the first one may be cut.
      for _ in 0..<2 {
        guard let event = frame, let next = (try? probe.frame(at: event.offset + UInt64(event.header.size))) ?? nil
        else {
          break
        }
        frame = next
        // The seeds that the frames give differ from the segment's as the offsets do.
        let offset = event.offset ^ UInt64(event.seed ^ neighbor.seed)
        guard offset % 8 == 0, offset >= UInt64(Format.smallestSegmentHeaderSize), offset != event.offset,
          ShiftedFrames.isNear(offset, event.offset),
          next.offset ^ UInt64(next.seed ^ neighbor.seed) == offset + UInt64(event.header.size)
        else { continue }
        return presumed(neighbor, before: fragment, shift: Int64(offset) - Int64(event.offset))
      }
    }
    return nil
  }

  /// The segment of some frames, from the first place on at which a frame of it may stand: those before them may be whole,
  /// such as the catalogue.
  private func presumed(_ segment: SalvageNeighbor, before fragment: SalvageFragment, shift: Int64) -> SegmentTrace {
    var trace = SegmentTrace(
      file: fragment.file, base: 0, evidence: .seed, seed: segment.seed, id: segment.id, ordinal: segment.ordinal,
      end: fragment.start, sequence: fragment.first - 1, chain: fragment.chainBefore, shift: shift)
    let start = UInt64(max(Int64(Format.smallestSegmentHeaderSize) - shift, 0))
    // The events in between have room for their numbers.
    if start <= fragment.start, segment.firstSequence <= fragment.first,
      fragment.first - segment.firstSequence <= (fragment.start - start) / UInt64(Format.frameHeaderSize)
    {
      (trace.end, trace.sequence) = (start, segment.firstSequence - 1)
    }
    return trace
  }
}
