import SystemCalls

/// Recovers every readable event from a pile of files, and writes them to a new journal.
///
/// ```swift
/// let salvage = try Salvage(of: ["Journal", "old/00000000000000000001.seg"])
/// let report = try salvage.write(to: "copy")
/// print(report.salvagedCount, report.lostCount)
/// ```
///
/// The pile may hold whole directories, single segments under any name and in any order, several copies with different
/// damage, and files with other data around segments. Segment headers are found at any byte. Where a header is
/// destroyed, two successive frames reveal its seed, and the seed reveals the segment's number. The claims of `HEAD`,
/// checkpoints and headers are compared with the events found, but never decide whether an event counts.
///
/// An event without a payload is a lost one: a salvage writes it to keep the number of an event that it did not find.
/// Journals that a salvage wrote count as copies of the journal that they were salvaged from, when their content proves
/// it: a copy that turns up later gives the events that were missing. One that holds other events under the same
/// numbers stays separate.
///
/// The pile is never changed. Memory grows with the segments and the places where bytes do not verify, at most 262,144
/// of each, and by 16 bytes for every 1,024 events; the files pass through a window.
public struct Salvage: Sendable {
  /// The number of segments, and of stretches of events, above which a pile is not assembled.
  static let maximumFragments = 1 << 18

  /// The files that were searched, in order.
  public internal(set) var files: [SalvagedFile] = []
  /// The journals whose events were found, those with the most events first.
  public internal(set) var journals: [SalvageableJournal] = []

  let fileSystem: any FileSystem
  /// The directories that were searched, by their identity in the file system.
  let directories: Set<String>
  var traces: [SegmentTrace] = []
  var fragments: [SalvageFragment] = []
  /// Where an earlier salvage kept the places of lost events.
  var placeholders: [LostPlace] = []
  /// The contents of `JOURNAL` files.
  var identities: [JournalIdentity] = []
  /// The journals that salvaged ones were copied from; those that are not here are themselves.
  var originals: [JournalID: JournalID] = [:]
  /// The contents of `KEPT` files.
  var retirements: [(retirement: Retirement, id: JournalID, file: String)] = []
  var receipts: [(receipt: HeadReceipt, id: JournalID, file: String)] = []
  var checkpoints: [(checkpoint: Checkpoint, id: JournalID, file: Int)] = []
  /// Bytes that the device did not deliver, or that need a newer program.
  var obstacles: [SalvageLoss] = []
  /// The first file that needs a newer program.
  var unsupported: JournalError?
  private var heads: [(file: Int, bytes: [UInt8])] = []
  /// Files that may hold frames under a header that does not verify, or is another segment's.
  var doubts: [SalvageDoubt] = []
  /// Where each segment begins first in each file, by its seed.
  var firstBases: [Int: [UInt32: UInt64]] = [:]
  /// What the names of segments without a verified header prove durable, as a reader of their directory judges.
  var claimsOfNames: [(sequence: UInt64, id: JournalID, ordinal: UInt64, file: String)] = []
  /// What the other files of its directory say about a segment, by its path.
  var neighbors: [String: SalvageNeighbor] = [:]
  /// The journal that a reader takes each directory for.
  var journalsOfFolders: [String: JournalID] = [:]
  /// The last event of a segment that certainly belongs to the history, where no remaining file says which is the last.
  var lastCertain: [SalvageSegment: UInt64] = [:]
  /// Segments without a successor, or followed by a later one than the next.
  var withoutSuccessor: Set<SalvageSegment> = []

  /// Searches every byte of the pile.
  ///
  /// - Parameters:
  ///   - inputs: files and directories; directories are searched with all that is below them, 16 levels deep.
  ///   - fileSystem: the operating system's, except in tests.
  /// - Throws: `notAJournal` when an input is missing; `inputOutput` when a directory cannot be listed; `tooLarge` for
  ///   more than a million files, or more than 262,144 segments or stretches of events. A file or an inner directory
  ///   that cannot be read is reported and does not throw.
  public init(of inputs: [String], fileSystem: any FileSystem = PosixFileSystem()) throws(JournalError) {
    self.fileSystem = fileSystem
    let pile = try SalvageInputs.contents(of: inputs, fileSystem)
    directories = pile.directories
    for path in pile.files { try search(path) }
    for (path, cause) in pile.skipped {
      obstacles.append(SalvageLoss(events: nil, file: path, byteRange: nil, cause: cause, certainty: .unknown))
    }
    identify()
    readNeighbors()
    leaveOutMisnamedRetirements()
    try searchDoubtfulFiles()
    identify()
    readHeads()
    try markContradictions()
    attachLinked()
    joinCopies()
    count()
  }

  // MARK: - Searching

  /// - Parameter presumed: segments of this file known only by their seed, in order; empty when it is searched for the
  ///   first time.
  mutating func search(_ path: String, presuming presumed: [SegmentTrace] = []) throws(JournalError) {
    let index = presumed.first?.file ?? files.count
    if presumed.isEmpty {
      files.append(SalvagedFile(path: path, length: 0, kind: .foreign, eventCount: 0, unexplained: [], note: nil))
    }
    let file: OpenFile
    do throws(FileSystemError) {
      file = try fileSystem.open(path, .read)
      do throws(FileSystemError) {
        files[index].length = try fileSystem.size(of: file)
      } catch {
        fileSystem.close(file)
        throw error
      }
    } catch {
      // An unreadable entry in the place of a file that never holds events costs no event: a pipe, a device, a
      // dangling link. A file named JOURNAL or HEAD may have come from another place.
      let isOther = OperatingSystem.isOfOtherKind(error.code)
      let name = FileName.lastComponent(of: path)
      if Self.namesWithoutEvents.contains(name) || isOther && [Format.identityName, Format.headName].contains(name) {
        let what =
          isOther ? "it is not a regular file" : "it cannot be opened (\(OperatingSystem.describe(error.code)))"
        files[index].note = "\(what), and no event is ever in it"
        return
      }
      obstruct(JournalError.system(error, file: path), path, 0..<0)
      return
    }
    defer { fileSystem.close(file) }
    if presumed.isEmpty, try readSmallFile(file, index) { return }
    let scanner = PileScanner(
      file: index, window: FileWindow(fileSystem: fileSystem, file: file, name: path),
      ahead: FileWindow(fileSystem: fileSystem, file: file, name: path), length: files[index].length,
      nameHint: SegmentName(FileName.lastComponent(of: path))?.firstSequence ?? 0, presuming: presumed,
      room: (Self.maximumFragments - traces.count, Self.maximumFragments - fragments.count - placeholders.count))
    guard try scanner.scan() else {
      if index == files.count - 1 { files.removeLast() }
      return
    }
    addResults(scanner, index, path)
  }

  private static let unfinished =
    "the salvage that wrote this copy was not finished: it holds a part of what there was"
  private static let namesWithoutEvents: Set<String> = [Format.lockName, Format.keptName, Keyframe.fileName]

  private mutating func addResults(_ scanner: PileScanner, _ index: Int, _ path: String) {
    let offset = traces.count
    traces += scanner.traces
    for var fragment in scanner.fragments {
      fragment.trace += offset
      fragments.append(fragment)
    }
    for var place in scanner.placeholders {
      place.trace += offset
      placeholders.append(place)
    }
    files[index].unexplained = scanner.holes
    if !scanner.traces.isEmpty { files[index].kind = scanner.fragments.isEmpty ? .emptySegment : .events }
    if scanner.traces.isEmpty, scanner.firstLaterHeader != nil { files[index].kind = .laterFormat }
    if let doubt = SalvageDoubt(index, scanner) { doubts.append(doubt) }
    for (range, error) in scanner.unreadable { obstruct(error, path, range) }
    for (offset, end, what) in scanner.unsupported {
      let error = JournalError.unsupported(what, file: path, offset: offset)
      unsupported = unsupported ?? error
      obstruct(error, path, offset..<(end ?? files[index].length))
    }
  }

  private mutating func obstruct(_ error: JournalError, _ path: String, _ range: Range<UInt64>) {
    obstacles.append(
      SalvageLoss(
        events: nil, file: path, byteRange: range, cause: error.message, certainty: .unknown,
        needsNewerProgram: error.code == .unsupportedFormat))
  }

  /// Reports a small file that only a newer program can read.
  private mutating func reportLater(_ what: String, _ index: Int) {
    let error = JournalError.unsupported(what, file: files[index].path, offset: 8)
    unsupported = unsupported ?? error
    obstruct(error, files[index].path, 8..<files[index].length)
  }

  /// Reads a file that does not begin like a segment; `false` when it has to be searched.
  private mutating func readSmallFile(_ file: OpenFile, _ index: Int) throws(JournalError) -> Bool {
    let directory = JournalDirectory(path: "", fileSystem: fileSystem)
    guard let bytes = try? directory.read(file, files[index].path, at: 0, count: Format.maximumHeaderSize),
      let start = FixedRecord(bytes, size: 8)
    else { return false }
    let length = files[index].length
    // Whatever else a file holds, a slot of HEAD that verifies at its place says how far a journal reached; but in a segment
    // such a place is part of an event.
    let isSegment = start.integer(at: 0, as: UInt64.self) == Format.segmentMagic
    let isHead = Format.headSlotOffsets.contains { offset in
      FixedRecord(Array(bytes.dropFirst(offset)), size: 8)?.integer(at: 0, as: UInt64.self) == Format.headMagic
    }
    if isHead, !isSegment || FileName.lastComponent(of: files[index].path) == Format.headName {
      heads.append((index, Array(bytes.prefix(Format.headSize))))
    }
    switch start.integer(at: 0, as: UInt64.self) {
    case Format.identityMagic:
      guard length <= UInt64(Format.maximumHeaderSize) else { return false }
      switch JournalIdentity.read(bytes) {
      case .sound(let identity):
        identities.append(identity)
        if identity.isUnfinished {
          files[index].note = Self.unfinished
        }
      case .unsupported(let what): reportLater(what, index)
      // A segment's beginning may have been written over with it.
      case .damaged: guard length <= UInt64(Format.identitySize) else { return false }
      }
      files[index].kind = .identity
      return true
    case Format.headMagic:
      guard length <= UInt64(Format.headSize), SegmentName(FileName.lastComponent(of: files[index].path)) == nil else {
        return false
      }
      files[index].kind = .head
      return true
    case Format.keptMagic:
      let header = Retirement.header(bytes)
      guard let id = header.id else { return false }
      if let what = header.unsupported(of: id) {
        files[index].kind = .retirement
        reportLater(what, index)
        return true
      }
      guard let retirement = Retirement(bytes, of: id) else { return false }
      files[index].kind = .retirement
      retirements.append((retirement, id, files[index].path))
      return true
    case Format.checkpointMagic:
      let header = Checkpoint.header(bytes)
      guard let id = header.id else { return false }
      if let what = header.unsupported(of: id) {
        files[index].kind = .checkpoint
        reportLater(what, index)
        return true
      }
      guard
        let checkpoint = Checkpoint(bytes, file: FileName.lastComponent(of: files[index].path), of: id),
        length == UInt64(Format.checkpointHeaderSize) &+ checkpoint.bodyLength
      else { return false }
      files[index].kind = .checkpoint
      checkpoints.append((checkpoint, id, index))
      return true
    default: return false
    }
  }

  /// Whether a path leads into a directory that was searched, be the path's target an existing directory or a new one.
  func isSearched(_ path: String) -> Bool {
    var place = path
    while (try? fileSystem.identity(of: place)) == nil {
      guard let slash = place.lastIndex(of: "/") else {
        place = "."
        break
      }
      place = slash == place.startIndex && place != "/" ? "/" : String(place[..<slash])
      if place == "/" { break }
    }
    var last: String?
    for _ in 0..<256 {
      guard let identity = try? fileSystem.identity(of: place), identity != last else { return false }
      if directories.contains(identity) { return true }
      last = identity
      place += "/.."
    }
    return false
  }

  // MARK: - Whose events they are

  /// The journals that any file names. Small files may be left of one that otherwise survives only as a salvaged
  /// journal, or whose name only the files of a directory give together.
  var knownIDs: [JournalID] {
    let parents = identities.lazy.filter(\.isSalvaged).compactMap(\.parent?.id)
    return Set(traces.compactMap { $0.header?.id } + identities.map(\.id) + parents + checkpoints.map(\.id))
      .union(journalsOfFolders.values)
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Identifies segments whose headers do not verify by their seeds.
  private mutating func identify() {
    var known = KnownSegments(self)
    for index in traces.indices where traces[index].id == nil {
      guard let seed = traces[index].seed, let (id, ordinal) = known.segment(of: seed) else { continue }
      traces[index].id = id
      traces[index].ordinal = ordinal
      known.highest = max(known.highest, ordinal)
    }
  }

  /// Assigns events without an owner to the journal whose chain leads to them, or on from them, or whose small files state
  /// the chain value before or after them.
  private mutating func attachLinked() {
    var owners: [SalvageRoute.Place: JournalID] = [:]
    // What directly follows or precedes frames of a segment, and continues from them, is of that segment.
    var touching: [FilePlace: UInt64] = [:]
    func touchPlaces(_ fragment: SalvageFragment) -> [FilePlace] {
      [
        FilePlace(file: fragment.file, offset: fragment.start, chain: fragment.chainBefore),
        FilePlace(file: fragment.file, offset: fragment.end, chain: fragment.chainAfter),
      ]
    }
    func places(_ fragment: SalvageFragment) -> [SalvageRoute.Place] {
      var places = [SalvageRoute.Place(sequence: fragment.last, chain: fragment.chainAfter)]
      if fragment.first > 1 {
        places.append(SalvageRoute.Place(sequence: fragment.first - 1, chain: fragment.chainBefore))
      }
      return places
    }
    for trace in traces {
      guard let seed = trace.seed else { continue }
      firstBases[trace.file, default: [:]][seed] = min(firstBases[trace.file]?[seed] ?? .max, trace.base)
    }
    for fragment in fragments {
      guard let id = traces[fragment.trace].id, !isEmbedded(fragment.trace) else { continue }
      for place in places(fragment) { owners[place] = id }
      for place in touchPlaces(fragment) { touching[place] = traces[fragment.trace].ordinal }
    }
    for (place, id) in statedPlaces { owners[place] = id }
    let segments = LinkedEventOrdinals(self)
    // Each fragment is looked at in order, and again once a place that it waits for has an owner: at most four times.
    var queue = fragments.indices.filter { traces[fragments[$0].trace].id == nil }
    var waiting: [SalvageRoute.Place: [Int]] = [:]
    var waitingParts: [Int: [Int]] = [:]
    for index in queue {
      for place in places(fragments[index]) { waiting[place, default: []].append(index) }
      waitingParts[fragments[index].trace, default: []].append(index)
    }
    var isAttached: Set<Int> = []
    var next = 0
    while next < queue.count {
      let (index, fragment, trace) = (queue[next], fragments[queue[next]], fragments[queue[next]].trace)
      next += 1
      guard !isAttached.contains(index),
        let id = traces[trace].id ?? places(fragment).lazy.compactMap({ owners[$0] }).first
      else { continue }
      isAttached.insert(index)
      traces[trace].id = id
      traces[trace].ordinal =
        traces[trace].ordinal ?? segments.ordinal(of: fragment, in: id)
        ?? touchPlaces(fragment).lazy.compactMap { touching[$0] }.first
      for place in places(fragment) {
        owners[place] = id
        queue += waiting.removeValue(forKey: place) ?? []
      }
      queue += waitingParts.removeValue(forKey: trace) ?? []
      if let ordinal = traces[trace].ordinal {
        for place in touchPlaces(fragment) { touching[place] = ordinal }
      }
    }
    markEmbedded(isAttached)
  }

  /// Marks events that only their links identify, in a file with frames of the same segment in a payload: nothing tells
  /// those in that payload from others.
  ///
  /// - Parameter attached: The events without an owner of their own.
  private mutating func markEmbedded(_ attached: Set<Int>) {
    struct Place: Hashable {
      var file: Int
      var id: JournalID?
      var ordinal: UInt64?
    }
    let embedded = Set(
      traces.indices.filter { isEmbedded($0) }.map { index in
        Place(file: traces[index].file, id: traces[index].id, ordinal: traces[index].ordinal)
      })
    guard !embedded.isEmpty else { return }
    for fragment in attached.map({ fragments[$0] }) where traces[fragment.trace].evidence == .link {
      let place = Place(file: fragment.file, id: traces[fragment.trace].id, ordinal: ordinal(of: fragment))
      if place.ordinal != nil, embedded.contains(place) { traces[fragment.trace].isContradicted = true }
    }
  }

  /// The chain values that headers, receipts and checkpoints state.
  var statedPlaces: [(place: SalvageRoute.Place, id: JournalID)] {
    let headers = traces.indices.compactMap { index in
      isEmbedded(index) ? nil : traces[index].header.map { ($0.firstSequence - 1, $0.chainIn, $0.id) }
    }
    let others =
      receipts.map { ($0.receipt.sequence, $0.receipt.chain, $0.id) }
      + checkpoints.map { ($0.checkpoint.sequence, $0.checkpoint.chain, $0.id) }
    return (headers + others).filter { $0.0 > 0 }
      .map { (SalvageRoute.Place(sequence: $0.0, chain: $0.1), $0.2) }
  }

  /// A place in a file, and the chain value of the events there.
  private struct FilePlace: Hashable {
    var file: Int
    var offset: UInt64
    var chain: UInt32
  }

  private mutating func readHeads() {
    let ids = knownIDs
    for (index, bytes) in heads {
      for id in ids {
        let head = HeadReceipt.read(bytes, of: id)
        if let (what, _) = head.unsupported { reportLater(what, index) }
        guard let receipt = head.newest else { continue }
        receipts.append((receipt, id, files[index].path))
        if receipt.isUnfinished { files[index].note = Self.unfinished }
        // In a segment's place it replaces events.
        guard files[index].kind == .foreign, SegmentName(FileName.lastComponent(of: files[index].path)) == nil else {
          continue
        }
        files[index].kind = .head
        files[index].unexplained = []
      }
    }
  }

  private mutating func count() {
    var counts: [JournalID: UInt64] = [:]
    for fragment in fragments {
      let trace = traces[fragment.trace]
      counts[source(of: trace.id), default: 0] += fragment.count
      files[fragment.file].eventCount += fragment.count
      guard trace.evidence != .header else { continue }
      let name = trace.id.map { "journal \($0)" } ?? "an unknown journal"
      files[fragment.file].note =
        trace.evidence == .link
        ? "events without a place, which link to each other and belong to \(name)"
        : "its header does not verify; its frames are those of "
          + (trace.ordinal.map { "segment \($0) of " } ?? "") + name
    }
    journals = counts.map { SalvageableJournal(id: $0, eventCount: $1) }.sorted {
      ($0.eventCount, $1.id.bytes.description) > ($1.eventCount, $0.id.bytes.description)
    }
  }
}
