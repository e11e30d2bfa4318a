extension JournalCatalog {
  /// Lists the segments again, and determines where they begin.
  mutating func readSegments(_ directory: JournalDirectory) throws(JournalError) {
    try readHeaders(directory)
    placeGuesses(directory)
  }

  /// Lists the segments and reads their headers; those read before are kept.
  ///
  /// A writer may retire segments between the list and their headers, and all that were listed before KEPT is read:
  /// then they are listed again. They are also listed again where one is missing before another: a system may omit a
  /// name that is added to the directory while it is listed, and report one that was added later.
  mutating func readHeaders(_ directory: JournalDirectory) throws(JournalError) {
    var before: Int?
    for attempt in 0..<16 {
      let isComplete = try listSegments(directory)
      let isDoubtful = retirementFault != nil || lacksSegment
      // Damage and gaps are permanent once no writer is adding segments.
      if isComplete, !isDoubtful || (attempt > 1 && segments.count == before) { return }
      before = segments.count
    }
  }

  /// Whether the segments are not consecutive.
  private var lacksSegment: Bool {
    var next = retirement?.firstOrdinal ?? 1
    for segment in segments {
      if segment.header.ordinal != next { return true }
      next += 1
    }
    return false
  }

  /// Returns `false` when a file that was listed is gone.
  private mutating func listSegments(_ directory: JournalDirectory) throws(JournalError) -> Bool {
    let known = Dictionary((segments + repeated).map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    var files: [ListedFile] = []
    var isComplete = true
    for name in Self.segmentNames(try directory.names()) {
      if let entry = known[name.text], entry.headerFault == nil {
        files.append(ListedFile(name: name, length: entry.length, entry: entry))
        continue
      }
      switch try directory.content(of: name.text, limit: Format.maximumHeaderSize) {
      case .missing: isComplete = false
      case .other where name.foreign != nil: continue
      case .other(let what): files.append(ListedFile(name: name, length: 0, fault: what, isRegular: false))
      case .file(let bytes, let length):
        // A name that another program gave proves nothing by itself.
        if name.foreign != nil {
          guard case .sound(let header) = SegmentHeader.read(bytes), header.id == identity.id,
            header.firstSequence == name.firstSequence, name.fits(ordinal: header.ordinal)
          else { continue }
        }
        var file = ListedFile(name: name, length: length)
        if let start = FixedRecord(bytes, size: 16) { file.statedSize = Int(start.integer(at: 12, as: UInt32.self)) }
        switch SegmentHeader.read(bytes) {
        case .unsupported(let what): throw JournalError.unsupported(what, file: name.text, offset: 8)
        case .sound(let header) where header.id == identity.id:
          file.entry = SegmentEntry(name: name, header: header, knowsChain: true, length: length)
        case .sound(let header): file.fault = "its header belongs to journal \(header.id)"
        case .damaged(let why): file.fault = why
        }
        files.append(file)
      }
    }
    if let last = files.last { searches.forget(last.name) }
    try refuseHeadersOfOthers(&files, directory)
    try rebuildHeaders(&files, directory)
    let entries = files.compactMap(\.entry)
    try readRetirement(directory, entries)
    let first = retirement?.firstOrdinal ?? 0
    retired = entries.filter { $0.header.ordinal < first }
    setAside(entries.filter { $0.header.ordinal >= first })
    judgeClaims()
    return isComplete
  }

  /// Replaces the newest receipt from HEAD.
  mutating func replaceReceipt(_ newest: HeadReceipt?) {
    receipt = newest
    judgeClaims()
  }

  /// Keeps the segments that were listed before at their places, even if they are gone, and adds only those that were
  /// begun later.
  mutating func continueSegments(_ before: [SegmentEntry]) {
    let last = before.reduce(0) { max($0, $1.header.ordinal) }
    segments = before + segments.filter { $0.header.ordinal > last }
    judgeClaims()
  }

  /// Reads `KEPT`. After the segments: it is written before any of them is removed.
  private mutating func readRetirement(
    _ directory: JournalDirectory, _ entries: [SegmentEntry]
  ) throws(JournalError) {
    retirement = nil
    retirementFault = nil
    guard let (bytes, _) = try directory.readSpare(Format.keptName, limit: Format.keptSize + 1) else { return }
    if let what = Retirement.header(bytes).unsupported(of: identity.id) {
      throw JournalError.unsupported(what, file: Format.keptName, offset: 8)
    }
    guard let record = Retirement(bytes, of: identity.id) else {
      retirementFault = "it does not verify"
      return
    }
    guard entries.isEmpty || entries.contains(where: { $0.header.ordinal >= record.firstOrdinal }) else {
      retirementFault = "it says that segment \(record.firstOrdinal) is the first one, and there is none like that"
      return
    }
    retirement = record
  }

  /// How many headers are searched for in other files: any number of them may lead to one large file.
  private static let maximumSearches = 64

  /// Treats a valid header as damaged in a file whose name it does not fit, when it is another file's and exactly this
  /// file's own number is missing: a device that writes a sector to the wrong place causes that, and the frames after
  /// the header are not the other file's. The header is the other file's when that file holds it too, or when that file
  /// has the matching name, frames of its segment, and no header that verifies. The header is a missing file's when
  /// this file holds frames of its own number.
  private mutating func refuseHeadersOfOthers(
    _ files: inout [ListedFile], _ directory: JournalDirectory
  ) throws(JournalError) {
    var owners: [UInt64: String] = [:]
    for case let entry? in files.lazy.map(\.entry) where entry.isNamedRight {
      owners[entry.header.ordinal] = entry.file
    }
    var searched = 0
    var bareOwners: [UInt64: Int] = [:]
    for (index, file) in files.enumerated() where file.entry == nil && file.isRegular {
      bareOwners[file.name.firstSequence] = bareOwners[file.name.firstSequence] ?? index
    }
    let numbers = Set(files.compactMap { $0.entry?.header.ordinal })
    let last = max(numbers.max() ?? 0, receipt?.ordinal ?? 0)
    // The nearest headers that verify, and how far away they are.
    var after: [UInt64?] = Array(repeating: nil, count: files.count)
    for index in files.indices.dropLast().reversed() {
      let known = files[index + 1].entry?.header.ordinal ?? after[index + 1]
      after[index] = known.flatMap { $0 > 1 ? $0 - 1 : nil }
    }
    var before: UInt64? = 0
    for index in files.indices {
      defer { before = files[index].entry?.header.ordinal ?? before.map { $0 + 1 } }
      guard let entry = files[index].entry, !entry.isNamedRight else { continue }
      let ordinal = entry.header.ordinal
      let places =
        entry.name.ordinal > 0 ? [entry.name.ordinal] : [before.map { $0 + 1 }, after[index]].compactMap(\.self)
      guard let own = places.first(where: { $0 > 0 && !numbers.contains($0) }) else { continue }
      var owner = owners[ordinal]
      if owner == nil, searched < Self.maximumSearches, let bare = bareOwners[entry.header.firstSequence],
        case let name = files[bare].name, name.fits(ordinal: ordinal)
      {
        searched += 1
        let isOwner = try hasFrames(of: ordinal, in: files[bare], directory)
        if isOwner { owner = name.text }
      }
      // A segment without evidence in another file, or later than every known one, must be identified by its own
      // frames.
      if owner == nil || own > last {
        let isOwn = try hasFrames(of: own, in: files[index], directory)
        if !isOwn { continue }
      }
      files[index].refused = ordinal
      files[index].entry = nil
      files[index].fault =
        "its header is that of segment \(ordinal), "
        + (owner.map { "which is \($0)" } ?? "and its frames are of segment \(own)")
    }
  }

  /// Whether a file holds frames of a segment, and not just one that a flipped bit may have turned into such a frame.
  private mutating func hasFrames(
    of ordinal: UInt64, in file: ListedFile, _ directory: JournalDirectory
  ) throws(JournalError) -> Bool {
    try searches.first(of: [ordinal], .twoFitting, in: file, identity.id, directory) != nil
  }

  /// Leaves out files with the number of another one. It keeps the one of the highest ``SegmentEntry/rank``.
  private mutating func setAside(_ entries: [SegmentEntry]) {
    var chosen: [UInt64: SegmentEntry] = [:]
    for entry in entries {
      if let other = chosen[entry.header.ordinal], other.rank >= entry.rank { continue }
      chosen[entry.header.ordinal] = entry
    }
    repeated = entries.filter { chosen[$0.header.ordinal]?.name != $0.name }
    segments = Self.inOrder(entries.filter { chosen[$0.header.ordinal]?.name == $0.name })
  }

  /// Segments in the order of their events: a name that differs from its header does not change it.
  static func inOrder(_ entries: [SegmentEntry]) -> [SegmentEntry] {
    entries.sorted { ($0.header.firstSequence, $0.header.ordinal) < ($1.header.firstSequence, $1.header.ordinal) }
  }

  /// Refuses a listing in which something other than a regular file has a segment's name, or another program renamed a segment:
  /// readers manage with that, and writers, which begin or remove segments, must not.
  func requireFiles() throws(JournalError) {
    if let entry = segments.first(where: { $0.name.foreign != nil }), let foreign = ForeignName(entry.file) {
      throw JournalError(
        .inputOutput, foreign.cause, remedy: "rename the file to \(foreign.original), then try again", file: entry.file)
    }
    guard let entry = unvouched.first(where: { !$0.isRegular }) else { return }
    throw JournalError(
      .inputOutput, entry.headerFault ?? "it is not a regular file",
      remedy: "move what stands there to another place, then try again", file: entry.file)
  }

  /// Files that do not take part.
  var leftOut: [SegmentEntry] { repeated + unvouched }

  /// Reports files with the number of an existing segment as left out.
  func findingsOfRepeated(besides known: Set<SegmentName> = []) -> [Finding] {
    guard !repeated.isEmpty else { return [] }
    let originals = Dictionary(segments.map { ($0.header.ordinal, $0.file) }, uniquingKeysWith: { first, _ in first })
    return repeated.filter { !known.contains($0.name) }.map { entry in
      Finding(
        .damaged, file: entry.file, byteRange: 0..<0,
        cause: "segment \(entry.header.ordinal) is there already, and this file is left out",
        evidence: "\(originals[entry.header.ordinal] ?? "another file") has the same number",
        remedy: "compare the two files, and move the one that does not belong here to another place")
    }
  }

  /// Reports files that another program renamed, and those whose names end like a segment's, but are not a segment's, as left
  /// out. Other hidden files are exempt: some systems put one beside each file that they copy.
  func findingsOfOtherNames(_ names: [String]) -> [Finding] {
    let taken = Set(segments.lazy.filter { $0.name.foreign != nil }.map(\.file))
    let renamed = Self.foreignNames(names).compactMap { name, file, isThere in
      // On a file system that ignores case, both names are of one file; a finished download leaves nothing to do.
      isThere && name.kind != .copy ? nil : name.finding(file, isThere: isThere, isRead: taken.contains(file))
    }
    let others = names.filter {
      $0.hasSuffix(".seg") && !$0.hasPrefix(".") && SegmentName($0) == nil && ForeignName($0) == nil
    }
    return renamed
      + others.map { name in
        Finding(
          .indexDamaged, file: name, byteRange: 0..<0,
          cause: "this is not a segment's name, and the file is left out",
          evidence: "a segment is named after its first event, a number from 1 to 2⁶³ in 20 digits",
          remedy: "move the file to another place, or give it the name that its header calls for if it is a segment")
      }
  }
}

extension JournalCatalog {
  /// The last event of a segment that certainly belongs to the history, whatever a missing next segment stated.
  ///
  /// Certain is what was durable in it, and what its writer accepted: the writer never writes a batch after a refused
  /// one. After a hole that proves nothing: the owner may have continued before the hole.
  func provenSequence(
    in entry: SegmentEntry, _ scanner: SegmentScanner, _ next: SegmentEntry?
  ) throws(JournalError) -> UInt64 {
    var proven = entry.header.firstSequence - 1
    var claimed = proven
    for receipt in headFile.slots where receipt.ordinal == entry.header.ordinal {
      claimed = max(claimed, receipt.sequence)
    }
    var places: [UInt64: UInt32] = [:]
    if let head { places[head.sequence] = head.chain }
    for checkpoint in checkpoints {
      if checkpoint.ordinal == entry.header.ordinal { claimed = max(claimed, checkpoint.sequence) }
      places[checkpoint.sequence] = checkpoint.chain
    }
    if let next, next.knowsChain { places[next.header.firstSequence - 1] = next.header.chainIn }
    while true {
      switch try scanner.next() {
      case .batch(let run):
        if run.isDurableBefore { proven = max(proven, run.firstSequence - 1) }
        if run.lastSequence <= claimed || places[run.lastSequence] == run.chainAfter {
          proven = run.lastSequence
        }
      case .record: proven = scanner.sequence
      case .lostCatalog: continue
      case .hole, .end: return proven
      }
    }
  }
}
