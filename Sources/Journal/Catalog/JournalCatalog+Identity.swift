extension JournalCatalog {
  /// Which journal the files of a directory belong to, and what is wrong with `JOURNAL`.
  ///
  /// Every file that names a journal is a witness, and one that disagrees with all others is damaged: `JOURNAL`,
  /// segment headers under names that fit them, checkpoints, `KEPT`, `KEYFRAMES`, and the slots of `HEAD`, which verify
  /// for one journal only. In a tie the frames decide, and then `JOURNAL`.
  ///
  /// - Parameter asksAll: Whether to read all of them, even where `JOURNAL` and two headers agree.
  static func identity(
    _ directory: JournalDirectory, names: [String], segments: [SegmentName], asksAll: Bool = false
  ) throws(JournalError) -> (JournalIdentity, Finding?) {
    var stated: JournalIdentity?
    var fault = "the file is missing"
    var remedy = "nothing is lost; copy the journal to a sound device"
    var length: UInt64 = 0
    var damaged: [UInt8]?
    switch try directory.content(of: Format.identityName, limit: Format.maximumHeaderSize + 1) {
    case .file(let bytes, let size):
      length = size
      switch JournalIdentity.read(bytes) {
      case .sound(let identity): stated = identity
      case .unsupported(let what): throw JournalError.unsupported(what, file: Format.identityName, offset: 8)
      case .damaged(let why): (fault, damaged) = (why, bytes)
      }
    case .other(let what):
      fault = what
      remedy = "nothing is lost; move it to another place, and restore JOURNAL from a copy"
    case .missing:
      guard segments.isEmpty else { break }
      throw JournalError(
        .notAJournal, "the directory has neither a JOURNAL file nor a segment", remedy: "check the path",
        file: directory.path)
    }
    if let stated, !asksAll, try isUndisputed(stated, directory, segments) { return (stated, nil) }
    let witnesses = try IdentityWitnesses(
      directory, names: names, segments: segments, stated: stated, damaged: damaged)
    guard let elected = try witnesses.elected(directory) else {
      throw JournalError(
        .damaged, "\(fault), and no segment header says which journal this is",
        remedy: "restore JOURNAL or one segment from a copy", file: Format.identityName)
    }
    if let stated {
      if stated.id == elected.id { return (stated, nil) }
      fault = "it is of journal \(stated.id), and the other files are of journal \(elected.id)"
    }
    let finding = Finding(
      .indexDamaged, file: Format.identityName, byteRange: 0..<length, cause: fault,
      evidence: "the journal's identity is taken from \(elected.file)", remedy: remedy)
    return (elected.identity, finding)
  }

  /// Whether the first and the last segment header that verify, if any do, say the same as `JOURNAL`.
  private static func isUndisputed(
    _ identity: JournalIdentity, _ directory: JournalDirectory, _ segments: [SegmentName]
  ) throws(JournalError) -> Bool {
    func isOther(_ names: some Sequence<SegmentName>) throws(JournalError) -> Bool {
      for name in names {
        guard let (bytes, _) = try directory.readSpare(name.text, limit: Format.maximumHeaderSize),
          case .sound(let header) = SegmentHeader.read(bytes)
        else { continue }
        return header.id != identity.id
      }
      return false
    }
    if try isOther(segments) { return false }
    return try !isOther(segments.reversed())
  }
}

/// The evidence in a directory's files of the journal they belong to.
struct IdentityWitnesses {
  /// A journal that files name.
  struct Candidate {
    var id: JournalID
    var votes = 0
    /// The first file that names it, `JOURNAL` aside.
    var file = Format.headName
    /// The first of its segment headers.
    var header: SegmentHeader?
    /// The domains that `JOURNAL` and headers name, none of which verify.
    var domains: [String?] = []

    /// What `JOURNAL` said, as far as a header repeats it.
    var identity: JournalIdentity {
      guard let header else {
        var identity = JournalIdentity(id: id, createdNanoseconds: 0, parent: nil, keepsHistoryDigest: true)
        if let domain = domains.first, domains.allSatisfy({ $0 == domain }) {
          identity.domain = domain
        } else {
          identity.isDomainUnknown = true
        }
        return identity
      }
      let parent =
        header.ordinal == 1 && header.firstSequence > 1
        ? JournalIdentity.Parent(id: .none, sequence: header.firstSequence - 1, chain: header.chainIn) : nil
      return JournalIdentity(
        id: id, createdNanoseconds: header.createdNanoseconds, parent: parent,
        keepsHistoryDigest: header.digestIn != nil, domain: header.domain)
    }
  }

  /// Segments that are searched for frames where the witnesses do not decide.
  private static let maximumSearches = 4

  private var candidates: [Candidate] = []
  private let segments: [SegmentName]
  private let stated: JournalID?
  /// What the bytes of `JOURNAL` and of headers that do not verify say of a domain.
  private var claims: [DomainName.Claim] = []

  /// - Parameters:
  ///   - stated: what `JOURNAL` says, when it verifies.
  ///   - damaged: its bytes, when it does not.
  init(
    _ directory: JournalDirectory, names: [String], segments: [SegmentName], stated: JournalIdentity?,
    damaged: [UInt8]?
  ) throws(JournalError) {
    self.segments = segments
    self.stated = stated?.id
    claims += damaged.flatMap { JournalIdentity.claimedDomain(in: $0) }.map { [$0] } ?? []
    for name in segments {
      guard let (bytes, _) = try directory.readSpare(name.text, limit: Format.maximumHeaderSize) else { continue }
      guard case .sound(let header) = SegmentHeader.read(bytes) else {
        claims += SegmentHeader.claimedDomain(in: bytes).map { [$0] } ?? []
        continue
      }
      // A header that does not fit its file's name came from another place, and proves nothing about this one.
      let isInPlace = name.firstSequence == header.firstSequence && name.fits(ordinal: header.ordinal)
      addCandidate(header.id, in: name.text, header, counts: isInPlace)
    }
    for name in names where Checkpoint.isName(name) || name == Format.keptName {
      let size = name == Format.keptName ? Format.keptSize : Format.checkpointHeaderSize
      guard let (bytes, _) = try directory.readSpare(name, limit: size),
        let id = (name == Format.keptName ? Retirement.header(bytes) : Checkpoint.header(bytes)).id
      else { continue }
      addCandidate(id, in: name)
    }
    if let (bytes, _) = try directory.readSpare(Keyframe.fileName, limit: Keyframe.headerSize),
      let id = Keyframe.header(bytes).id, Keyframe(bytes, at: 0, of: id) != nil
    {
      addCandidate(id, in: Keyframe.fileName)
    }
    if let stated { addCandidate(stated.id, in: nil) }
    let head = try directory.readSpare(Format.headName, limit: Format.headSize)?.bytes ?? []
    for index in candidates.indices {
      let file = HeadReceipt.read(head, of: candidates[index].id)
      if !file.slots.isEmpty || file.unsupported != nil { candidates[index].votes += 1 }
      candidates[index].domains = claims.filter { $0.id == candidates[index].id }.map(\.domain)
    }
  }

  private mutating func addCandidate(
    _ id: JournalID, in file: String?, _ header: SegmentHeader? = nil, counts: Bool = true
  ) {
    let index: Int
    if let known = candidates.firstIndex(where: { $0.id == id }) {
      index = known
    } else {
      // Among this many journals, none can be identified as this one.
      guard candidates.count < 64 else { return }
      index = candidates.count
      candidates.append(Candidate(id: id))
      if let file { candidates[index].file = file }
    }
    if counts { candidates[index].votes += 1 }
    if candidates[index].header == nil, let header, let file {
      (candidates[index].header, candidates[index].file) = (header, file)
    }
  }

  /// The journal that most witnesses name; in a tie, the one with more frames; otherwise the one that `JOURNAL` names,
  /// and then the one that a segment names first.
  func elected(_ directory: JournalDirectory) throws(JournalError) -> Candidate? {
    let most = candidates.map(\.votes).max() ?? 0
    let rivals = candidates.filter { $0.votes == most }
    guard rivals.count > 1 else { return rivals.first }
    var owners: [UInt32: Int] = [:]
    for (index, rival) in rivals.enumerated() {
      for ordinal in 1...64 { owners[Checksum.segmentSeed(rival.id, ordinal: UInt64(ordinal))] = index }
      if let header = rival.header { owners[header.seed] = index }
    }
    var counts = rivals.map { _ in 0 }
    for name in segments.prefix(Self.maximumSearches) {
      guard try directory.readSpare(name.text, limit: 1)?.bytes.isEmpty == false else { continue }
      let file = try directory.open(name.text)
      defer { directory.fileSystem.close(file) }
      let limit = try directory.size(of: file, name.text)
      let window = FileWindow(fileSystem: directory.fileSystem, file: file, name: name.text)
      var probe = SeedRecovery(window: window, limit: limit)
      var position = UInt64(Format.smallestSegmentHeaderSize)
      while let frame = try probe.first(in: position..<limit, where: { owners[$0.seed] != nil }) {
        if let owner = owners[frame.seed] { counts[owner] += 1 }
        position = frame.offset + UInt64(frame.header.size)
      }
    }
    let highest = counts.max() ?? 0
    let found = zip(rivals, counts).filter { $0.1 == highest }.map(\.0)
    return found.first { $0.id == stated } ?? found.first
  }
}
