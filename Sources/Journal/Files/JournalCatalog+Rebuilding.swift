/// A file with a segment's name, as it was found in the directory.
struct ListedFile {
  var name: SegmentName
  var length: UInt64
  /// The segment, when its header verifies or could be put together.
  var entry: SegmentEntry?
  /// Why the header in the file cannot be used.
  var fault = ""
  /// The number in a header that is another file's.
  var refused: UInt64?
  /// Otherwise it is a directory or a pipe, and `fault` says which.
  var isRegular = true
}

extension JournalCatalog {
  /// Puts headers together that do not verify, from everything that says what they must have been.
  ///
  /// A frame of the segment proves its number. Without one the file counts when its number is missing among those of the
  /// others, or when `HEAD` knows of a segment with that number or a later one. What only its name calls a segment is left
  /// out: it ends no segment before it, and takes no events from it.
  mutating func rebuildHeaders(_ files: inout [ListedFile], _ directory: JournalDirectory) throws(JournalError) {
    var others: [SegmentEntry] = []
    // How far behind each place the next header that verifies stands.
    var next: [(distance: UInt64, ordinal: UInt64)?] = Array(repeating: nil, count: files.count)
    for index in files.indices.dropLast().reversed() {
      if let entry = files[index + 1].entry {
        next[index] = (1, entry.header.ordinal)
      } else if let later = next[index + 1] {
        next[index] = (later.distance + 1, later.ordinal)
      }
    }
    var before: UInt64?
    for index in files.indices {
      let file = files[index]
      if let entry = file.entry {
        before = entry.header.ordinal
        continue
      }
      var candidates: [UInt64] = []
      if file.name.ordinal > 0 { candidates += [file.name.ordinal, file.name.ordinal % SegmentName.step] }
      if let before { candidates.append(before + 1) }
      if let next = next[index], next.ordinal > next.distance { candidates.append(next.ordinal - next.distance) }
      if let receipt, receipt.ordinal > 0 { candidates.append(receipt.ordinal) }
      if before == nil { candidates.append(1) }
      // Behind another segment's header its first frames may stand too.
      candidates.removeAll { $0 == 0 || $0 == file.refused }
      let mayGrow = index == files.count - 1
      var entry = try rebuild(file, ordinals: candidates, mayGrow: mayGrow, directory)
      // A flipped bit may turn a frame's seed into that of another segment: numbers that nothing speaks for come last.
      if !entry.isProven {
        candidates += (1...64).filter { $0 != file.refused }
        entry = try rebuild(file, ordinals: candidates, mayGrow: mayGrow, directory)
      }
      guard entry.isProven || isVouched(entry, behind: before, before: next[index]?.ordinal) else {
        others.append(entry)
        continue
      }
      files[index].entry = entry
      before = entry.header.ordinal
    }
    unvouched = others
  }

  /// Whether anything but its name says that a file without a sound frame is the segment of its number.
  ///
  /// - Parameters:
  ///   - before: the number of the segment before it; `nil` when there is none.
  ///   - next: that of the next one whose header verifies.
  private func isVouched(_ entry: SegmentEntry, behind before: UInt64?, before next: UInt64?) -> Bool {
    // Something other than a file holds no event, whichever is missing.
    guard entry.isRegular else { return false }
    if let next { return before.map { $0 + 1 < next } ?? true }
    // A slot that cannot be read may have named it.
    guard let before, headFile.isWhole, let receipt else { return true }
    return receipt.ordinal > before
  }

  /// What a segment's header must have been, from the journal's identity, the file's name and its neighbours; proven by a
  /// frame, which verifies only under the right identity and number.
  private mutating func rebuild(
    _ listed: ListedFile, ordinals: [UInt64], mayGrow: Bool, _ directory: JournalDirectory
  ) throws(JournalError) -> SegmentEntry {
    var entry = SegmentEntry(
      name: listed.name,
      header: SegmentHeader(
        id: identity.id, ordinal: ordinals.first ?? 1, firstSequence: listed.name.firstSequence, chainIn: 0,
        predecessor: .none, createdNanoseconds: identity.createdNanoseconds),
      headerFault: listed.fault, knowsChain: false, length: listed.length, isRegular: listed.isRegular)
    guard
      let frame = try searches.first(of: ordinals, in: listed, identity.id, mayGrow: mayGrow, directory)
    else { return entry }
    entry.isProven = true
    entry.header.ordinal = frame.ordinal
    if frame.offset == UInt64(Format.segmentHeaderSize) {
      entry.header.chainIn = frame.previous
      entry.knowsChain = true
    }
    return entry
  }

  /// Says of files of which nothing but their names says that they are segments that they are left out.
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
        .indexDamaged, file: entry.file, byteRange: 0..<min(entry.length, UInt64(Format.segmentHeaderSize)),
        cause:
          "\(entry.headerFault ?? "its header does not verify"), and no frame of this journal is in the file, which is left out",
        evidence: "no other file knows of a segment in this place",
        remedy: "restore the file from a copy if it was a segment, or move it to another place")
    }
  }
}
