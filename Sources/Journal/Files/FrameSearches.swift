/// What was found in files whose headers do not verify: a follower lists the directory again and again, and such a file may
/// have to be read to its end.
struct FrameSearches: Sendable {
  /// A frame of one of the segments that were looked for.
  struct Frame: Sendable {
    var offset: UInt64
    /// The chain value before it.
    var previous: UInt32
    var ordinal: UInt64
  }

  private struct Search: Sendable {
    var length: UInt64
    /// The bytes before this offset were searched.
    var end = UInt64(Format.segmentHeaderSize)
    /// The first frame under each seed in them.
    var frames: [UInt32: (offset: UInt64, previous: UInt32)] = [:]
  }

  /// The frames of a segment have one seed, and what only looks like frames has many.
  private static let maximumSeeds = 64

  private var searches: [SegmentName: Search] = [:]

  /// The first frame behind a header's place that is one of some segments' of a journal. O(length of the file) the first time.
  ///
  /// - Parameter mayGrow: Whether a writer may be at the file, and put frames where there were none.
  mutating func first(
    of ordinals: [UInt64], in listed: ListedFile, _ id: JournalID, mayGrow: Bool, _ directory: JournalDirectory
  ) throws(JournalError) -> Frame? {
    guard listed.isRegular, listed.length > UInt64(Format.segmentHeaderSize) else { return nil }
    var seeds: [UInt32: UInt64] = [:]
    for ordinal in ordinals.reversed() { seeds[Checksum.segmentSeed(id, ordinal: ordinal)] = ordinal }
    var search = searches[listed.name] ?? Search(length: listed.length)
    let known = search.frames.filter { seeds[$0.key] != nil }.min { $0.value.offset < $1.value.offset }
    if let (seed, frame) = known, let ordinal = seeds[seed] {
      return Frame(offset: frame.offset, previous: frame.previous, ordinal: ordinal)
    }
    if mayGrow || search.length != listed.length { search = Search(length: listed.length) }
    guard search.end < listed.length else { return nil }
    defer { searches[listed.name] = search }
    let file = try directory.open(listed.name.text)
    defer { directory.fileSystem.close(file) }
    var probe = SeedProbe(
      window: FileWindow(fileSystem: directory.fileSystem, file: file, name: listed.name.text), limit: listed.length)
    var position = search.end
    var isNoting = true
    while position < listed.length, let frame = try probe.first(in: position..<listed.length, where: { _ in true }) {
      position = frame.offset + UInt64(Format.frameAlignment)
      isNoting = isNoting && (search.frames[frame.seed] != nil || search.frames.count < Self.maximumSeeds)
      if isNoting {
        search.end = position
        if search.frames[frame.seed] == nil { search.frames[frame.seed] = (frame.offset, frame.header.previous) }
      }
      if let ordinal = seeds[frame.seed] {
        return Frame(offset: frame.offset, previous: frame.header.previous, ordinal: ordinal)
      }
    }
    if isNoting { search.end = listed.length }
    return nil
  }
}
