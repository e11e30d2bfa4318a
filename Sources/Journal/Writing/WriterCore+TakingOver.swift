extension WriterCore {
  /// Takes over what was found: goes on in the last segment where that is possible, and otherwise states how it ended.
  /// Either way what verifies is durable afterwards, because somebody may act on it from here on.
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
    // A header that was put together from what stands around it is right when frames behind it verify.
    if isSyncFailed, entry.headerFault == nil || ending.validEnd > UInt64(entry.header.size) {
      try writeAgain(segment, catalog, isLoss: isLoss)
      return
    }
    // Otherwise nothing in the segment is served, and it is left as it is.
    if !isSyncFailed { try sync(segment, catalog, &head) }
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

  /// Syncs what was found, and leaves word when the device fails to: another sync might seem to succeed, although the
  /// system has dropped what the first one could not write.
  private func sync(
    _ segment: ActiveSegment, _ catalog: JournalCatalog, _ head: inout HeadWriter
  ) throws(JournalError) {
    do throws(FileSystemError) {
      try directory.fileSystem.sync(segment.file)
    } catch {
      let known = Self.durablePlace(in: segment, catalog)
      head.write(
        ordinal: segment.header.ordinal, offset: known.offset, sequence: known.sequence, chain: known.chain,
        isSyncFailed: true)
      directory.fileSystem.close(segment.file)
      throw JournalError.system(error, file: segment.name)
    }
  }

  /// Behind a failed sync: writes what was not durable to a fresh segment, and syncs that.
  private mutating func writeAgain(
    _ segment: ActiveSegment, _ catalog: JournalCatalog, isLoss: Bool
  ) throws(JournalError) {
    segment.durableEnd = min(Self.durablePlace(in: segment, catalog).offset, segment.end)
    self.segment = segment
    do throws(JournalError) {
      try rewriteUndurable(leaving: isLoss ? .damaged : .syncFailed)
      guard let fresh = self.segment else { return }
      do throws(FileSystemError) {
        try directory.fileSystem.sync(fresh.file)
      } catch {
        throw JournalError.system(error, file: fresh.name)
      }
      fresh.durableEnd = fresh.end
    } catch {
      if let fresh = self.segment { directory.fileSystem.close(fresh.file) }
      self.segment = nil
      throw error
    }
  }

  /// The last place of a segment that HEAD knows to be durable; the segment's beginning when HEAD is about another one.
  private static func durablePlace(
    in segment: ActiveSegment, _ catalog: JournalCatalog
  ) -> (offset: UInt64, sequence: UInt64, chain: UInt32) {
    if let receipt = catalog.receipt, receipt.ordinal == segment.header.ordinal {
      return (receipt.offset, receipt.sequence, receipt.chain)
    }
    return (UInt64(segment.header.size), segment.header.firstSequence - 1, segment.header.chainIn)
  }
}
