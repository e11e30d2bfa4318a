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
  /// The longest bucket that is read.
  private static let maximumBucketLength = 1 << 26

  private let fileSystem: any FileSystem
  private let file: OpenFile
  private let sections: [UInt64: (offset: UInt64, section: StreamSection)]
  /// Where the last sound section ends.
  let end: UInt64
  /// How many segments the file has sections of.
  var sectionCount: Int { sections.count }

  /// Opens the file of a journal; `nil` if it cannot be read.
  ///
  /// - Parameter fingerprint: That of the keys. The first section of another journal or of other keys ends the file.
  init?(in folder: String, _ fileSystem: any FileSystem, of id: JournalID, keys fingerprint: [UInt8]) {
    guard let file = try? fileSystem.open(folder + "/" + Self.name, .read) else { return nil }
    var sections: [UInt64: (offset: UInt64, section: StreamSection)] = [:]
    var end: UInt64 = 0
    let size = (try? fileSystem.size(of: file)) ?? 0
    for _ in 0..<Self.maximumSectionCount {
      guard let bytes = Self.read(fileSystem, file, at: end, count: StreamSection.headerSize),
        let section = StreamSection(bytes), section.binding.id == id.bytes, section.binding.fingerprint == fingerprint,
        section.length <= size - end
      else { break }
      sections[section.binding.stretch.first] = (end, section)
      end += section.length
    }
    self.fileSystem = fileSystem
    self.file = file
    self.sections = sections
    self.end = end
  }

  deinit { fileSystem.close(file) }

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

/// Adds sections to the file `STREAMS`. Only a store, which owns its journal, does.
struct StreamWriter<Machine: Reducer> {
  let history: History<Machine>

  /// Adds the sections of all segments that are complete and have none. What cannot be read or written is left out: the file is
  /// never needed.
  func update() {
    let keys = Machine.Event.entityKeys
    let complete = SegmentStretch.all(history.reader.segments).filter { $0.next != SegmentStretch.open }
    let (folder, fileSystem, id) = (history.reader.path, history.reader.fileSystem, history.reader.identity.id)
    let fingerprint = keys.fingerprint(revision: Machine.revision)
    var known = StreamFile(in: folder, fileSystem, of: id, keys: fingerprint)
    // Sections of segments that are retired take room.
    if let file = known, file.sectionCount > 2 * complete.filter(file.has).count + 8 { known = nil }
    let missing = complete.filter { !(known?.has($0) ?? false) }
    guard !missing.isEmpty, let file = try? fileSystem.open(folder + "/" + StreamFile.name, .createOrUpdate) else {
      return
    }
    defer { fileSystem.close(file) }
    var end = known?.end ?? 0
    do {
      try fileSystem.setSize(of: file, to: end)
      for stretch in missing {
        guard let events = try? history.entityEvents(in: stretch),
          let section = StreamSection.encoded(
            events, StreamSection.Binding(id: id.bytes, fingerprint: fingerprint, stretch: stretch))
        else { continue }
        try fileSystem.writeAll(file, section, at: end)
        end += UInt64(section.count)
      }
    } catch {
      try? fileSystem.setSize(of: file, to: end)
    }
  }
}

extension History {
  /// The events of every entity in a segment that is complete.
  ///
  /// - Returns: `nil` unless every event is there, or marked as lost by a salvage: bytes that cannot be read may be found again.
  func entityEvents(in stretch: SegmentStretch) throws(HistoryError) -> [EntityID: [UInt64]]? {
    var events: [EntityID: [UInt64]] = [:]
    var chain = stretch.chainBefore
    var last = stretch.first - 1
    var items = try JournalItems(reader, after: last, beyondDamage: true, joinsLost: false)
    while last + 1 < stretch.next, let item = try items.next() {
      guard case .event(let event) = item, event.sequence == last + 1 else { return nil }
      (last, chain) = (event.sequence, event.chain)
      var reader = WireReader(event.payload)
      guard let fields = try? EnvelopeFields(from: &reader) else { continue }
      Machine.Event.forEachEntity(in: fields) { id in
        if events[id]?.last != event.sequence { events[id, default: []].append(event.sequence) }
      }
    }
    return last + 1 == stretch.next && chain == stretch.chainAfter ? events : nil
  }
}
