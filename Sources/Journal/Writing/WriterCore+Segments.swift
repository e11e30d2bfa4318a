extension WriterCore {
  /// Ends the current segment with a footer; afterwards nothing more fits it, and it needs a sync.
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
    // Zeros behind the trailer hide it only until the next segment states where this one ends.
    try? setLength(segment)
  }

  /// Gives the space ahead of the data back.
  func setLength(_ segment: ActiveSegment) throws(JournalError) {
    guard segment.allocated > segment.end else { return }
    do {
      try directory.fileSystem.setSize(of: segment.file, to: segment.end)
      segment.allocated = segment.end
    } catch {
      throw JournalError.system(error, file: segment.name, offset: segment.end)
    }
  }

  /// Lets go of the current segment, which was synced.
  mutating func leaveSegment(_ end: SegmentEnd) {
    guard let segment else { return }
    predecessor = SegmentHeader.Predecessor(
      end: end, validLength: segment.end, durableLength: segment.durableEnd,
      eventCount: UInt32(clamping: sequence + 1 - segment.header.firstSequence))
    directory.fileSystem.close(segment.file)
    self.segment = nil
  }

  /// Creates the next segment: complete and durable before its name appears, so that a segment always has its header.
  mutating func createSegment() throws(JournalError) {
    let digest = steppedDigest()
    let header = SegmentHeader(
      id: id, ordinal: nextOrdinal, firstSequence: sequence + 1, chainIn: chain, predecessor: predecessor,
      createdNanoseconds: createdNanoseconds, digestIn: digest)
    var name = SegmentName(firstSequence: sequence + 1, ordinal: 0)
    if takenNames.contains(name.text) { name.ordinal = nextOrdinal }
    let file = try directory.install(name.text, header.encoded())
    takenNames.insert(name.text)
    nextOrdinal += 1
    segment = ActiveSegment(file: file, name: name.text, header: header, sequence: sequence, chain: chain)
  }
}

extension JournalDirectory {
  /// Puts a whole file in place so that a power cut leaves either all of it or nothing, and returns it open.
  func install(_ name: String, _ parts: [UInt8]...) throws(JournalError) -> OpenFile {
    let temporary = path(of: name + ".tmp")
    var opened: OpenFile?
    do {
      let file = try fileSystem.open(temporary, .replace)
      opened = file
      var offset: UInt64 = 0
      for part in parts {
        try writeAll(file, part, at: offset)
        offset += UInt64(part.count)
      }
      try fileSystem.sync(file)
      try fileSystem.rename(temporary, to: path(of: name))
      try fileSystem.syncDirectory(path)
      return file
    } catch {
      if let opened { fileSystem.close(opened) }
      try? fileSystem.remove(temporary)
      throw JournalError.system(error, file: name)
    }
  }

  /// Writes all bytes, in as many calls as it takes.
  func writeAll(_ file: OpenFile, _ bytes: [UInt8], at offset: UInt64) throws(FileSystemError) {
    var done = 0
    while done < bytes.count {
      let result = bytes.withUnsafeBytes { buffer in
        Result { () throws(FileSystemError) in
          try fileSystem.write(
            file, UnsafeRawBufferPointer(rebasing: buffer[done...]), at: offset + UInt64(done))
        }
      }
      let count = try result.get()
      guard count > 0 else { throw FileSystemError(Platform.noSpace, during: "write") }
      done += min(count, bytes.count - done)
    }
  }
}
