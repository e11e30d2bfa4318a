extension WriterCore {
  /// Takes over what was found: goes on in the last segment where that is possible, and otherwise states how it ended.
  /// Either way what verifies is durable afterwards, because somebody may act on it from here on.
  ///
  /// What nothing proves to be durable is written again to a fresh segment, because syncing it here would prove nothing:
  /// a sync of a process that ended may have failed, on a device that took no note of it either. The system may have
  /// dropped from its cache, or only from what it still has to write, what that sync could not write, and would say that
  /// this one went well. Where there is no room for another segment it is written again in its place, which is as good a
  /// proof, but gives no more than one try on a device that fails.
  ///
  /// Of a journal that was closed nothing is synced: the receipt that says so was written once all of it was durable, the
  /// names included.
  ///
  /// After an error nothing is open any more.
  mutating func takeOver(
    _ ending: JournalEnding, _ catalog: JournalCatalog, _ head: inout HeadWriter, isLoss: Bool
  ) throws(JournalError) {
    guard let entry = ending.entry else { return }
    let isSyncFailed = catalog.receipt?.isSyncFailed == true
    let isSettled =
      catalog.wasClosed && !isSyncFailed && ending.canContinue && catalog.findings.isEmpty && ending.findings.isEmpty
    // A process that died may have left a name that is not durable yet; what is appended there would go with it.
    if ending.isNameDurable || entry.headerFault != nil {
      if !isSettled { try directory.syncNames(for: entry.file) }
    } else {
      try directory.enterAgain(entry, besides: takenNames)
    }
    let segment = try open(ending, entry)
    // What proves that something is lost here proves that what stands before it was durable; a loss elsewhere, such as a
    // file too many, proves nothing of this one.
    let isLostHere = ending.findings.contains {
      ($0.verdict == .damaged || $0.verdict == .tailLost) && $0.file == entry.file
        && $0.byteRange.upperBound >= ending.validEnd
    }
    segment.durableEnd =
      isLostHere && !isSyncFailed ? ending.validEnd : min(ending.durableEnd, ending.validEnd)
    // A header that was put together from what stands around it is right when frames behind it verify.
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
      // All of it is durable, or nothing in the segment is served and it is left as it is.
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
  }

  /// Opens the segment that was found, to go on in it or to write it again.
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
    segment.allocated = max(size, ending.validEnd)
    segment.expressedEnd = UInt64(entry.header.size)
    return segment
  }

  /// Whether a segment has its name by now that was not there before: what stood for it counts no more.
  private func hasUnknownSegment() throws(JournalError) -> Bool {
    JournalCatalog.segmentNames(try directory.names()).contains { !takenNames.contains($0.text) }
  }

  /// Writes what is not known to be durable once more in its place, syncs it, and reads it back.
  ///
  /// These are new writes: that they went well does not depend on what became of those before. The bytes are those that
  /// are there, so that a power cut in between leaves nothing else. What was dropped since it was read shows afterwards.
  private func writeAgain(
    _ segment: ActiveSegment, _ ending: JournalEnding, _ head: inout HeadWriter
  ) throws(JournalError) {
    do throws(JournalError) {
      var offset = segment.durableEnd
      while offset < ending.validEnd {
        let count = Int(min(64 << 10, ending.validEnd - offset))
        let bytes = try directory.read(segment.file, segment.name, at: offset, count: count)
        guard !bytes.isEmpty else { break }
        do throws(FileSystemError) {
          try directory.writeAll(segment.file, bytes, at: offset)
        } catch {
          throw JournalError.system(error, file: segment.name, offset: offset)
        }
        offset += UInt64(bytes.count)
      }
    } catch {
      directory.fileSystem.close(segment.file)
      throw error
    }
    try sync(segment, ending, &head, cutsOff: ending.canContinue)
    do throws(JournalError) {
      let scanner = SegmentScanner(
        window: FileWindow(fileSystem: directory.fileSystem, file: segment.file, name: segment.name),
        seed: segment.seed, limit: ending.validEnd, offset: UInt64(segment.header.size),
        sequence: segment.header.firstSequence - 1, chain: segment.header.chainIn)
      while scanner.sequence < ending.sequence {
        switch try scanner.next() {
        case .batch, .record: continue
        case .hole, .end: throw JournalError.unreadable(segment, at: scanner.offset)
        }
      }
      guard scanner.chain == ending.chain else { throw JournalError.unreadable(segment, at: scanner.offset) }
    } catch {
      directory.fileSystem.close(segment.file)
      throw error
    }
  }

  /// Syncs what was found, and leaves word when the device fails to: the file is not to be synced again.
  ///
  /// - Parameter cutsOff: whether to end the file behind it first. What a process failed to sync may be on the device all the
  ///   same, although the system shows zeros or nothing in its place, and would come back with a power cut as events that
  ///   this opening has not seen. Where a fresh segment follows, its header makes sure that they count for nothing.
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
