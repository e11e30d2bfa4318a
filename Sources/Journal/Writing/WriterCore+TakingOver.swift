extension WriterCore {
  /// Takes over what was found: goes on in the last segment where that is possible, and otherwise states how it ended.
  /// Either way what verifies is durable afterwards, because somebody may act on it from here on.
  ///
  /// What nothing proves to be durable is written again to a fresh segment, because syncing it here would prove nothing:
  /// a sync of a process that ended may have failed, on a device that took no note of it either. The system may have
  /// dropped from its cache, or only from what it still has to write, what that sync could not write, and would say that
  /// this one went well.
  ///
  /// After an error nothing is open any more.
  mutating func takeOver(
    _ ending: JournalEnding, _ catalog: JournalCatalog, _ head: inout HeadWriter, isLoss: Bool
  ) throws(JournalError) {
    guard let entry = ending.entry else { return }
    let file: OpenFile
    var size: UInt64 = 0
    do throws(FileSystemError) {
      // A process that died may have left a name that is not durable yet; what is appended there would go with it.
      try directory.fileSystem.syncDirectory(directory.path)
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
    let isSyncFailed = catalog.receipt?.isSyncFailed == true
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
      try rewriteUndurable(leaving: isLoss ? .damaged : .syncFailed)
      return
    }
    // Otherwise all of it is durable, or nothing in the segment is served and it is left as it is.
    if !isSyncFailed { try sync(segment, ending, &head, cutsOff: ending.canContinue && !catalog.wasClosed) }
    segment.durableEnd = ending.validEnd
    guard ending.canContinue, let block = ending.block else {
      directory.fileSystem.close(file)
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
