extension WriterCore {
  /// Ends the current segment with a footer. It accepts nothing more afterwards, and needs a sync.
  mutating func sealSegment() throws(JournalError) {
    guard let segment else { return }
    if segment.block.eventCount > 0 { try writeAnchor(segment) }
    var labels = LabelRange.empty
    for entry in segment.entries { labels.include(entry.labels) }
    let footer = Footer(
      firstSequence: segment.header.firstSequence, eventCount: sequence + 1 - segment.header.firstSequence,
      chain: chain, labels: labels, digest: steppedDigest(), entries: segment.entries)
    try writeFrame(.footer, footer.encoded(), trailer: true, segment)
    segment.isSealed = true
    // Zeros after the trailer hide it only until the next segment states where this one ends.
    try? setLength(segment)
    checkInvariants()
  }

  /// Releases the space ahead of the data.
  func setLength(_ segment: ActiveSegment) throws(JournalError) {
    guard segment.allocated > segment.end else { return }
    do {
      try directory.fileSystem.setSize(of: segment.file, to: segment.end)
      segment.allocated = segment.end
    } catch {
      throw JournalError.system(error, file: segment.name, offset: segment.end, in: directory.path)
    }
  }

  /// Closes the current segment, which was synced.
  mutating func leaveSegment(_ end: SegmentEnd) {
    guard let segment else { return }
    predecessor = SegmentHeader.Predecessor(
      end: end, validLength: segment.end, durableLength: segment.durableEnd,
      eventCount: UInt32(clamping: sequence + 1 - segment.header.firstSequence))
    directory.fileSystem.close(segment.file)
    self.segment = nil
    checkInvariants()
  }

  /// Creates the next segment, complete and durable before its name appears, so that every segment has its header.
  mutating func createSegment() throws(JournalError) {
    try beginSegment()
    try installSegment()
    checkInvariants()
  }

  /// Does the same ahead of need: if there is no room, the next append tries again.
  mutating func createSegmentIfRoom() throws(JournalError) {
    do throws(JournalError) {
      try createSegment()
    } catch {
      guard error.code == .noSpace else { throw error }
    }
  }

  /// Begins the next segment under a name that readers ignore; it counts once it is installed.
  ///
  /// - Parameter older: the catalogue of the events that it gets first, which may be unknown; `nil` where they are described
  ///   like the next event.
  mutating func beginSegment(describedBy older: SegmentCatalog?? = nil) throws(JournalError) {
    let catalog = domain == nil ? nil : older ?? catalog
    let header = SegmentHeader(
      id: id, ordinal: nextOrdinal, firstSequence: sequence + 1, chainIn: chain, predecessor: predecessor,
      createdNanoseconds: createdNanoseconds, digestIn: steppedDigest(), catalogDigest: catalog?.digest,
      domain: domain)
    var frame: [UInt8] = []
    if let catalog {
      frame = FrameHeader.encoded(
        .catalog, payload: try catalog.payload(), sequence: sequence, chain: chain, at: UInt64(header.size),
        seed: header.seed)
    }
    var name = SegmentName(firstSequence: sequence + 1, ordinal: 0)
    // After a segment without events its number was used before, and the name without an ordinal may have been too: a
    // follower would take this file for one that was retired since.
    let isNumberUsed = nextOrdinal > 1 && predecessor.eventCount == 0
    if isNumberUsed || takenNames.contains(name.text) { name.ordinal = nextOrdinal }
    let file = try directory.begin(name.text, [header.encoded() + frame])
    let segment = ActiveSegment(file: file, name: name.text, header: header, sequence: sequence, chain: chain)
    if let catalog { segment.begin(with: catalog, frame) }
    self.segment = segment
    digest = header.beginDigest()
    compareCatalog()
  }

  /// Installs the current segment, durably with everything that it holds.
  ///
  /// After an error there is no current segment.
  mutating func installSegment() throws(JournalError) {
    guard let segment else { return }
    do throws(JournalError) {
      try directory.finish(segment.file, segment.name)
    } catch {
      forget(segment)
      throw error
    }
    segment.durableEnd = segment.end
    takenNames.insert(segment.name)
    nextOrdinal += 1
  }

  /// Drops a segment that was begun but not installed.
  mutating func discardSegment() {
    guard let segment else { return }
    directory.discard(segment.file, segment.name)
    forget(segment)
  }

  /// Goes back before the beginning of a segment that does not count: its catalogue is not a step of the digest.
  private mutating func forget(_ begun: ActiveSegment) {
    segment = nil
    digest = begun.header.digestIn.map { HistoryDigest($0) }
  }
}

extension JournalDirectory {
  /// Installs a whole file so that a power cut leaves either all of it or nothing, and returns it open.
  func install(_ name: String, _ parts: [UInt8]...) throws(JournalError) -> OpenFile {
    let file = try begin(name, parts)
    try finish(file, name)
    return file
  }

  /// Begins, under another name, a file that will be installed as a whole.
  func begin(_ name: String, _ parts: [[UInt8]]) throws(JournalError) -> OpenFile {
    var opened: OpenFile?
    do throws(FileSystemError) {
      let file = try fileSystem.open(temporaryPath(of: name), .replace)
      opened = file
      var offset: UInt64 = 0
      for part in parts {
        try fileSystem.writeAll(file, part, at: offset)
        offset += UInt64(part.count)
      }
      return file
    } catch {
      if let opened { discard(opened, name) }
      throw JournalError.system(error, file: name, in: path)
    }
  }

  /// Installs a file that was begun. After an error the file is closed.
  func finish(_ file: OpenFile, _ name: String) throws(JournalError) {
    do throws(FileSystemError) {
      try fileSystem.sync(file)
      try fileSystem.rename(temporaryPath(of: name), to: path(of: name))
      try fileSystem.syncDirectory(path)
    } catch {
      discard(file, name)
      throw JournalError.system(error, file: name, in: path)
    }
  }

  /// Drops a file that was begun.
  func discard(_ file: OpenFile, _ name: String) {
    fileSystem.close(file)
    try? fileSystem.remove(temporaryPath(of: name))
  }

  private func temporaryPath(of name: String) -> String { path(of: name + ".tmp") }
}
