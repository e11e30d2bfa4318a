extension WriterCore {
  /// Takes over what was found: continues in the last segment where possible, and otherwise states how it ended. Either
  /// way what verifies is durable afterwards, because callers may act on it now.
  ///
  /// What is not proven durable is written again to a fresh segment, because syncing it here would prove nothing: the
  /// sync of a process that has ended may have failed, and its device may have kept no record of that. The system may
  /// have dropped what that sync could not write from its cache, or only from what it still has to write, and would
  /// report success for this one. Without room for another segment the bytes are written again in place, which is as
  /// good a proof but allows only one attempt on a failing device.
  ///
  /// A journal that was closed is not synced: the receipt that says so was written once all of it, including the
  /// names, was durable.
  ///
  /// After an error no file is open.
  mutating func takeOver(
    _ ending: JournalEnding, _ catalog: JournalCatalog, _ head: inout HeadWriter, isLoss: Bool
  ) throws(JournalError) {
    guard let entry = ending.entry else { return }
    let isSyncFailed = catalog.receipt?.isSyncFailed == true
    let isSettled =
      catalog.wasClosed && !isSyncFailed && ending.canContinue && catalog.findings.isEmpty && ending.findings.isEmpty
    // A process that died may have left a name that is not durable yet; events appended there would vanish with it.
    if ending.isNameDurable || entry.headerFault != nil {
      if !isSettled { try directory.syncNames(for: entry.file) }
    } else {
      try directory.enterAgain(entry, besides: takenNames)
    }
    let segment = try open(ending, entry)
    segment.catalog = try ending.catalog(in: catalog, of: directory)
    // Proof of a loss here also proves that everything before it was durable; a loss elsewhere, such as an extra
    // file, proves nothing about this segment.
    let isLostHere = ending.findings.contains {
      ($0.verdict == .damaged || $0.verdict == .tailLost) && $0.file == entry.file
        && $0.byteRange.upperBound >= ending.validEnd
    }
    segment.durableEnd =
      isLostHere && !isSyncFailed ? ending.validEnd : min(ending.durableEnd, ending.validEnd)
    // A header reconstructed from its surroundings is right when frames after it verify.
    if isSyncFailed || segment.durableEnd < ending.validEnd,
      entry.headerFault == nil || ending.validEnd > UInt64(entry.header.size)
    {
      self.segment = segment
      do throws(JournalError) {
        return try rewriteUndurable(leaving: isLoss ? .damaged : .syncFailed)
      } catch {
        guard error.code == .noSpace, try !hasUnknownSegment() else { throw error }
        (sequence, chain, digest, predecessor) = (ending.sequence, ending.chain, ending.digest, .none)
      }
      segment.file = try open(ending, entry).file
      try writeAgain(segment, ending, &head)
    } else if !isSyncFailed, !isSettled {
      // Either all of it is durable, or no event of the segment is served and it stays as it is.
      try sync(segment, ending, &head, cutsOff: ending.canContinue && !catalog.wasClosed)
    }
    segment.durableEnd = ending.validEnd
    guard ending.canContinue, let block = ending.block else {
      directory.fileSystem.close(segment.file)
      predecessor = SegmentHeader.Predecessor(
        end: isLoss ? .damaged : ending.isComplete ? .sealed : .torn, validLength: ending.validEnd,
        durableLength: ending.validEnd,
        eventCount: UInt32(clamping: ending.sequence + 1 - entry.header.firstSequence))
      return
    }
    segment.block = block
    segment.entries = ending.entries
    self.segment = segment
    compareCatalog()
  }

  /// Opens the segment that was found, to continue in it or to write it again.
  private func open(_ ending: JournalEnding, _ entry: SegmentEntry) throws(JournalError) -> ActiveSegment {
    let file: OpenFile
    let size: UInt64
    do throws(FileSystemError) {
      file = try directory.fileSystem.open(directory.path(of: entry.file), .update)
      do throws(FileSystemError) {
        size = try directory.fileSystem.size(of: file)
      } catch {
        directory.fileSystem.close(file)
        throw error
      }
    } catch {
      throw JournalError.system(error, file: entry.file)
    }
    let segment = ActiveSegment(
      file: file, name: entry.file, header: entry.header, sequence: ending.sequence, chain: ending.chain)
    segment.end = ending.validEnd
    segment.dataStart = min(ending.dataStart, ending.validEnd)
    segment.allocated = max(size, ending.validEnd)
    segment.expressedEnd = UInt64(entry.header.size)
    return segment
  }

  /// Whether a segment's name has appeared since: the file that stood in for it then no longer counts.
  private func hasUnknownSegment() throws(JournalError) -> Bool {
    JournalCatalog.segmentNames(try directory.names()).contains { !takenNames.contains($0.text) }
  }

  /// Writes what is not known to be durable once more in place, syncs it, and reads it back.
  ///
  /// These are new writes: their success does not depend on earlier ones. The bytes are those already in the file, so
  /// a power cut in between leaves nothing different. Reading back shows what was dropped since.
  private func writeAgain(
    _ segment: ActiveSegment, _ ending: JournalEnding, _ head: inout HeadWriter
  ) throws(JournalError) {
    do throws(JournalError) {
      var offset = segment.durableEnd
      while offset < ending.validEnd {
        let count = Int(min(64 << 10, ending.validEnd - offset))
        let bytes = try directory.read(segment.file, segment.name, at: offset, count: count)
        guard !bytes.isEmpty else { break }
        try JournalError.translating(
          file: segment.name, offset: offset, try directory.fileSystem.writeAll(segment.file, bytes, at: offset))
        offset += UInt64(bytes.count)
      }
    } catch {
      directory.fileSystem.close(segment.file)
      throw error
    }
    try sync(segment, ending, &head, cutsOff: ending.canContinue)
    do throws(JournalError) {
      let scanner = SegmentScanner(
        FileWindow(fileSystem: directory.fileSystem, file: segment.file, name: segment.name), after: segment.header,
        limit: ending.validEnd)
      while scanner.sequence < ending.sequence {
        switch try scanner.next() {
        case .batch, .record, .lostCatalog: continue
        case .hole, .end: throw JournalError.unreadable(segment, at: scanner.offset)
        }
      }
      guard scanner.chain == ending.chain else { throw JournalError.unreadable(segment, at: scanner.offset) }
    } catch {
      directory.fileSystem.close(segment.file)
      throw error
    }
  }

  /// Syncs what was found, and records it when the device fails to: the file must not be synced again.
  ///
  /// - Parameter cutsOff: whether to truncate the file after it first. What a process failed to sync may be on the
  ///   device even though the system shows zeros or nothing there, and a power cut would bring it back as events that
  ///   this opening has not seen. Where a fresh segment follows, its header ensures that they do not count.
  private func sync(
    _ segment: ActiveSegment, _ ending: JournalEnding, _ head: inout HeadWriter, cutsOff: Bool
  ) throws(JournalError) {
    do throws(FileSystemError) {
      if cutsOff {
        try directory.fileSystem.setSize(of: segment.file, to: ending.validEnd)
        segment.allocated = ending.validEnd
      }
    } catch {
      directory.fileSystem.close(segment.file)
      throw JournalError.system(error, file: segment.name, offset: ending.validEnd)
    }
    do throws(FileSystemError) {
      try directory.fileSystem.sync(segment.file)
    } catch {
      head.write(
        ordinal: segment.header.ordinal, offset: ending.validEnd, sequence: ending.sequence, chain: ending.chain,
        isSyncFailed: true)
      directory.fileSystem.close(segment.file)
      throw JournalError.system(error, file: segment.name)
    }
  }
}
