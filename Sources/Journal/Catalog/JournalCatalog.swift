import PlainText

/// One segment file: its name, and its header, as read or reconstructed.
struct SegmentEntry: Hashable, Sendable {
  var name: SegmentName
  var header: SegmentHeader
  /// Why the header in the file cannot be used; `header` is then reconstructed from everything around it.
  var headerFault: String?
  /// Whether `header.chainIn` is known.
  var knowsChain: Bool
  var length: UInt64
  /// Whether a frame proves the number in a reconstructed header.
  var isProven = false
  /// Whether the next segment's header confirms the first event that the name gives.
  var isStated = false
  /// Whether its first event is known from more than the name.
  var knowsStart = true
  /// Whether it is a regular file.
  var isRegular = true

  var file: String { name.text }

  /// Whether the number follows only from the file's place: neither a header nor a frame states it.
  var isGuessed: Bool { headerFault != nil && !isProven && !isStated }

  /// Whether the name is the one that the file's own header calls for.
  var isNamedRight: Bool {
    headerFault == nil && name.firstSequence == header.firstSequence
      && name.fits(ordinal: header.ordinal)
  }

  /// Which of several files with one number is taken: the highest, and of equals the first. A header that a device wrote
  /// over a file without a number in its name fits that name, but not as well as the name that states it. A file without
  /// a header or a frame of its own proves nothing, not even where the next header counts the events that it held.
  var rank: Int {
    if isNamedRight { name.ordinal == header.ordinal ? 3 : 2 } else { headerFault == nil || isProven ? 1 : 0 }
  }
}

/// The content of a journal's small files and headers, before any frame is read.
struct JournalCatalog: Sendable {
  var identity: JournalIdentity
  /// The newest receipt in HEAD, even if its segment is gone.
  var receipt: HeadReceipt?
  /// The contents of HEAD when it was first read.
  private(set) var headFile = HeadReceipt.File()
  /// Whether any receipt in HEAD, not only the newest, says that the journal was closed.
  var hasClosedReceipt: Bool { headFile.saysClosed }
  /// The newest receipt, as evidence: `nil` when a later segment overrules it, which begins at or before what it claims.
  var head: HeadReceipt?
  /// The segments in order; each number occurs once.
  var segments: [SegmentEntry] = [] {
    // Evidence from a file's name alone overrules neither HEAD nor a checkpoint.
    didSet { starts = SegmentStarts(segments.lazy.filter(\.knowsStart).map(\.header)) }
  }
  private var starts = SegmentStarts([])
  /// Files with the number of a segment that precedes them.
  var repeated: [SegmentEntry] = []
  /// Files that only their names call segments.
  var unvouched: [SegmentEntry] = [] {
    didSet { namedClaim = unvouched.last.map { ($0.name.firstSequence - 1, $0.file) } }
  }
  /// The last event before the one with which the last of those files claims to begin, and that file: a segment is begun only
  /// when everything before it is durable.
  private(set) var namedClaim: (sequence: UInt64, file: String)?
  /// Search results for files whose headers do not verify, and for the segments before them.
  var searches = FrameSearches()
  /// Whether other files identify the journal because `JOURNAL` does not.
  private(set) var isIdentityOverruled = false
  /// The events that were retired on purpose.
  var retirement: Retirement?
  /// Why `KEPT` exists but cannot be used: events were retired, and which is unknown.
  var retirementFault: String?
  /// Segments that still exist but no longer belong to the journal.
  var retired: [SegmentEntry] = []
  /// Checkpoints whose header verifies, oldest first.
  private(set) var checkpoints: [Checkpoint] = []
  /// The newest event that a checkpoint proves to have been durable, as far as later segments do not overrule it.
  private(set) var checkpointSequence: UInt64 = 0
  /// Findings about files other than segments.
  var findings: [Finding] = []

  /// Reads everything but the frames.
  ///
  /// HEAD is read before the segments are listed: it never claims more than they held at that moment, even while a
  /// writer is active.
  ///
  /// - Parameter known: the searches of an earlier catalogue of the same journal.
  init(_ directory: JournalDirectory, searches known: FrameSearches = FrameSearches()) throws(JournalError) {
    searches = known
    let names = try directory.names()
    let segmentNames = Self.segmentNames(names)
    let (identity, fault) = try Self.identity(directory, names: names, segments: segmentNames)
    self.identity = identity
    if let fault { findings.append(fault) }
    isIdentityOverruled = fault != nil
    try readHead(directory, mustExist: !segmentNames.isEmpty)
    if headFile.slots.isEmpty, !headFile.faults.isEmpty {
      // It may belong to another journal, and so may JOURNAL and the headers that were read.
      let (other, fault) = try Self.identity(directory, names: names, segments: segmentNames, asksAll: true)
      if other.id != identity.id {
        self.identity = other
        findings = fault.map { [$0] } ?? []
        isIdentityOverruled = fault != nil
        try readHead(directory, mustExist: true)
      }
    }
    try readHeaders(directory)
    findings += findingsOfRepeated() + findingsOfUnvouched() + findingsOfOtherNames(names)
    if let retirementFault { reportRetirement(retirementFault) }
    if segmentNames.isEmpty, receipt == nil, !names.contains(where: { Checkpoint.isName($0) }) { reportNothing() }
    // KEPT may name a checkpoint that did not exist yet when the names were read, and one that has been removed by now
    // is replaced by a later one.
    var isComplete = try readCheckpoints(directory, names: retirement == nil ? names : try directory.names())
    for _ in 0..<Self.checkpointAttempts where !isComplete {
      isComplete = try readCheckpoints(directory, names: try directory.names())
    }
    placeGuesses(directory)
  }

  /// How often the checkpoints are listed again while a writer replaces them.
  private static let checkpointAttempts = 16

  /// The segments among names. A file that another program renamed stands for the one that it was, where that is not there.
  static func segmentNames(_ names: [String]) -> [SegmentName] {
    let foreign = foreignNames(names).filter { !$0.isThere }.compactMap { SegmentName($0.name, of: $0.file) }
    return (names.compactMap { SegmentName($0) } + foreign).sorted()
  }

  /// The files that another program renamed, and whether one of the original name is there as well.
  static func foreignNames(_ names: [String]) -> [(name: ForeignName, file: String, isThere: Bool)] {
    let foreign = names.compactMap { file in ForeignName(file).map { (name: $0, file: file) } }
    guard !foreign.isEmpty else { return [] }
    let all = Set(names)
    return foreign.map { ($0.name, $0.file, all.contains($0.name.original)) }
  }

  private mutating func readHead(_ directory: JournalDirectory, mustExist: Bool) throws(JournalError) {
    for attempt in 0..<3 {
      let bytes: [UInt8]
      switch try directory.content(of: Format.headName, limit: Format.headSize + 1) {
      case .file(let found, _): bytes = found
      case .missing:
        if mustExist { reportHead(0..<0, "the file is missing", leavesEndUnknown: true) }
        return
      case .other(let what):
        findings.append(
          Finding(
            .indexDamaged, file: Format.headName, byteRange: 0..<0, cause: what,
            evidence: "without HEAD nothing says whether there were later events",
            remedy: "move it to another place, and compare the last event with a copy, or with what the app remembers"))
        return
      }
      let file = HeadReceipt.read(bytes, of: identity.id)
      if let (what, offset) = file.unsupported {
        throw JournalError.unsupported(what, file: Format.headName, offset: UInt64(offset))
      }
      headFile = file
      receipt = file.newest
      // A writer may be writing one of the slots; a second read then finds it whole.
      if !file.faults.isEmpty && attempt < 2 {
        directory.fileSystem.pause(nanoseconds: 200_000)
        continue
      }
      // Only one slot is written at a time, and after a clean close none is: see FileFormat, "HEAD".
      let isOpen = file.newest.map { !$0.isClean } ?? false
      for fault in file.faults { reportHead(fault, isTorn: fault.mayBeTorn && isOpen && file.faults.count == 1, file) }
      return
    }
  }

  private mutating func reportRetirement(_ why: String) {
    findings.append(
      Finding(
        .indexDamaged, file: Format.keptName, byteRange: 0..<UInt64(Format.keptSize), cause: why,
        evidence: "the file is there, so events were retired; the first segment tells where the journal begins",
        remedy: "no event is lost by this; retiring events again rewrites it"))
  }

  /// A writer that stopped while creating the journal leaves the same files as a loss of all others.
  private mutating func reportNothing() {
    findings.append(
      Finding(
        .unsyncedGap, file: Format.identityName, byteRange: 0..<0,
        cause: "there is neither a segment nor HEAD",
        evidence: "either the journal was never written to, or all of it is lost; nothing here tells which",
        remedy: "restore the files from a copy, or open the journal for writing if it never held anything"))
  }

  /// - Parameter isTorn: Whether an interrupted write may have left it.
  private mutating func reportHead(_ fault: HeadReceipt.Fault, isTorn: Bool, _ file: HeadReceipt.File) {
    let range = UInt64(fault.range.lowerBound)..<UInt64(fault.range.upperBound)
    guard isTorn, fault.isMisplaced else {
      reportHead(range, fault.cause, isTorn: isTorn, leavesEndUnknown: file.newest == nil)
      return
    }
    findings.append(
      Finding(
        .unsyncedGap, file: Format.headName, byteRange: range, cause: fault.cause,
        evidence: "either a write was interrupted, or a sector of another place took that of a later receipt",
        remedy: "compare the last event with a copy, or with what the app remembers; the next sync writes HEAD again"))
  }

  /// - Parameter leavesEndUnknown: Nothing left of HEAD says how far the journal reached.
  private mutating func reportHead(
    _ range: Range<UInt64>, _ why: String, isTorn: Bool = false, leavesEndUnknown: Bool = false
  ) {
    if isTorn {
      findings.append(
        Finding(
          .torn(.garbage), file: Format.headName, byteRange: range, cause: why,
          evidence: "the other slot says that the journal was not closed, so this one may have been on its way",
          remedy: Recovery.Outcome.torn.remedy))
      return
    }
    findings.append(
      Finding(
        .indexDamaged, file: Format.headName, byteRange: range, cause: why,
        evidence: leavesEndUnknown
          ? "without HEAD nothing says whether there were later events"
          : "HEAD only repeats what was synced, and no event is in it",
        remedy: leavesEndUnknown
          ? "compare the last event with a copy, or with what the app remembers; the next sync writes HEAD again"
          : "no event is lost by this; the next sync writes it again"))
  }

  /// Reads the headers of checkpoints, instead of those read before; `false` when one of them is gone.
  private mutating func readCheckpoints(
    _ directory: JournalDirectory, names: [String]
  ) throws(JournalError) -> Bool {
    let known = findings
    checkpoints = []
    for name in names where Checkpoint.isName(name) {
      guard let (bytes, length) = try directory.readSpare(name, limit: Format.checkpointHeaderSize) else {
        // The next call finds again what was found so far.
        findings = known
        return false
      }
      if let what = Checkpoint.header(bytes).unsupported(of: identity.id) {
        reportLaterCheckpoint(name, min(length, UInt64(Format.checkpointHeaderSize)), what)
        continue
      }
      guard let checkpoint = Checkpoint(bytes, file: name, of: identity.id) else {
        reportCheckpoint(
          name, 0..<min(length, UInt64(Format.checkpointHeaderSize)),
          "its header does not verify, or states more than 1 GiB")
        continue
      }
      checkpoints.append(checkpoint)
      if name != Checkpoint.name(checkpoint.sequence) {
        reportCheckpoint(
          name, Checkpoint.sequenceRange, "it is of event \(checkpoint.sequence.grouped), and its name says another")
      }
    }
    // Names may be in another order.
    checkpoints.sort { ($0.sequence, $0.file) < ($1.sequence, $1.file) }
    judgeClaims()
    return true
  }

  private mutating func reportLaterCheckpoint(_ name: String, _ size: UInt64, _ what: String) {
    let error = JournalError.unsupported(what, file: name, offset: 8)
    findings.append(
      Finding(
        .unsupportedFormat, file: name, byteRange: 0..<size, cause: error.message,
        evidence: "its header verifies", remedy: error.remedy))
  }

  /// Refuses a journal with a file that a newer program wrote, before anything is written: what depends on it is
  /// unknown here.
  func requireKnownFormat() throws(JournalError) {
    guard let finding = findings.first(where: { $0.verdict == .unsupportedFormat }) else { return }
    throw JournalError(.unsupportedFormat, finding.cause, remedy: finding.remedy, file: finding.file, offset: 8)
  }

  mutating func reportCheckpoint(_ name: String, _ range: Range<UInt64>, _ why: String) {
    findings.append(
      Finding(
        .indexDamaged, file: name, byteRange: range, cause: why,
        evidence: "a checkpoint is derived from the events, which are not touched by this",
        remedy: "nothing is lost; the state is rebuilt from an older checkpoint or from the start"))
  }

  /// Whether the writer closed the journal, and the file ends where it said so.
  var wasClosed: Bool {
    guard let receipt, receipt.isClean, let last = segments.last else { return false }
    return last.header.ordinal == receipt.ordinal && last.length == receipt.offset
  }

  /// The first event that the journal holds, or would hold if it had any.
  var firstSequence: UInt64 { retirement?.firstSequence ?? (identity.parent?.sequence ?? 0) + 1 }

  /// Why the first existing segment is not the one with which the journal begins; `nil` when it is.
  func faultOfStart(_ entry: SegmentEntry) -> String? {
    guard let retirement else {
      // Without a readable KEPT it is unknown which segments were retired.
      guard retirementFault == nil else { return nil }
      guard entry.header.ordinal == 1 else {
        return "the journal begins with segment \(entry.header.ordinal); earlier ones are missing"
      }
      let isOther =
        entry.header.firstSequence != firstSequence
        || (entry.knowsChain && entry.header.chainIn != identity.parent?.chain ?? 0)
      // Without JOURNAL only the segment says what it continues.
      return isOther && !isIdentityOverruled ? "the journal begins in another way than JOURNAL says" : nil
    }
    guard entry.header.ordinal == retirement.firstOrdinal else {
      return "segment \(retirement.firstOrdinal) should be the first one, and this is segment \(entry.header.ordinal)"
    }
    let isOther =
      entry.header.firstSequence != retirement.firstSequence
      || (entry.knowsChain && entry.header.chainIn != retirement.chainIn)
    return isOther ? "the journal begins in another way than KEPT says" : nil
  }

  /// Whether a journal was continued after a loss: a segment that came later begins again at or before an event.
  func isOverruled(ordinal: UInt64, sequence: UInt64) -> Bool {
    starts.overrule(ordinal: ordinal, sequence: sequence)
  }

  /// The file that does.
  var claimingFile: String {
    if let named = namedClaim, named.sequence > checkpointSequence { return named.file }
    return Checkpoint.name(checkpointSequence)
  }

  /// The newest event that a checkpoint or a segment's name proves to have been durable.
  var claimedSequence: UInt64 { max(checkpointSequence, namedClaim?.sequence ?? 0) }

  /// The evidence that everything up to ``claimedSequence`` was durable.
  var claimant: String {
    if let named = namedClaim, named.sequence > checkpointSequence { return "the name of \(named.file)" }
    return "a checkpoint"
  }

  /// The events that the names of files without a verified header prove durable, because a segment is begun only when
  /// everything before it is durable. With the numbers of the segments before them, or without one where it is unknown.
  var claimsOfNames: [(sequence: UInt64, ordinal: UInt64, file: String)] {
    segments.filter { $0.headerFault != nil }.map { ($0.header.firstSequence - 1, $0.header.ordinal - 1, $0.file) }
      + (namedClaim.map { [($0.sequence, .max, $0.file)] } ?? [])
  }

  /// Judges the claims of HEAD and the checkpoints by the segments.
  mutating func judgeClaims() {
    head = receipt.flatMap { isOverruled(ordinal: $0.ordinal, sequence: $0.sequence) ? nil : $0 }
    checkpointSequence =
      checkpoints.filter { !isOverruled(ordinal: $0.ordinal, sequence: $0.sequence) }.map(\.sequence).max() ?? 0
  }
}
