import Journal
import WireFormat

/// The file `STREAMS` beside a journal, open for reading: for each entity its events, by segments that are complete.
///
/// A cache: it may be missing, damaged or of another journal. What a section says is only used if it is of this journal, of a
/// segment that begins and ends with the chain values of this history, and of the same keys, and if its digests are right.
final class StreamFile: Sendable {
  static let name = "STREAMS"
  /// More sections than this are not looked for.
  private static let maximumSectionCount = 1 << 20
  /// The longest section that is read whole.
  private static let maximumSectionLength: UInt64 = 1 << 30
  /// The longest bucket that is read.
  private static let maximumBucketLength = 1 << 26

  private let fileSystem: any FileSystem
  private let file: OpenFile
  private let path: String
  private let sections: [UInt64: (offset: UInt64, section: StreamSection)]
  /// Where the last sound section ends.
  let end: UInt64
  /// How long the file was when it was opened.
  let size: UInt64

  /// Opens the file of a journal; `nil` if it cannot be read.
  ///
  /// - Parameters:
  ///   - fingerprint: That of the keys. The first section of another journal or of other keys ends the file.
  ///   - sound: What lies beyond is read whole, and ends where a section is not sound; `nil` to read headers only.
  init?(
    in folder: String, _ fileSystem: any FileSystem, of id: JournalID, keys fingerprint: [UInt8],
    verifyingFrom sound: UInt64? = nil
  ) {
    let path = folder + "/" + Self.name
    guard let file = try? fileSystem.open(path, .read) else { return nil }
    var sections: [UInt64: (offset: UInt64, section: StreamSection)] = [:]
    var end: UInt64 = 0
    let size = (try? fileSystem.size(of: file)) ?? 0
    for _ in 0..<Self.maximumSectionCount {
      guard let bytes = Self.read(fileSystem, file, at: end, count: StreamSection.headerSize),
        let section = StreamSection(bytes), section.binding.id == id.bytes, section.binding.fingerprint == fingerprint,
        section.length <= size - end
      else { break }
      if let sound, end >= sound {
        guard let bytes = Self.read(fileSystem, file, section, at: end), section.isSound(bytes) else { break }
      }
      sections[section.binding.stretch.first] = (end, section)
      end += section.length
    }
    self.fileSystem = fileSystem
    self.file = file
    self.path = path
    self.sections = sections
    self.end = end
    self.size = size
  }

  deinit { fileSystem.close(file) }

  /// Whether the name still leads to this file, and nothing was added to it.
  var isCurrent: Bool {
    (try? fileSystem.isNamed(file, path)) == true && (try? fileSystem.size(of: file)) == size
  }

  /// The section of a segment; `nil` if it is not there or cannot be read.
  func bytes(of stretch: SegmentStretch) -> [UInt8]? {
    guard let (offset, section) = sections[stretch.first], section.binding.stretch == stretch else { return nil }
    return Self.read(fileSystem, file, section, at: offset)
  }

  /// How long the section of a segment is, in bytes; `nil` if it is not there.
  func length(of stretch: SegmentStretch) -> UInt64? {
    sections[stretch.first].flatMap { $0.section.binding.stretch == stretch ? $0.section.length : nil }
  }

  /// What the file says of a segment; `nil` if it has no section of it, or not a sound one, or that takes too much memory.
  ///
  /// - Parameter room: How much memory to use, in bytes, for the section and for what it says.
  func mentions(in stretch: SegmentStretch, upTo room: Int) -> EntityMentions? {
    guard let section = sections[stretch.first]?.section, section.length <= room, let bytes = bytes(of: stretch),
      section.isSound(bytes)
    else { return nil }
    return section.mentions(in: bytes, upTo: room)
  }

  /// Whether every section is of one of these segments.
  func hasOnly(_ stretches: [SegmentStretch]) -> Bool {
    let firsts = Set(stretches.map(\.first))
    return sections.keys.allSatisfy(firsts.contains)
  }

  private static func read(
    _ fileSystem: any FileSystem, _ file: OpenFile, _ section: StreamSection, at offset: UInt64
  ) -> [UInt8]? {
    section.length > maximumSectionLength ? nil : read(fileSystem, file, at: offset, count: Int(section.length))
  }

  /// Whether the file has a section of a segment.
  func has(_ stretch: SegmentStretch) -> Bool { sections[stretch.first]?.section.binding.stretch == stretch }

  /// The events of a segment that are about an entity; `nil` if the file does not say.
  func events(of id: EntityID, in stretch: SegmentStretch) -> [UInt64]? {
    guard let (offset, section) = sections[stretch.first], section.binding.stretch == stretch,
      let entry = Self.read(
        fileSystem, file, at: offset + UInt64(section.entryOffset(of: id)), count: StreamSection.entrySize),
      let place = section.bucket(of: entry), place.length <= Self.maximumBucketLength,
      let bucket = Self.read(fileSystem, file, at: offset + place.offset, count: place.length)
    else { return nil }
    return section.events(of: id, in: bucket, entry)
  }

  /// So many bytes; `nil` if there are fewer.
  private static func read(_ fileSystem: any FileSystem, _ file: OpenFile, at offset: UInt64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        try? fileSystem.read(
          file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: offset + UInt64(done))
      }
      guard let read, read > 0 else { return nil }
      done += read
    }
    return bytes
  }
}
