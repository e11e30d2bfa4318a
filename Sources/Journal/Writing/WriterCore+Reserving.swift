extension WriterCore {
  /// Writes zeros ahead of the data where appends wait for syncs. Appends over them need not write where on the
  /// device the bytes are, which takes as long as writing the bytes.
  ///
  /// Writes no more zeros than bytes appended so far, so that a journal with few appends writes few; none for batches
  /// of which fewer than eight would fit, because writing twice then costs more than it saves; and none where the
  /// segment would never hold data.
  ///
  /// - Parameter count: the size in bytes of the last batch written.
  mutating func reserve(_ segment: ActiveSegment, behind count: UInt64) {
    appendedBytes += count
    usualBytes = (7 * usualBytes + count) / 8
    guard segment.end > segment.reserved, segment.takesBatches, hasRoomAhead, options.syncPolicy.delaysAppends else {
      return
    }
    let limit = options.boundedSegmentSize
    let left = limit > segment.end ? limit - segment.end : 0
    let amount = min(appendedBytes, options.boundedPreallocation, Self.maximumReserve, left)
    guard amount >= 8 * max(usualBytes, count) else { return }
    let target = (segment.end + amount) / Self.pageSize * Self.pageSize
    var offset = segment.end
    while offset < target {
      let rest = Self.zeros.prefix(Int(min(target - offset, UInt64(Self.zeros.count))))
      let taken = rest.withUnsafeBytes { try? directory.fileSystem.write(segment.file, $0, at: offset) } ?? 0
      guard taken > 0 else {
        // Only an optimisation: the room taken is released and not requested again.
        hasRoomAhead = false
        try? setLength(segment)
        return
      }
      offset += UInt64(min(taken, rest.count))
      segment.allocated = max(segment.allocated, offset)
    }
    segment.reserved = target
  }

  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)
  private static let pageSize: UInt64 = 4096
  /// The append that reserves also waits until at most this many bytes are written.
  private static let maximumReserve: UInt64 = 1 << 20
}
