/// A file with a segment's name, as found in the directory.
struct ListedFile {
  var name: SegmentName
  var length: UInt64
  /// The segment, if its header verifies or could be reconstructed.
  var entry: SegmentEntry?
  /// Why the header in the file cannot be used.
  var fault = ""
  /// The size of the header as the file states it, even where the header does not verify.
  var statedSize = 0
  /// The number in a header that belongs to another file.
  var refused: UInt64?
  /// Otherwise it is a directory or a pipe, and `fault` says which.
  var isRegular = true
}

extension JournalCatalog {
  /// Reconstructs headers that do not verify from all available evidence.
  ///
  /// A frame of the segment proves its number. Without one the file counts when its number is missing among those of
  /// the others, or when `HEAD` knows of a segment with that number or a later one. A file that only its name calls a
  /// segment is left out: it neither ends the previous segment nor takes events from it. The number in a name counts
  /// only where the others and `HEAD` leave room for it.
  mutating func rebuildHeaders(_ files: inout [ListedFile], _ directory: JournalDirectory) throws(JournalError) {
    var others: [SegmentEntry] = []
    // The distance from each place to the next header that verifies.
    var next: [(distance: UInt64, header: SegmentHeader)?] = Array(repeating: nil, count: files.count)
    for index in files.indices.dropLast().reversed() {
      if let entry = files[index + 1].entry {
        next[index] = (1, entry.header)
      } else if let later = next[index + 1] {
        next[index] = (later.distance + 1, later.header)
      }
    }
    let highest = files.lazy.compactMap(\.entry?.header.ordinal).max()
    var before: UInt64?
    for index in files.indices {
      let file = files[index]
      if let entry = file.entry {
        before = entry.header.ordinal
        continue
      }
      let numbers = candidates(for: file, after: before, before: next[index])
      let next = next[index]?.header
      // Names may be in another order than the segments: after the last header, all verified headers are known.
      let room = room(after: next == nil ? [before, highest].compactMap(\.self).max() : before, before: next?.ordinal)
      var entry = try rebuild(file, numbers, room, directory)
      // The header after it counts the events of the segment that it followed.
      if let next, next.ordinal == entry.header.ordinal + 1, let first = next.firstOfPredecessor {
        if entry.isProven { entry.header.firstSequence = first }
        entry.isStated = first == entry.header.firstSequence
        entry.knowsStart = entry.isStated
        if !entry.isStated {
          others.append(entry)
          continue
        }
      }
      guard entry.isProven || (entry.isRegular && (before == nil || room.contains(entry.header.ordinal))) else {
        others.append(entry)
        continue
      }
      files[index].entry = entry
      before = entry.header.ordinal
    }
    unvouched = others
  }

  /// The numbers of segments with evidence other than names: those missing between two verified headers, and after the
  /// last of these, those up to `HEAD`'s.
  ///
  /// - Parameters:
  ///   - before: the number of the segment before the place; `nil` without one.
  ///   - next: that of the next one whose header verifies.
  private func room(after before: UInt64?, before next: UInt64?) -> Range<UInt64> {
    let first = (before ?? 0) + 1
    if let next { return first..<max(next, first) }
    // A slot that cannot be read may have named a later one, unless the journal was closed.
    guard let receipt, headFile.isWhole || receipt.isClean else { return first..<Format.numberLimit }
    return first..<max(receipt.ordinal + 1, first)
  }

  /// The numbers that a segment may have, beginning with those that its name and its place suggest. Another segment's
  /// header may be followed by that segment's frames.
  private func candidates(
    for file: ListedFile, after before: UInt64?, before next: (distance: UInt64, header: SegmentHeader)?
  ) -> (near: [UInt64], far: [UInt64]) {
    var near: [UInt64] = []
    if file.name.ordinal > 0 { near += [file.name.ordinal, file.name.ordinal % SegmentName.step] }
    if let before { near.append(before + 1) }
    if let next, next.header.ordinal > next.distance { near.append(next.header.ordinal - next.distance) }
    if before == nil, file.name.firstSequence == 1 { near.append(1) }
    var far: [UInt64] = []
    if let receipt { far.append(receipt.ordinal) }
    if before == nil { far.append(1) }
    return (near.filter { $0 > 0 && $0 != file.refused }, far.filter { $0 > 0 && $0 != file.refused })
  }

  /// Reconstructs a segment's header from the journal's identity, the file's name and its neighbours, proven by a
  /// frame, which verifies only under the right identity and number.
  ///
  /// A frame with one of the likely ordinals counts first, and so does one with an event number that fits the file's
  /// name. For an ordinal without other evidence, two frames must agree. Where two frames determine the segment's first
  /// event, they outweigh the name.
  ///
  /// - Parameter room: the numbers that a file without a frame may have.
  private mutating func rebuild(
    _ listed: ListedFile, _ candidates: (near: [UInt64], far: [UInt64]), _ room: Range<UInt64>,
    _ directory: JournalDirectory
  ) throws(JournalError) -> SegmentEntry {
    let likely = candidates.near + candidates.far
    let free = likely.filter { room.contains($0) }
    // A first file always counts, at the latest as segment 1; the number in any other name must be one that it may have.
    let guess = free.first { listed.name.fits(ordinal: $0) } ?? (room.lowerBound == 1 ? free.first : nil)
    var entry = SegmentEntry(
      name: listed.name,
      header: SegmentHeader(
        id: identity.id, ordinal: guess ?? 1, firstSequence: listed.name.firstSequence, chainIn: 0,
        predecessor: .none, createdNanoseconds: identity.createdNanoseconds),
      headerFault: listed.fault, knowsChain: false, length: listed.length, knowsStart: false,
      isRegular: listed.isRegular)
    let all = (1...64).filter { $0 != listed.refused }
    var found: FrameSearches.Frame?
    for (ordinals, witness) in [
      (candidates.near, FrameSearches.Witness.fitting), (likely, .fitting), (likely, .any), (all, .twoFrames),
    ] where found == nil {
      found = try searches.first(of: ordinals, witness, in: listed, identity.id, directory)
    }
    entry.header.size = listed.headerSize(before: .max)
    guard let found else { return entry }
    entry.isProven = true
    entry.header.ordinal = found.ordinal
    entry.knowsStart = found.fits
    let pair = try searches.first(of: [found.ordinal], .twoFrames, in: listed, identity.id, directory)
    let start = pair ?? found
    entry.header.size = listed.headerSize(before: min(start.offset, found.offset))
    guard start.offset == UInt64(entry.header.size) else { return entry }
    entry.header.chainIn = start.previous
    entry.knowsChain = true
    if pair != nil, !start.fits {
      entry.header.firstSequence = listed.name.nearest(start.nextSequenceBits)
      entry.knowsStart = true
    }
    return entry
  }

  /// Puts files of which only their names say with which event they begin after the events that are certain before them:
  /// those of a sealed segment, and those that HEAD, checkpoints or frames prove. A name cannot take them back.
  mutating func placeGuesses(_ directory: JournalDirectory) {
    guard segments.contains(where: { !$0.knowsStart }) else { return }
    var placed = segments.sorted { $0.header.ordinal < $1.header.ordinal }
    var before: SegmentEntry?
    // The end of that segment, once it is asked for: one file after the other may ask.
    var end: UInt64?
    for index in placed.indices {
      guard !placed[index].knowsStart else {
        (before, end) = (placed[index], nil)
        continue
      }
      guard let before else { continue }
      // What the device does not deliver proves nothing here; a reader of the segment reports it.
      let last = end ?? (try? certainEnd(of: before, directory)) ?? 0
      end = last
      if last >= placed[index].header.firstSequence, !isOverruled(ordinal: before.header.ordinal, sequence: last) {
        placed[index].header.firstSequence = last + 1
      }
    }
    segments = Self.inOrder(placed)
  }

  /// The last event of a segment that a name after it cannot take back.
  private mutating func certainEnd(
    of entry: SegmentEntry, _ directory: JournalDirectory
  ) throws(JournalError) -> UInt64 {
    guard entry.knowsChain else { return 0 }
    if let known = searches.sealedEnds[entry], let known { return known }
    let file = try directory.open(entry.file)
    defer { directory.fileSystem.close(file) }
    let limit = try directory.size(of: file, entry.file)
    func scanner() -> SegmentScanner {
      SegmentScanner(
        FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file), after: entry.header, limit: limit)
    }
    if searches.sealedEnds[entry] == nil, let footer = try scanner().footer() {
      let end = try Self.sealedEnd(of: entry, scanner(), footer)
      searches.sealedEnds[entry] = .some(end)
      if let end { return end }
    }
    return try provenSequence(in: entry, scanner(), nil)
  }

  /// The last event of a segment that a footer sums up as it is; `nil` for one with a hole, because its owner may have given
  /// up what stands after that.
  private static func sealedEnd(
    of entry: SegmentEntry, _ scanner: SegmentScanner, _ footer: Footer
  ) throws(JournalError) -> UInt64? {
    while true {
      switch try scanner.next() {
      case .batch: continue
      case .record(let record) where record.type == .footer:
        let isRight =
          footer.firstSequence == entry.header.firstSequence && footer.chain == scanner.chain
          && footer.eventCount == scanner.sequence + 1 - footer.firstSequence
        return isRight ? scanner.sequence : nil
      case .record, .lostCatalog: continue
      case .hole, .end: return nil
      }
    }
  }

  /// Reports files that only their names make segments as left out.
  func findingsOfUnvouched() -> [Finding] {
    unvouched.map { entry in
      guard entry.isRegular else {
        return Finding(
          .indexDamaged, file: entry.file, byteRange: 0..<0,
          cause: "\(entry.headerFault ?? "it is not a regular file"), and is left out",
          evidence: "nothing but its name says that it is a segment",
          remedy: "move it to another place, and restore the segment from a copy if one was there")
      }
      return Finding(
        .indexDamaged, file: entry.file, byteRange: 0..<min(entry.length, UInt64(entry.header.size)),
        cause:
          "\(entry.headerFault ?? "its header does not verify"), and no frame of this journal is in the file, which is left out",
        evidence: "no other file knows of a segment in this place",
        remedy: "restore the file from a copy if it was a segment, or move it to another place")
    }
  }
}

extension ListedFile {
  /// Whether a frame is possible at its place in a segment with this name: the events that its number implies must have
  /// room before it.
  func fits(_ frame: SeedRecovery.Frame) -> Bool {
    let before = UInt32(truncatingIfNeeded: name.firstSequence &- (frame.header.type == .event ? 0 : 1))
    let distance = UInt64((frame.header.sequenceBits &- before) & Format.sequenceMask)
    return distance <= (frame.offset - UInt64(headerSize(before: frame.offset))) / UInt64(Format.frameHeaderSize)
  }

  /// The size of a header that does not verify, after which a frame was found: frames before the place at which those of
  /// this version begin are of format 1.0.
  func headerSize(before frame: UInt64) -> Int {
    statedSize == Format.smallestSegmentHeaderSize || frame < UInt64(Format.segmentHeaderSize)
      ? Format.smallestSegmentHeaderSize : Format.segmentHeaderSize
  }
}

extension SegmentName {
  /// The number with these low 30 bits that is nearest to the one in the name.
  func nearest(_ bits: UInt32) -> UInt64 {
    let ahead = UInt64((bits &- UInt32(truncatingIfNeeded: firstSequence)) & Format.sequenceMask)
    let behind = UInt64(Format.sequenceMask) + 1 - ahead
    let isBefore = behind < firstSequence && (behind < ahead || firstSequence + ahead > Format.numberLimit)
    return isBefore ? firstSequence - behind : firstSequence + ahead
  }
}
