/// What searches for frames in files whose headers do not verify have found: a follower lists the directory again and again,
/// and such a file may have to be read to its end.
struct FrameSearches: Sendable {
  /// The first frame in a file that is one of the segments that were looked for.
  struct Frame: Hashable, Sendable {
    var offset: UInt64
    /// The chain value before it.
    var previous: UInt32
    var ordinal: UInt64
  }

  private struct Search: Hashable, Sendable {
    var file: SegmentName
    var length: UInt64
    /// The segments that were looked for.
    var ordinals: [UInt64]
  }

  private var known: [Search: Frame?] = [:]
  private var asked: [Search: Frame?] = [:]

  /// Forgets what was not asked for since the last time.
  mutating func begin() {
    (known, asked) = (asked, [:])
  }

  /// The first frame behind a header's place that is one of some segments' of a journal. O(length of the file) the first time.
  ///
  /// - Parameter mayGrow: Whether a writer may be at the file, and put frames where there were none.
  mutating func first(
    of ordinals: [UInt64], in listed: ListedFile, _ id: JournalID, mayGrow: Bool, _ directory: JournalDirectory
  ) throws(JournalError) -> Frame? {
    let start = UInt64(Format.segmentHeaderSize)
    guard listed.isRegular, listed.length > start else { return nil }
    let search = Search(file: listed.name, length: listed.length, ordinals: ordinals)
    if let frame = known[search] ?? asked[search], frame != nil || !mayGrow {
      asked.updateValue(frame, forKey: search)
      return frame
    }
    let file = try directory.open(listed.name.text)
    defer { directory.fileSystem.close(file) }
    var seeds: [UInt32: UInt64] = [:]
    for ordinal in ordinals.reversed() { seeds[Checksum.segmentSeed(id, ordinal: ordinal)] = ordinal }
    var probe = SeedProbe(
      window: FileWindow(fileSystem: directory.fileSystem, file: file, name: listed.name.text), limit: listed.length)
    let frame = try probe.first(in: start..<listed.length, where: { seeds[$0] != nil }).flatMap { frame in
      seeds[frame.seed].map { Frame(offset: frame.offset, previous: frame.header.previous, ordinal: $0) }
    }
    asked.updateValue(frame, forKey: search)
    return frame
  }
}
