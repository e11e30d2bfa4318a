extension WriterCore {
  /// Writes zeros ahead of the data where appends wait for syncs: over them these need not write where on the device the
  /// bytes are, which takes as long as writing the bytes.
  ///
  /// No more of them than was appended so far, so that who appends little writes little; none for batches of which there
  /// would be room for fewer than eight, because what is written twice then costs more than it saves; and none that the
  /// segment would never hold data in place of.
  ///
  /// - Parameter count: The bytes of the batch that was written last.
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
        // Only a matter of speed: what was taken of the room is given back, and not asked for again.
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
  /// An append that reserves waits for as much to be written.
  private static let maximumReserve: UInt64 = 1 << 20
}
