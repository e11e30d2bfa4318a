/// Search results for files whose headers do not verify, kept because a follower lists the directory repeatedly, and
/// such a file may have to be read to its end.
struct FrameSearches: Sendable {
  /// A frame of one of the segments that were looked for.
  struct Frame: Sendable {
    var offset: UInt64
    /// The chain value before it.
    var previous: UInt32
    var ordinal: UInt64
    /// The low bits of the number of the event after the place.
    var nextSequenceBits: UInt32
    /// Whether it has the number of an event that fits the file's name.
    var fits: Bool
  }

  /// Which frames identify a segment.
  enum Witness: Sendable {
    /// Any frame of a segment.
    case any
    /// A frame with the number of an event that fits the file's name.
    case fitting
    /// The first of two frames: a flipped bit may turn the seed of one into that of another segment.
    case twoFrames
    /// The first of two frames that fit the file's name.
    case twoFitting
  }

  /// The first frames under one seed.
  private struct Sighting: Sendable {
    var offset: UInt64
    var previous: UInt32
    var nextSequenceBits: UInt32
    /// Where the first frame ends.
    var end: UInt64
    /// Where the second one begins.
    var second: UInt64?

    init(_ frame: SeedRecovery.Frame) {
      (offset, previous) = (frame.offset, frame.header.previous)
      nextSequenceBits = frame.header.sequenceBits &+ (frame.header.type == .event ? 0 : 1)
      end = frame.offset + UInt64(frame.header.size)
    }

    mutating func add(_ frame: SeedRecovery.Frame) {
      if second == nil, frame.offset >= end { second = frame.offset }
    }
  }

  /// The frames found under one seed: all of them, and those that fit the file's name.
  private struct FramesFound: Sendable {
    var all: Sighting?
    var fitting: Sighting?

    mutating func add(_ frame: SeedRecovery.Frame, in listed: ListedFile) {
      Self.add(frame, &all)
      if listed.fits(frame) { Self.add(frame, &fitting) }
    }

    private static func add(_ frame: SeedRecovery.Frame, _ sighting: inout Sighting?) {
      if sighting == nil { sighting = Sighting(frame) } else { sighting?.add(frame) }
    }

    /// The identifying frame, and where the search recognised it.
    func found(_ witness: Witness) -> (sighting: Sighting, known: UInt64)? {
      let sighting =
        switch witness {
        case .any, .twoFrames: all
        case .fitting, .twoFitting: fitting
        }
      guard let sighting else { return nil }
      switch witness {
      case .any, .fitting: return (sighting, sighting.offset)
      case .twoFrames, .twoFitting: return sighting.second.map { (sighting, $0) }
      }
    }
  }

  private struct Search: Sendable {
    var length: UInt64
    /// The requested seeds.
    var asked: Set<UInt32> = []
    /// The bytes before this offset were searched for these seeds.
    var end = UInt64(Format.smallestSegmentHeaderSize)
    /// The bytes before this offset were searched for all seeds.
    var wholeEnd = UInt64(Format.smallestSegmentHeaderSize)
    /// The first frames under each seed in them.
    var frames: [UInt32: FramesFound] = [:]
  }

  /// The frames of a segment have one seed, while bytes that only look like frames have many: beyond this number, only
  /// requested seeds are kept.
  private static let maximumSeeds = 64
  private static let maximumAsked = 1024

  private var searches: [SegmentName: Search] = [:]
  /// The last events of sealed segments that were read for the sake of such a file after them; `nil` for one with a hole.
  var sealedEnds: [SegmentEntry: UInt64?] = [:]

  /// Forgets a file: a writer may have added frames to it.
  mutating func forget(_ name: SegmentName) { searches[name] = nil }

  /// The first frame after a header's place that belongs to one of some segments of a journal. O(length of the file)
  /// the first time.
  mutating func first(
    of ordinals: [UInt64], _ witness: Witness, in listed: ListedFile, _ id: JournalID, _ directory: JournalDirectory
  ) throws(JournalError) -> Frame? {
    guard !ordinals.isEmpty, listed.isRegular, listed.length > UInt64(Format.smallestSegmentHeaderSize) else {
      return nil
    }
    var seeds: [UInt32: UInt64] = [:]
    for ordinal in ordinals.reversed() { seeds[Checksum.segmentSeed(id, ordinal: ordinal)] = ordinal }
    var search = searches[listed.name] ?? Search(length: listed.length)
    if search.length != listed.length { search = Search(length: listed.length) }
    if search.asked.count > Self.maximumAsked { search = Search(length: listed.length) }
    if !search.asked.isSuperset(of: seeds.keys) {
      search.asked.formUnion(seeds.keys)
      search.end = search.wholeEnd
    }
    func found() -> Frame? {
      let telling = seeds.keys.compactMap { seed in search.frames[seed]?.found(witness).map { (seed, $0) } }
      guard let (seed, (frame, _)) = telling.min(by: { $0.1.known < $1.1.known }), let ordinal = seeds[seed] else {
        return nil
      }
      return Frame(
        offset: frame.offset, previous: frame.previous, ordinal: ordinal, nextSequenceBits: frame.nextSequenceBits,
        fits: search.frames[seed]?.fitting?.offset == frame.offset)
    }
    if let frame = found() { return frame }
    guard search.end < listed.length else { return nil }
    defer { searches[listed.name] = search }
    let file = try directory.open(listed.name.text)
    defer { directory.fileSystem.close(file) }
    var probe = SeedRecovery(
      window: FileWindow(fileSystem: directory.fileSystem, file: file, name: listed.name.text), limit: listed.length)
    while search.end < listed.length,
      let frame = try probe.first(in: search.end..<listed.length, where: { _ in true })
    {
      let isWhole = search.wholeEnd == search.end
      search.end = frame.offset + UInt64(Format.frameAlignment)
      let isKept =
        search.frames[frame.seed] != nil || search.asked.contains(frame.seed)
        || isWhole && search.frames.count < Self.maximumSeeds
      if isKept { search.frames[frame.seed, default: FramesFound()].add(frame, in: listed) }
      if isWhole, isKept { search.wholeEnd = search.end }
      if seeds[frame.seed] != nil, let frame = found() { return frame }
    }
    if search.wholeEnd == search.end { search.wholeEnd = listed.length }
    search.end = listed.length
    return nil
  }
}
