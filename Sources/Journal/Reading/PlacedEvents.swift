/// Reads single events of a journal at known places, from files that it keeps open.
///
/// An event is only returned if it and the frames that lead to it verify, and continue the chain from the place on. Whatever else
/// there is, is for a ``JournalCursor`` to explain. Belongs to one thread at a time.
package final class PlacedEvents {
  private let directory: JournalDirectory
  private let id: JournalID
  /// Those used last come last.
  private var files: [(segment: SegmentName, file: OpenFile, seed: UInt32)] = []
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 16)
  /// The names of the segments when the folder was last looked at; `nil` if it could not be listed.
  private var names: [String]?
  /// Open, to notice another journal in the same folder.
  private var identity: OpenFile?

  /// More files are not kept open.
  private static let maximumFileCount = 16
  /// Of events that take more, only one is kept in memory by other readers.
  private static let maximumLength = 64 << 10

  package init(_ reader: JournalReader) {
    directory = reader.directory
    id = reader.identity.id
    names = segmentNames()
    identity = try? directory.open(Format.identityName)
  }

  deinit {
    for open in files { directory.fileSystem.close(open.file) }
    if let identity { directory.fileSystem.close(identity) }
    buffer.deallocate()
  }

  /// Looks at the names in the folder again, and closes the files to which they no longer lead.
  ///
  /// - Returns: Whether segments were added, removed or replaced since the last look, as far as these names show it, those of
  ///   the files that are open, and that of the journal's identity, which a copy from another time replaces as well.
  package func followNames() -> Bool {
    var isChanged = false
    files.removeAll { open in
      if isNamed(open.file, open.segment.text) { return false }
      directory.fileSystem.close(open.file)
      isChanged = true
      return true
    }
    if identity.map({ !isNamed($0, Format.identityName) }) ?? true {
      if let identity { directory.fileSystem.close(identity) }
      identity = try? directory.open(Format.identityName)
      isChanged = true
    }
    let now = segmentNames()
    if now == nil || now != names { isChanged = true }
    names = now
    return isChanged
  }

  private func isNamed(_ file: OpenFile, _ name: String) -> Bool {
    (try? directory.fileSystem.isNamed(file, directory.path(of: name))) == true
  }

  private func segmentNames() -> [String]? { try? directory.names().filter { SegmentName($0) != nil } }

  /// An event; `nil` unless it is at its place. Its payload is valid until the next call.
  package func event(_ sequence: UInt64, in places: EventPlaces) -> JournalEvent? {
    guard let stretch = places.stretch(of: sequence), let (file, seed) = file(of: places.segment),
      let bytes = read(file, stretch.range), let start = bytes.baseAddress
    else { return nil }
    var place = 0
    var (last, chain) = (stretch.sequence, stretch.chain)
    while bytes.count - place >= Format.frameHeaderSize {
      let header = FrameHeader(start + place)
      let offset = stretch.range.lowerBound + UInt64(place)
      guard header.isPlausible, header.size <= bytes.count - place, header.previous == chain,
        let after = header.verifiedChain(start + place, at: offset, seed: seed)
      else { return nil }
      if header.type == .event {
        last += 1
        chain = after
      }
      guard header.sequenceBits == UInt32(truncatingIfNeeded: last) & Format.sequenceMask else { return nil }
      if last == sequence, header.type == .event {
        return JournalEvent(
          sequence: sequence, chain: chain,
          payload: UnsafeRawBufferPointer(start: start + place + Format.frameHeaderSize, count: header.payloadLength),
          segment: places.segment, offset: offset, isLastOfBatch: header.isLastOfBatch)
      }
      place += header.size
    }
    return nil
  }

  private func file(of segment: SegmentName) -> (file: OpenFile, seed: UInt32)? {
    if let place = files.lastIndex(where: { $0.segment == segment }) {
      let open = files[place]
      if place < files.count - 1 { files.append(files.remove(at: place)) }
      return (open.file, open.seed)
    }
    guard let file = try? directory.open(segment.text) else { return nil }
    guard let bytes = try? directory.read(file, segment.text, at: 0, count: Format.maximumHeaderSize),
      case .sound(let header) = SegmentHeader.read(bytes), header.id == id
    else {
      directory.fileSystem.close(file)
      return nil
    }
    if files.count >= Self.maximumFileCount { directory.fileSystem.close(files.removeFirst().file) }
    files.append((segment, file, header.seed))
    return (file, header.seed)
  }

  private func read(_ file: OpenFile, _ range: Range<UInt64>) -> UnsafeRawBufferPointer? {
    let count = range.count
    guard count <= Self.maximumLength else { return nil }
    if count > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: Self.maximumLength, alignment: 16)
    }
    var done = 0
    while done < count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<count])
      guard let got = try? directory.fileSystem.read(file, into: rest, at: range.lowerBound + UInt64(done)), got > 0
      else { return nil }
      done += got
    }
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }
}
