/// A stretch of a file in memory that moves along with its reader.
///
/// Holds 256 KiB, or as much as one request needs; after kept bytes, which a batch needs, up to as much again. Pointers
/// are valid until the next request.
final class FileWindow {
  static let capacity = 256 << 10

  let fileSystem: any FileSystem
  /// The file; after setting it, call ``invalidate()`` to forget bytes of the old one.
  var file: OpenFile
  let name: String
  /// Nothing is read past it, as though the file ended there.
  var limit = UInt64.max
  private var buffer: UnsafeMutableRawBufferPointer
  private var base: UInt64 = 0
  private var count = 0
  /// How much is read at once. A file that may have changed is read in small steps at first, because usually little has
  /// been added.
  private var step = capacity

  private static let smallStep = 4 << 10

  init(fileSystem: any FileSystem, file: OpenFile, name: String) {
    self.fileSystem = fileSystem
    self.file = file
    self.name = name
    buffer = .allocate(byteCount: Self.smallStep, alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  /// The address of `wanted` bytes at `offset`, or `nil` when the file ends before them.
  ///
  /// Bytes starting at `keep`, which must not be past `offset`, stay available without another read.
  @inline(__always)
  func bytes(at offset: UInt64, _ wanted: Int, keeping keep: UInt64) throws(JournalError) -> UnsafeRawPointer? {
    if offset >= base, offset - base <= UInt64(count), wanted <= count - Int(offset - base),
      let address = buffer.baseAddress
    {
      return UnsafeRawPointer(address + Int(offset - base))
    }
    return try refill(at: offset, wanted, keeping: keep)
  }

  /// The available bytes at `offset`, at most `count` of them.
  func content(from offset: UInt64, upTo limit: Int) -> UnsafeRawBufferPointer {
    guard offset >= base, offset - base < UInt64(count) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let skipped = Int(offset - base)
    return UnsafeRawBufferPointer(rebasing: buffer[skipped..<(skipped + min(limit, count - skipped))])
  }

  /// Forgets what was read, because the file may have changed.
  func invalidate() {
    count = 0
    step = Self.smallStep
  }

  private func refill(at offset: UInt64, _ wanted: Int, keeping keep: UInt64) throws(JournalError) -> UnsafeRawPointer?
  {
    let needed = Int(offset - keep) + wanted
    let end = base + UInt64(count)
    let kept = keep >= base && keep < end ? Int(end - keep) : 0
    // A window that moves sequentially grows to its full capacity; a single small read stays small.
    let usual = kept > 0 || count > 0 || wanted > buffer.count ? Self.capacity : buffer.count
    // Each growth copies what is kept, so it doubles that: a long batch is then copied no more often than it is read.
    let grown = needed > Self.capacity ? min(2 * kept, Format.maximumBatchLength) : 0
    let target = max(needed, grown, min(usual, step))
    step = min(Self.capacity, 4 * step)
    if target > buffer.count {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: target, alignment: 16)
      if kept > 0, let from = buffer.baseAddress {
        larger.copyMemory(from: UnsafeRawBufferPointer(start: from + Int(keep - base), count: kept))
      }
      buffer.deallocate()
      buffer = larger
    } else if kept > 0, let address = buffer.baseAddress {
      buffer.copyMemory(from: UnsafeRawBufferPointer(start: address + Int(keep - base), count: kept))
    }
    base = keep
    count = kept
    try fill(atLeast: needed, atMost: target)
    guard count >= needed, let address = buffer.baseAddress else { return nil }
    return UnsafeRawPointer(address + Int(offset - keep))
  }

  private func fill(atLeast needed: Int, atMost target: Int) throws(JournalError) {
    while count < needed {
      let room = limit - min(base + UInt64(count), limit)
      let end = room < UInt64(target - count) ? count + Int(room) : target
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count..<end])
      if rest.isEmpty { return }
      do {
        let got = try fileSystem.read(file, into: rest, at: base + UInt64(count))
        if got <= 0 { return }
        count += min(got, rest.count)
      } catch {
        throw JournalError.system(error, file: name, offset: base + UInt64(count))
      }
    }
  }

  /// The number of bytes after which to ask whether the next ones were ever written. Shorter ranges are read: that is
  /// quick, and the bytes directly after the data must not depend on what a file system reports about them.
  static let bytesBetweenHoles: UInt64 = 1 << 20

  /// Where reading may continue because everything before reads as zeros; `offset` itself where it does not.
  func endOfHole(at offset: UInt64, upTo limit: UInt64) -> UInt64 {
    guard let data = fileSystem.nextData(in: file, from: offset) else { return limit }
    return min(max(data, offset), limit)
  }

  /// The offset after the last byte in the range that is not zero; the range's start when all are.
  func endOfData(in range: Range<UInt64>) throws(JournalError) -> UInt64 {
    var last = range.lowerBound
    try visit(range, step: 64 << 10) { offset, bytes in
      if let index = bytes.lastIndex(where: { $0 != 0 }) { last = offset + UInt64(index) + 1 }
      return true
    }
    return last
  }

  /// Whether all bytes in the range are zero. Stops at the first that is not.
  func isZero(in range: Range<UInt64>) throws(JournalError) -> Bool {
    var isZero = true
    try visit(range, step: 4 << 10) { _, bytes in
      isZero = !bytes.contains { $0 != 0 }
      return isZero
    }
    return isZero
  }

  /// Passes the bytes of a range to `body` piece by piece, except those in long holes, as long as `body` wants more and
  /// the file has them.
  private func visit(
    _ range: Range<UInt64>, step: UInt64, _ body: (_ offset: UInt64, _ bytes: UnsafeRawBufferPointer) -> Bool
  ) throws(JournalError) {
    var offset = range.lowerBound
    var asked = range.lowerBound
    while offset < range.upperBound {
      if offset - asked >= Self.bytesBetweenHoles {
        offset = endOfHole(at: offset, upTo: range.upperBound)
        asked = offset
        continue
      }
      let count = Int(min(step, range.upperBound - offset))
      guard let address = try bytes(at: offset, count, keeping: offset),
        body(offset, UnsafeRawBufferPointer(start: address, count: count))
      else { return }
      offset += UInt64(count)
    }
  }

  /// A copy of `wanted` bytes at `offset`, or `nil` when the file ends before them.
  func copy(at offset: UInt64, _ wanted: Int) throws(JournalError) -> [UInt8]? {
    guard let address = try bytes(at: offset, wanted, keeping: offset) else { return nil }
    return Array(UnsafeRawBufferPointer(start: address, count: wanted))
  }
}

extension FileWindow {
  /// How far, in bytes, frames may stand from where they were written, where bytes are missing or were inserted.
  static let longestMove: UInt64 = 1 << 16

  /// Whether the bytes after a verified event prove that it was written elsewhere and has since changed.
  ///
  /// Checksums are linear: one flipped bit may cancel the change that the wrong offset makes in the check. The frame
  /// after the event moved with it, and has the chain value that the event had; that value and the check give the
  /// offset at which it was written.
  ///
  /// - Parameters:
  ///   - offset: where in the segment the event verifies.
  ///   - chain: the chain value after the event.
  ///   - limit: bytes after this offset in the file are ignored.
  func showsMove(
    of event: FrameHeader, at position: UInt64, writtenAt offset: UInt64, chain: UInt32, seed: UInt32, limit: UInt64
  ) throws(JournalError) -> Bool {
    let end = position + UInt64(event.size)
    guard event.type == .event, end <= limit, limit - end >= UInt64(Format.frameHeaderSize),
      let start = try bytes(at: end, Format.frameHeaderSize, keeping: position)
    else { return false }
    let next = FrameHeader(start)
    guard next.isPlausible, next.previous != chain else { return false }
    let written = Checksum.offset(
      ofCheck: event.check, seed: seed, position: event.position, chain: next.previous)
    // No one or two flipped bits of the next frame's chain value give another multiple of 8 below 64 MiB.
    return written != offset && written < limit + Self.longestMove && written % 8 == 0
  }
}
