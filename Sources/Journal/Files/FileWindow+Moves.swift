extension FileWindow {
  /// A device that puts bytes into the wrong place does so with sectors.
  private static let sectorSize: UInt64 = 512

  /// Whether what stands behind an event that verifies tells that it was written elsewhere and is another one now.
  ///
  /// Checksums are linear: one flipped bit may outweigh what the wrong offset changes in the check. The frame behind the event came
  /// with it, and has the chain value that the event had; that value and the check give the offset at which it was written.
  ///
  /// - Parameters:
  ///   - base: where the segment begins in the file.
  ///   - chain: the chain value after the event.
  ///   - limit: bytes behind this offset in the file are not looked at.
  func tellsMove(
    of event: FrameHeader, at position: UInt64, base: UInt64 = 0, chain: UInt32, seed: UInt32, limit: UInt64
  ) throws(JournalError) -> Bool {
    let end = position + UInt64(event.size)
    guard event.type == .event, end <= limit, limit - end >= UInt64(Format.frameHeaderSize),
      let start = try bytes(at: end, Format.frameHeaderSize, keeping: position)
    else { return false }
    let next = FrameHeader(start)
    guard next.isPlausible, next.previous != chain else { return false }
    let written = Checksum.offset(
      ofCheck: event.check, seed: seed, position: event.position, chain: next.previous)
    let offset = position - base
    return written != offset && written < limit && written % Self.sectorSize == offset % Self.sectorSize
  }
}
