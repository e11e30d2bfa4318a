extension JournalCatalog {
  /// Lists the segments and reads their headers; those read before are kept.
  ///
  /// A writer may retire segments between the list and their headers, and all that were listed before KEPT is read: then
  /// they are listed again. So they are where one is missing before another: a system may leave out a name that is put into
  /// the directory while it is listed, and tell one that came later.
  mutating func readSegments(_ directory: JournalDirectory) throws(JournalError) {
    var before: Int?
    for attempt in 0..<16 {
      let isComplete = try listSegments(directory)
      let isDoubtful = retirementFault != nil || lacksSegment
      // What is damaged or missing stays so, while nobody adds to it.
      if isComplete, !isDoubtful || (attempt > 1 && segments.count == before) { return }
      before = segments.count
    }
  }

  /// Whether the segments do not follow each other.
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
    var entries: [SegmentEntry?] = []
    var faults: [(name: SegmentName, why: String, length: UInt64)] = []
    var isComplete = true
    for name in Self.segmentNames(try directory.names()) {
      if let entry = known[name.text], entry.headerFault == nil {
        entries.append(entry)
        faults.append((name, "", entry.length))
        continue
      }
      guard let (bytes, length) = try directory.read(name.text, limit: Format.maximumHeaderSize) else {
        isComplete = false
        continue
      }
      switch SegmentHeader.read(bytes) {
      case .unsupported(let what): throw JournalError.unsupported(what, file: name.text, offset: 8)
      case .sound(let header) where header.id == identity.id:
        entries.append(SegmentEntry(name: name, header: header, knowsChain: true, length: length))
        faults.append((name, "", length))
      case .sound(let header):
        entries.append(nil)
        faults.append((name, "its header belongs to journal \(header.id)", length))
      case .damaged(let why):
        entries.append(nil)
        faults.append((name, why, length))
      }
    }
    let refused = refuseHeadersOfOthers(&entries, &faults)
    for index in entries.indices where entries[index] == nil {
      let before = entries[..<index].last ?? nil
      let next = entries[(index + 1)...].enumerated().first { $0.element != nil }
      let distance = UInt64((next?.offset ?? 0) + 1)
      var candidates: [UInt64] = []
      if faults[index].name.ordinal > 0 { candidates.append(faults[index].name.ordinal) }
      if let before { candidates.append(before.header.ordinal + 1) }
      if let after = next?.element, after.header.ordinal > distance {
        candidates.append(after.header.ordinal - distance)
      }
      if let receipt, receipt.ordinal > 0 { candidates.append(receipt.ordinal) }
      candidates += 1...64
      // Behind another segment's header its first frames may stand too.
      candidates.removeAll { $0 == refused[index] }
      entries[index] = try reconstruct(
        faults[index].name, why: faults[index].why, length: faults[index].length, ordinals: candidates, directory)
    }
    try readRetirement(directory, entries.compactMap { $0 })
    let first = retirement?.firstOrdinal ?? 0
    retired = entries.compactMap { $0 }.filter { $0.header.ordinal < first }
    setAside(entries.compactMap { $0 }.filter { $0.header.ordinal >= first })
    judgeReceipt()
    return isComplete
  }

  /// Takes another receipt for the newest one in HEAD.
  mutating func take(_ newest: HeadReceipt?) {
    receipt = newest
    judgeReceipt()
  }

  private mutating func judgeReceipt() {
    head = receipt.flatMap { isOverruled(ordinal: $0.ordinal, sequence: $0.sequence) ? nil : $0 }
  }

  /// Keeps the segments that were listed before at their places, gone or not, and takes only those that were begun later.
  mutating func continueSegments(_ before: [SegmentEntry]) {
    let last = before.reduce(0) { max($0, $1.header.ordinal) }
    segments = before + segments.filter { $0.header.ordinal > last }
    judgeReceipt()
  }

  /// Reads `KEPT`. After the segments: it is written before any of them goes.
  private mutating func readRetirement(
    _ directory: JournalDirectory, _ entries: [SegmentEntry]
  ) throws(JournalError) {
    retirement = nil
    retirementFault = nil
    guard let (bytes, _) = try directory.readSpare(Format.keptName, limit: Format.keptSize + 1) else { return }
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

  /// Takes a header for damaged that is right and stands in two files, in the one whose name it does not fit, when
  /// exactly that file's own number is missing: a device that puts a sector into the wrong place leaves that, and what
  /// stands behind the header is not the other file's. Returns the number that each of them bore.
  private func refuseHeadersOfOthers(
    _ entries: inout [SegmentEntry?], _ faults: inout [(name: SegmentName, why: String, length: UInt64)]
  ) -> [Int: UInt64] {
    var refused: [Int: UInt64] = [:]
    var owners: [UInt64: String] = [:]
    for case let entry? in entries where entry.isNamedRight { owners[entry.header.ordinal] = entry.file }
    let numbers = Set(entries.compactMap { $0?.header.ordinal })
    let last = max(numbers.max() ?? 0, receipt?.ordinal ?? 0)
    for index in entries.indices {
      guard let entry = entries[index], !entry.isNamedRight, let owner = owners[entry.header.ordinal] else { continue }
      let before = index > 0 ? entries[index - 1]?.header.ordinal : 0
      let next = index + 1 < entries.count ? entries[index + 1]?.header.ordinal : nil
      let named = entry.name.ordinal > 0 ? entry.name.ordinal : nil
      guard let own = named ?? before.map({ $0 + 1 }) ?? next.map({ $0 - 1 }), own > 0, own <= last,
        !numbers.contains(own)
      else { continue }
      refused[index] = entry.header.ordinal
      entries[index] = nil
      faults[index].why = "its header is that of segment \(entry.header.ordinal), which is \(owner)"
    }
    return refused
  }

  /// Leaves out files with the number of another one: the one stays whose name is its header's, else the first.
  private mutating func setAside(_ entries: [SegmentEntry]) {
    var chosen: [UInt64: SegmentEntry] = [:]
    for entry in entries {
      guard let other = chosen[entry.header.ordinal] else {
        chosen[entry.header.ordinal] = entry
        continue
      }
      if entry.isNamedRight, !other.isNamedRight { chosen[entry.header.ordinal] = entry }
    }
    segments = []
    repeated = []
    for entry in entries {
      if chosen[entry.header.ordinal]?.name == entry.name { segments.append(entry) } else { repeated.append(entry) }
    }
    // A name that differs from its header must not change the order.
    segments.sort { ($0.header.firstSequence, $0.header.ordinal) < ($1.header.firstSequence, $1.header.ordinal) }
  }

  /// Says of files with the number of a segment that is there already that they are left out.
  func findingsOfRepeated(besides known: Set<SegmentName> = []) -> [Finding] {
    repeated.filter { !known.contains($0.name) }.map { entry in
      let original = segments.first { $0.header.ordinal == entry.header.ordinal }
      return Finding(
        .damaged, file: entry.file, byteRange: 0..<0,
        cause: "segment \(entry.header.ordinal) is there already, and this file is left out",
        evidence: "\(original?.file ?? "another file") has the same number",
        remedy: "compare the two files, and move the one that does not belong here to another place")
    }
  }

  /// Says of files whose names end like a segment's, and are none that a segment has, that they are left out. Hidden files
  /// are not meant: some systems put one beside each file that they copy.
  static func findingsOfOtherNames(_ names: [String]) -> [Finding] {
    names.filter { $0.hasSuffix(".seg") && !$0.hasPrefix(".") && SegmentName($0) == nil }.map { name in
      Finding(
        .indexDamaged, file: name, byteRange: 0..<0,
        cause: "this is no name that a segment has, and the file is left out",
        evidence: "a segment is named after its first event, a number from 1 to 2⁶³ in 20 digits",
        remedy: "move the file to another place, or give it the name that its header calls for if it is a segment")
    }
  }

  /// What a segment's header must have been, from the journal's identity, the file's name and its neighbours; proven by
  /// the first frame, which verifies only under the right identity and ordinal.
  private func reconstruct(
    _ name: SegmentName, why: String, length: UInt64, ordinals: [UInt64], _ directory: JournalDirectory
  ) throws(JournalError) -> SegmentEntry {
    let file = try directory.open(name.text)
    defer { directory.fileSystem.close(file) }
    let start = UInt64(Format.segmentHeaderSize)
    let window = FileWindow(fileSystem: directory.fileSystem, file: file, name: name.text)
    var header = SegmentHeader(
      id: identity.id, ordinal: ordinals.first ?? 1, firstSequence: name.firstSequence, chainIn: 0,
      predecessor: .none, createdNanoseconds: identity.createdNanoseconds)
    for ordinal in ordinals {
      let seed = Checksum.segmentSeed(identity.id, ordinal: ordinal)
      let scanner = SegmentScanner(
        window: window, seed: seed, limit: length, offset: start, sequence: name.firstSequence - 1, chain: 0)
      if let (frame, _) = try scanner.frame(at: start, keeping: start) {
        header.ordinal = ordinal
        header.chainIn = frame.previous
        return SegmentEntry(name: name, header: header, headerFault: why, knowsChain: true, length: length)
      }
    }
    return SegmentEntry(name: name, header: header, headerFault: why, knowsChain: false, length: length)
  }
}
