/// Searches one file for events of journals, wherever they stand in it.
///
/// A place is tried in this order: a frame that verifies under the seed of a segment whose header or seed was met
/// before; a segment header; an event that links to the frame behind it. Bytes of a frame that verified are not
/// searched again, so that a journal in a payload is not taken for part of the journal around it.
final class PileScanner {
  static let maximumActiveTraces = 8
  static let maximumPresumedHeaders = 16
  static let maximumHoles = 1 << 12
  static let maximumFailures = 256

  let file: Int
  let window: FileWindow
  /// Looks at the frame behind a candidate without moving the window.
  let ahead: FileWindow
  let length: UInt64
  /// The first event that the file's name promises.
  let nameHint: UInt64

  var traces: [SegmentTrace] = []
  /// The traces under whose seed frames are looked for, the newest last.
  var active: [Int] = []
  var fragments: [SalvageFragment] = []
  /// The fragment that the next event may belong to.
  var openFragment: Int?
  /// Places that look like a header that does not verify.
  var presumedHeaders: [UInt64] = []
  /// Bytes other than zeros that nothing was found in.
  private(set) var holes: [Range<UInt64>] = []
  private(set) var unreadable: [(range: Range<UInt64>, error: JournalError)] = []
  /// What a newer program would be needed for.
  var unsupported: [(offset: UInt64, what: String)] = []
  /// Set behind a header that this program cannot read: what follows may mean anything.
  var isMuted = false
  /// Bytes that candidates which come to nothing may still cost.
  var budget: UInt64

  init(file: Int, window: FileWindow, ahead: FileWindow, length: UInt64, nameHint: UInt64) {
    self.file = file
    self.window = window
    self.ahead = ahead
    self.length = length
    self.nameHint = nameHint
    // A crafted file could otherwise make every eight bytes claim a checksum over megabytes.
    budget = 16 * min(length, 1 << 40) + 1 << 20
  }

  /// Looks for frames of a segment of which only the seed is known.
  func presume(_ trace: SegmentTrace) {
    traces.append(trace)
    active.append(traces.count - 1)
  }

  /// Searches the whole file.
  ///
  /// - Returns: whether it is a file at all, and not a directory.
  func scan() -> Bool {
    var position: UInt64 = 0
    var holeStart: UInt64?
    while position < length {
      do throws(JournalError) {
        if let end = try accept(at: position) {
          if let start = holeStart { try close(start..<position) }
          holeStart = nil
          position = end
        } else {
          holeStart = holeStart ?? position
          position = try search(from: position + 1)
        }
      } catch {
        if error.errorNumber == Platform.isDirectory { return false }
        // Whatever the device gave of the page before is behind us.
        let next = min(((max(position, error.offset ?? 0)) | 4095) + 1, length)
        unreadable.append((position..<next, error))
        openFragment = nil
        window.invalidate()
        ahead.invalidate()
        holeStart = nil
        position = unreadable.count < Self.maximumFailures ? next : length
      }
    }
    if let start = holeStart { try? close(start..<length) }
    return true
  }

  private func close(_ hole: Range<UInt64>) throws(JournalError) {
    if holes.count < Self.maximumHoles, try !window.isZero(in: hole) { holes.append(hole) }
  }

  /// Takes what begins at a place, and returns where it ends; `nil` when nothing is known to begin there.
  private func accept(at position: UInt64) throws(JournalError) -> UInt64? {
    guard length - position >= UInt64(Format.frameHeaderSize) else { return nil }
    if let end = try acceptFrame(at: position) { return end }
    if let end = try acceptHeader(at: position) { return end }
    return try acceptLink(at: position)
  }

  /// The next place, from `start` on, at which something could begin.
  private func search(from start: UInt64) throws(JournalError) -> UInt64 {
    var position = start
    let size = Format.frameHeaderSize
    let highestType: UInt32 = active.isEmpty ? UInt32(FrameType.footer.rawValue) : 63
    while position < length {
      let count = Int(min(UInt64(64 << 10), length - position))
      guard count >= size, let bytes = try window.bytes(at: position, count, keeping: position) else { return length }
      for index in 0...(count - size) {
        let kind = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 12, as: UInt32.self))
        let type = kind >> 24
        if type != 0, type <= highestType, kind & 0xFF_FFFF <= UInt32(Format.maximumPayloadLength) {
          return position + UInt64(index)
        }
        if UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) == Format.segmentMagic {
          return position + UInt64(index)
        }
      }
      position += UInt64(count - size + 1)
    }
    return length
  }
}
