import Journal
import WireFormat

/// Adds sections to the file `STREAMS`. Only a store, which owns its journal, does.
struct StreamWriter<Machine: Reducer> {
  let history: History<Machine>
  /// Up to where the file has been read whole, and was sound.
  var soundEnd: UInt64
  /// How much memory sections that stay take while the file is rewritten, in bytes. The others are made again from their events.
  var maximumKeptLength: UInt64 = 64 << 20
  /// Writes to the file while no other program may.
  let exclusively: (_ write: () -> Bool) -> Bool

  /// Adds the sections of all segments that are complete and have none, in place of what is not sound. What cannot be read or
  /// written is left out: the file is never needed.
  ///
  /// - Parameter dropsRetired: Whether sections of segments that are gone are removed, too.
  mutating func update(dropsRetired: Bool) {
    let keys = Machine.Event.entityKeys
    let complete = SegmentStretch.all(history.reader.segments).filter { $0.next != SegmentStretch.open }
    let (folder, fileSystem, id) = (history.reader.path, history.reader.fileSystem, history.reader.identity.id)
    let fingerprint = keys.fingerprint(revision: Machine.revision)
    let known = StreamFile(in: folder, fileSystem, of: id, keys: fingerprint, verifyingFrom: soundEnd)
    let isRewritten = dropsRetired && known.map { !$0.hasOnly(complete) } ?? false
    let missing = complete.filter { isRewritten || known?.has($0) != true }
    soundEnd = isRewritten ? 0 : known?.end ?? 0
    guard isRewritten || !missing.isEmpty else { return }
    // Sections that stay are read before the file is shortened.
    var room = isRewritten ? maximumKeptLength : 0
    let kept = complete.map { stretch -> [UInt8]? in
      guard let length = known?.length(of: stretch), length <= room else { return nil }
      room -= length
      return known?.bytes(of: stretch)
    }
    var size = known?.size ?? Self.size(in: folder, fileSystem)
    if isRewritten, !write([], at: 0, replacing: &size) { return }
    for (place, stretch) in missing.enumerated() {
      guard let section = (isRewritten ? kept[place] : nil) ?? self.section(of: stretch, id, fingerprint) else {
        continue
      }
      guard write(section, at: soundEnd, replacing: &size) else { return }
      soundEnd += UInt64(section.count)
    }
  }

  /// How long the file is; 0 if it is not there.
  private static func size(in folder: String, _ fileSystem: any FileSystem) -> UInt64 {
    guard let file = try? fileSystem.open(folder + "/" + StreamFile.name, .read) else { return 0 }
    defer { fileSystem.close(file) }
    return (try? fileSystem.size(of: file)) ?? 0
  }

  private func section(of stretch: SegmentStretch, _ id: JournalID, _ fingerprint: [UInt8]) -> [UInt8]? {
    guard let events = try? history.entityEvents(in: stretch) else { return nil }
    return StreamSection.encoded(
      events, StreamSection.Binding(id: id.bytes, fingerprint: fingerprint, stretch: stretch))
  }

  /// Ends the file with a section.
  ///
  /// - Parameter size: How long the file was; another length means that another program has written it.
  /// - Returns: Whether that was possible.
  private func write(_ section: [UInt8], at end: UInt64, replacing size: inout UInt64) -> Bool {
    let (before, fileSystem) = (size, history.reader.fileSystem)
    size = end + UInt64(section.count)
    return exclusively {
      guard let file = try? fileSystem.open(history.reader.path + "/" + StreamFile.name, .createOrUpdate) else {
        return false
      }
      defer { fileSystem.close(file) }
      guard (try? fileSystem.size(of: file)) == before else { return false }
      do {
        try fileSystem.setSize(of: file, to: end)
        if !section.isEmpty { try fileSystem.writeAll(file, section, at: end) }
        return true
      } catch {
        try? fileSystem.setSize(of: file, to: end)
        return false
      }
    }
  }
}

extension History {
  /// The events of every entity in a segment that is complete.
  ///
  /// - Returns: `nil` unless every event is there: bytes that cannot be read may be found again, and what a salvage marked as lost
  ///   may be about any entity.
  func entityEvents(in stretch: SegmentStretch) throws(HistoryError) -> [EntityID: [UInt64]]? {
    var events: [EntityID: [UInt64]] = [:]
    var chain = stretch.chainBefore
    var last = stretch.first - 1
    var items = try JournalItems(reader, after: last, beyondDamage: true)
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
