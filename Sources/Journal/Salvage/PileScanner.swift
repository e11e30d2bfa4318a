import PlainText

/// Searches one file for events of journals, wherever they are in it.
///
/// At each place, the scanner looks for these, in order: a frame that verifies under the seed of a segment whose header
/// or seed was found before; a segment header; an event that links to the frame after it. It does not search the bytes
/// of a verified frame again, so a journal in a payload is not taken for part of the journal around it.
final class PileScanner {
  static let maximumActiveTraces = 8
  static let maximumPresumedHeaders = 16
  static let maximumHoles = 1 << 12
  static let maximumFailures = 256
  /// The unit that a device delivers or refuses as a whole.
  static let pageSize: UInt64 = 4096
  static let maximumUnreadablePages = 1 << 16

  let file: Int
  let window: FileWindow
  /// Examines the frame after a candidate without moving the window.
  let ahead: FileWindow
  /// The end of the readable bytes: the next page that the device does not deliver, or the end of the file.
  private(set) var length: UInt64
  private let fileLength: UInt64
  /// How many more segments and stretches of events may be added.
  private let room: (traces: Int, fragments: Int)
  /// Segments known only by their seed, in reverse order of the file; the scanner looks for each where it begins.
  private var presumed: [SegmentTrace]
  /// The first event that the file's name promises.
  let nameHint: UInt64

  var traces: [SegmentTrace] = []
  /// The traces under whose seed frames are looked for, the newest last.
  var active: [Int] = []
  var fragments: [SalvageFragment] = []
  /// The fragment to which the next event may belong.
  var openFragment: Int?
  /// Places that look like a header that does not verify.
  var presumedHeaders: [UInt64] = []
  /// Bytes other than zeros in which nothing was found.
  private(set) var holes: [Range<UInt64>] = []
  private(set) var unreadable: [(range: Range<UInt64>, error: JournalError)] = []
  /// Where events without a payload keep the places of lost ones, consecutive ones of a segment as one.
  var placeholders: [LostPlace] = []
  /// The bytes that need a newer program, with their start, and their end if that is not the file's.
  var unsupported: [(offset: UInt64, end: UInt64?, what: String)] = []
  /// The place of the first header of a later format. What follows may mean anything: after it, a segment counts only
  /// if a header or the seed of a known journal identifies it. A payload of a later format may hold a segment of this
  /// one, after which the frames around it continue.
  var firstLaterHeader: UInt64?
  /// Bytes that failed candidates may still cost.
  var budget: UInt64
  private var position: UInt64 = 0
  /// The start of the bytes before the position in which nothing was found.
  private var holeStart: UInt64?
  private var unreadablePages = 0

  /// - Parameters:
  ///   - presumed: segments known only by their seed, in the order of the file.
  ///   - room: how many more segments and stretches of events may be added.
  init(
    file: Int, window: FileWindow, ahead: FileWindow, length: UInt64, nameHint: UInt64,
    presuming presumed: [SegmentTrace],
    room: (traces: Int, fragments: Int)
  ) {
    self.file = file
    self.window = window
    self.ahead = ahead
    self.length = length
    fileLength = length
    self.presumed = presumed.reversed()
    self.room = room
    self.nameHint = nameHint
    // A crafted file could otherwise make every eight bytes claim a checksum over megabytes.
    budget = 16 * min(length, 1 << 40) + 1 << 20
  }

  /// Searches the whole file, from each page that the device does not deliver to the next one.
  ///
  /// - Returns: whether the path is a file, and not a directory.
  /// - Throws: `tooLarge` when what is found exceeds the room.
  func scan() throws(JournalError) -> Bool {
    var lastError: JournalError?
    var retries = 0
    while position < fileLength {
      do throws(JournalError) {
        while position < length { try step() }
      } catch {
        if error.code == .tooLarge { throw error }
        if error.errorNumber == OperatingSystem.isDirectory { return false }
        lastError = error
        if let page = unreadablePage(near: error) {
          setLength(max(page, position))
        } else {
          // A page that failed once and is delivered now is read again, but not endlessly.
          retries += 1
          setLength(retries > Self.maximumFailures ? position : length)
        }
        continue
      }
      closeHole()
      openFragment = nil
      if let lastError, position < fileLength { skipPage(lastError, isLast: retries > Self.maximumFailures) }
    }
    markAmbiguous()
    return true
  }

  /// Takes the frame or header at the position, or looks for the next place.
  private func step() throws(JournalError) {
    if let end = try accept(at: position) {
      closeHole()
      position = end
    } else {
      holeStart = holeStart ?? position
      position = try search(from: position + 1)
    }
    guard traces.count <= room.traces, fragments.count + placeholders.count <= room.fragments else {
      throw JournalError(
        .tooLarge, "the pile holds more than \(UInt64(Salvage.maximumFragments).grouped) stretches of events",
        remedy: "salvage fewer files at a time", file: window.name, offset: position)
    }
  }

  private func setLength(_ end: UInt64) {
    length = end
    for window in [window, ahead] {
      window.limit = end
      window.invalidate()
    }
  }

  /// The first page from the position on that cannot be read, as far as the call that failed could reach.
  private func unreadablePage(near error: JournalError) -> UInt64? {
    let reach = 2 * UInt64(Format.maximumPayloadLength) + 4 * UInt64(FileWindow.capacity)
    let end = min(max(position, error.offset ?? 0) + reach, length)
    let probe = FileWindow(fileSystem: window.fileSystem, file: window.file, name: window.name)
    var page = position - position % Self.pageSize
    while page < end {
      let count = Int(min(Self.pageSize, fileLength - page))
      probe.limit = page + UInt64(count)
      probe.invalidate()
      do throws(JournalError) {
        _ = try probe.bytes(at: page, count, keeping: page)
      } catch {
        return page
      }
      page += Self.pageSize
    }
    return nil
  }

  /// Notes that the page at the position cannot be read, and continues after it; or leaves all the rest.
  private func skipPage(_ error: JournalError, isLast: Bool) {
    let next = min((position | (Self.pageSize - 1)) + 1, fileLength)
    unreadablePages += 1
    if let last = unreadable.last, last.range.upperBound == position, !isLast,
      unreadablePages <= Self.maximumUnreadablePages
    {
      unreadable[unreadable.count - 1].range = last.range.lowerBound..<next
    } else if unreadable.count < Self.maximumFailures - 1, !isLast, unreadablePages <= Self.maximumUnreadablePages {
      unreadable.append((position..<next, error))
    } else {
      let reason = JournalError(
        .inputOutput, "not searched, because the device failed too often before", remedy: "salvage a copy of the file",
        file: window.name, offset: position)
      unreadable.append((position..<fileLength, reason))
      position = fileLength
      return
    }
    position = next
    setLength(fileLength)
  }

  private func closeHole() {
    if let start = holeStart { try? close(start..<position) }
    holeStart = nil
  }

  private func close(_ hole: Range<UInt64>) throws(JournalError) {
    if holes.count < Self.maximumHoles, try !window.isZero(in: hole) { holes.append(hole) }
  }

  /// Takes what begins at a place, and returns where it ends; `nil` when nothing is known to begin there.
  private func accept(at position: UInt64) throws(JournalError) -> UInt64? {
    while let trace = presumed.last, trace.end <= position {
      presumed.removeLast()
      activate(trace)
    }
    guard length - position >= UInt64(Format.frameHeaderSize) else { return nil }
    if let end = try acceptFrame(at: position) { return end }
    if let end = try acceptHeader(at: position) { return end }
    return try acceptLink(at: position)
  }

  /// The next place, from `start` on, at which something could begin.
  private func search(from start: UInt64) throws(JournalError) -> UInt64 {
    var position = start
    var asked = start
    let size = Format.frameHeaderSize
    let highestType: UInt32 = active.isEmpty ? UInt32(FrameType.highestKnown) : 63
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
      if position - asked >= FileWindow.bytesBetweenHoles {
        // Bytes that were never written read as zeros, in which nothing begins; but an element may itself begin with
        // zeros.
        let end = window.endOfHole(at: position, upTo: length)
        position = max(position, end - min(end, UInt64(size)))
        asked = position
      }
    }
    return length
  }
}
