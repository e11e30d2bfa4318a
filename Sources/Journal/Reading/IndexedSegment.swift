/// One segment as a ``ChainIndex`` reads it: the header, then the footer, then single blocks.
final class IndexedSegment {
  /// A place between two frames, from which to find others.
  struct Place {
    /// The last event before it.
    var sequence: UInt64
    var offset: UInt64
    /// The chain value there, if a footer states it.
    var chain: UInt32?
  }

  private let directory: JournalDirectory
  private let header: SegmentHeader
  private let scanner: SegmentScanner
  private var knownPlaces: [Place]?

  /// Opens a segment and reads its header; `nil` when the file is gone, or is not what its name says.
  init?(_ name: SegmentName, in directory: JournalDirectory) throws(JournalError) {
    guard let (file, length) = try Self.open(name.text, in: directory) else { return nil }
    var isUsed = false
    defer { if !isUsed { directory.fileSystem.close(file) } }
    let window = FileWindow(fileSystem: directory.fileSystem, file: file, name: name.text)
    let wanted = Int(min(length, UInt64(Format.maximumHeaderSize)))
    guard let bytes = try window.copy(at: 0, wanted), case .sound(let header) = SegmentHeader.read(bytes),
      header.firstSequence == name.firstSequence, name.fits(ordinal: header.ordinal)
    else { return nil }
    self.directory = directory
    self.header = header
    scanner = SegmentScanner(window, after: header, limit: length)
    isUsed = true
  }

  /// Opens a segment whose header was read before; `nil` when the file is gone, or its header does not verify.
  init?(_ entry: SegmentEntry, in directory: JournalDirectory) throws(JournalError) {
    guard entry.isNamedRight, let (file, length) = try Self.open(entry.file, in: directory) else { return nil }
    self.directory = directory
    header = entry.header
    scanner = SegmentScanner(
      FileWindow(fileSystem: directory.fileSystem, file: file, name: entry.file), after: header, limit: length)
  }

  /// Opens the file; `nil` when it is gone.
  private static func open(
    _ name: String, in directory: JournalDirectory
  ) throws(JournalError) -> (file: OpenFile, length: UInt64)? {
    let file: OpenFile
    do throws(JournalError) {
      file = try directory.open(name)
    } catch {
      // Retiring may have removed it meanwhile.
      guard error.errorNumber == OperatingSystem.noEntry else { throw error }
      return nil
    }
    do throws(JournalError) {
      return (file, try directory.size(of: file, name))
    } catch {
      directory.fileSystem.close(file)
      throw error
    }
  }

  deinit {
    directory.fileSystem.close(scanner.window.file)
  }

  /// The chain value after an event of this segment, or before its first; `nil` when it is not here or cannot be
  /// determined.
  func chain(after sequence: UInt64) throws(JournalError) -> UInt32? {
    if sequence == header.firstSequence - 1 { return header.chainIn }
    guard let place = try place(before: sequence) else { return nil }
    if place.sequence == sequence, let chain = place.chain { return chain }
    var chain: UInt32?
    try walk(from: place, upTo: sequence) { (number, offset, _) throws(JournalError) in
      guard number == sequence else { return true }
      chain = try scanner.frame(at: offset, keeping: offset)?.1
      return false
    }
    return chain
  }

  /// The chain values that frames state after the events from `low` on, in order, up to at most the one before
  /// `high`.
  func statedChains(from low: UInt64, before high: UInt64) throws(JournalError) -> [UInt32] {
    guard let place = try place(before: low) else { return [] }
    var chains: [UInt32] = []
    try walk(from: place, upTo: high) { (number, _, previous) throws(JournalError) in
      // A frame states the chain value before it.
      if number > low { chains.append(previous) }
      return true
    }
    return chains
  }

  /// The places in this segment, in order: from the footer, or every 1,024 events by following the frames' lengths.
  func places() throws(JournalError) -> [Place] {
    if let knownPlaces { return knownPlaces }
    let places: [Place]
    if let indexed = try footerPlaces() { places = indexed } else { places = try walkedPlaces() }
    knownPlaces = places
    return places
  }

  private func place(before sequence: UInt64) throws(JournalError) -> Place? {
    let places = try places()
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? places[low - 1] : nil
  }

  /// The footer; `nil` when it is missing or does not verify.
  func footer() throws(JournalError) -> Footer? {
    // One read of the end returns the trailer and, in a segment of usual size, the footer.
    let tail = Int(min(scanner.limit, 8 << 10))
    _ = try scanner.window.bytes(
      at: scanner.limit - UInt64(tail), tail, keeping: scanner.limit - UInt64(tail))
    return try scanner.footer()
  }

  /// The blocks: from the footer or, without one, from the anchors before the receipt's place; `nil` if neither lists them.
  func blocks(of entry: SegmentEntry, before receipt: HeadReceipt?) throws(JournalError) -> [IndexEntry]? {
    if let footer = try footer() { return footer.entries }
    return receipt.flatMap { AnchorIndex(directory, scanner, entry, before: $0)?.entries }
  }

  private func footerPlaces() throws(JournalError) -> [Place]? {
    guard let footer = try footer(), footer.firstSequence == header.firstSequence,
      footer.eventCount < Format.numberLimit, footer.entries.first?.firstSequence == header.firstSequence
    else { return nil }
    var places: [Place] = []
    places.reserveCapacity(footer.entries.count + 1)
    for entry in footer.entries {
      guard entry.offset % 8 == 0, entry.offset >= UInt64(header.size), entry.offset < scanner.limit,
        places.last.map({ $0.sequence < entry.firstSequence - 1 && $0.offset < entry.offset }) ?? true
      else { return nil }
      places.append(Place(sequence: entry.firstSequence - 1, offset: entry.offset, chain: entry.chain))
    }
    let last = header.firstSequence - 1 + footer.eventCount
    guard let before = places.last, before.sequence < last else { return nil }
    places.append(Place(sequence: last, offset: scanner.limit, chain: footer.chain))
    return places
  }

  private func walkedPlaces() throws(JournalError) -> [Place] {
    var places = [Place(sequence: header.firstSequence - 1, offset: UInt64(header.size), chain: header.chainIn)]
    let step = UInt64(Format.eventsPerAnchor)
    try walk(from: places[0], upTo: .max) { (number, offset, _) throws(JournalError) in
      if (number - header.firstSequence) % step == 0, number > header.firstSequence {
        places.append(Place(sequence: number - 1, offset: offset, chain: nil))
      }
      return true
    }
    return places
  }

  /// Goes from frame to frame by their lengths, without checking them. Passes to `body` the number of each event after
  /// `place` up to `end`, its offset and the chain value stated before it, until `body` returns false or the bytes are
  /// not a frame.
  private func walk(
    from place: Place, upTo end: UInt64, _ body: (UInt64, UInt64, UInt32) throws(JournalError) -> Bool
  ) throws(JournalError) {
    var offset = place.offset
    var number = place.sequence
    while number < end, offset <= scanner.limit, scanner.limit - offset >= UInt64(Format.frameHeaderSize),
      let start = try scanner.window.bytes(at: offset, Format.frameHeaderSize, keeping: offset)
    {
      let frame = FrameHeader(start)
      guard frame.isPlausible else { return }
      if frame.type == .event {
        number += 1
        guard frame.sequenceBits == UInt32(truncatingIfNeeded: number) & Format.sequenceMask,
          try body(number, offset, frame.previous)
        else { return }
      }
      offset += UInt64(frame.size)
    }
  }
}
