/// In which segment events were written that only their links identify: not always in that of the file in which they stand.
///
/// The check of a frame and the seed of a segment give the only offset below 2³² at which the frame was written there.
/// In a segment that did not hold it, that is a multiple of 8 within the segment with a chance of 2⁻¹² at most for one of
/// 8 MiB. The link has already proven the event itself.
struct LinkedEventOrdinals {
  private struct Segment {
    var ordinal: UInt64
    var seed: UInt32
    /// Its first event, where a header says so.
    var first: UInt64?
  }

  /// The lowest ordinals, which are tried even where nothing is left of the segments.
  private static let lowOrdinals: UInt64 = 64
  /// Segments that are tried; with more, too many would fit by chance.
  private static let maximumSegments = 4096
  /// How many events of a stretch are examined: the check of the first one may be cut.
  private static let maximumEvents = 2

  private let salvage: Salvage
  private var segments: [JournalID: [Segment]] = [:]
  /// No segment of the pile is longer.
  private let longest: UInt64

  init(_ salvage: Salvage) {
    self.salvage = salvage
    longest = salvage.files.lazy.map(\.length).max() ?? 0
    var known: [JournalID: [UInt64: UInt64?]] = [:]
    for trace in salvage.traces {
      guard let id = trace.id, let ordinal = trace.ordinal else { continue }
      let first = known[id]?[ordinal] ?? nil
      known[id, default: [:]][ordinal] = .some(first ?? trace.header?.firstSequence)
    }
    segments = known.reduce(into: [:]) { result, journal in
      let (id, known) = journal
      let low = 1...min(known.keys.max() ?? 1, Self.lowOrdinals)
      result[id] = Set(known.keys).union(low).sorted().prefix(Self.maximumSegments).map { ordinal in
        Segment(
          ordinal: ordinal, seed: Checksum.segmentSeed(id, ordinal: ordinal), first: known[ordinal] ?? nil)
      }
    }
  }

  /// The ordinal of the only segment of a journal in which some events can have been written; `nil` where none fits, or
  /// several do.
  func ordinal(of fragment: SalvageFragment, in id: JournalID) -> UInt64? {
    guard let segments = segments[id] else { return nil }
    let path = salvage.files[fragment.file].path
    guard let file = try? salvage.fileSystem.open(path, .read) else { return nil }
    defer { salvage.fileSystem.close(file) }
    let window = FileWindow(fileSystem: salvage.fileSystem, file: file, name: path)
    // The frame after the last one has proven its link.
    var probe = SeedRecovery(window: window, limit: salvage.files[fragment.file].length)
    var position = fragment.start
    var sequence = fragment.first
    for _ in 0..<Self.maximumEvents {
      guard let frame = (try? probe.frame(at: position)) ?? nil else { return nil }
      let found = segments.filter { mayHold(frame, sequence, $0) }
      if let segment = found.first { return found.count == 1 ? segment.ordinal : nil }
      position += UInt64(frame.header.size)
      if frame.header.type == .event { sequence += 1 }
    }
    return nil
  }

  /// Whether a segment has a place for a frame, and room before it for the events that precede it.
  private func mayHold(_ frame: SeedRecovery.Frame, _ sequence: UInt64, _ segment: Segment) -> Bool {
    // The seed that the frame gives differs from the segment's as the offsets do.
    let offset = frame.offset ^ UInt64(frame.seed ^ segment.seed)
    let start = UInt64(Format.smallestSegmentHeaderSize)
    guard offset % 8 == 0, offset >= start, offset <= longest + FileWindow.longestMove else { return false }
    guard let first = segment.first else { return true }
    return sequence >= first && (sequence - first) * UInt64(Format.frameHeaderSize) <= offset - start
  }
}
