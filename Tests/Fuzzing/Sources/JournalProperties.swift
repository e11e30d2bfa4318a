import Journal

/// What must hold for any files whatever in a journal's directory.
struct JournalProperties {
  /// What a cursor served.
  struct Reading {
    var events: [(sequence: UInt64, chain: UInt32, payload: [UInt8])] = []
    /// For each event, whether something was found before it, so that the one before is not its predecessor.
    var breaks: Set<Int> = []
    var findings: [Finding] = []
    var failure: JournalError?

    var sequences: [UInt64] { events.map(\.sequence) }
  }

  let files: [String: [UInt8]]
  /// Which of the more expensive properties are checked.
  var look: UInt32 = 0

  /// Checks everything; a directory that is no journal is as good as any other.
  func check() throws(PropertyFailure) {
    guard let reader = open() else { return }
    let report: VerificationReport
    do throws(JournalError) {
      report = try reader.verify()
    } catch {
      try require(Self.isAllowed(error), "verify failed with \(error)")
      return
    }
    let prefix = read(reader, beyondDamage: false)
    let all = read(reader, beyondDamage: true)
    try checkServed(prefix, "the cursor")
    try checkServed(all, "the cursor beyond damage")
    try checkAgreement(report, prefix, all)
    // One more look for each input, chosen by the input, so that many inputs are tried.
    switch look % 4 {
    case 0: try checkBlocks(reader, report, prefix, all)
    case 1: try checkSeeking(reader, report, prefix)
    case 2: try checkWriting(.refuse, report, prefix)
    default: try checkWriting(.continueAfterVerifiedPrefix, report, prefix)
    }
  }

  private func open() -> JournalReader? {
    try? JournalReader(path: "j", fileSystem: FuzzFileSystem(files))
  }

  private static func isAllowed(_ error: JournalError) -> Bool {
    [.notAJournal, .unsupportedFormat, .inputOutput, .damaged, .otherDomain].contains(error.code)
  }

  private func read(_ reader: JournalReader, after start: UInt64 = 0, beyondDamage: Bool) -> Reading {
    var reading = Reading()
    do throws(JournalError) {
      var cursor = try reader.cursor(after: start, beyondDamage: beyondDamage)
      while let item = try cursor.next() {
        switch item {
        case .event(let event): reading.events.append((event.sequence, event.chain, Array(event.payload)))
        case .finding(let finding):
          reading.findings.append(finding)
          reading.breaks.insert(reading.events.count)
        }
      }
    } catch {
      reading.failure = error
    }
    return reading
  }

  /// Every event continues the one before it: its number, and the chain over its bytes.
  private func checkServed(_ reading: Reading, _ who: String) throws(PropertyFailure) {
    if let failure = reading.failure {
      try require(Self.isAllowed(failure), "\(who) failed with \(failure)")
    }
    for index in reading.events.indices.dropFirst() where !reading.breaks.contains(index) {
      let (before, event) = (reading.events[index - 1], reading.events[index])
      try require(event.sequence == before.sequence + 1, "\(who) served \(event.sequence) after \(before.sequence)")
      var kind = [UInt8](repeating: 0, count: 4)
      kind.put(UInt32(event.payload.count) | 1 << 24, at: 0)
      let chain = ChecksumRepair.crc(before.chain, kind + event.payload)
      try require(
        event.chain == chain, "\(who) served event \(event.sequence) with a chain value that its bytes do not have")
    }
  }

  /// Verifying and reading say the same.
  private func checkAgreement(
    _ report: VerificationReport, _ prefix: Reading, _ all: Reading
  ) throws(PropertyFailure) {
    if all.failure == nil {
      try require(
        report.eventCount == UInt64(all.events.count),
        "\(report.eventCount) events verify, and \(all.events.count) are served")
    }
    if prefix.failure == nil, let last = prefix.sequences.last {
      // Verifying may stop earlier: it also compares what HEAD says of the history.
      try require(
        report.isSound ? report.lastVerifiedSequence == last : report.lastVerifiedSequence <= last,
        "the prefix verifies up to \(report.lastVerifiedSequence), and is served up to \(last)")
    }
    guard report.isSound else { return }
    try require(prefix.failure == nil && all.failure == nil, "it is sound, and cannot be read")
    try require(prefix.sequences == all.sequences, "it is sound, and something is behind damage")
    let worst = (prefix.findings + all.findings).first { finding in
      if case .torn = finding.verdict { return false }
      return finding.isDamage || finding.verdict == .unsyncedGap
    }
    try require(worst == nil, "it is sound, and a cursor found \(worst?.description ?? "")")
  }

  /// Checksums of whole blocks lead to what the checksums of frames lead to.
  private func checkBlocks(
    _ reader: JournalReader, _ report: VerificationReport, _ prefix: Reading, _ all: Reading
  ) throws(PropertyFailure) {
    var frames = reader
    frames.readsBlocks = false
    for (beyondDamage, expected) in [(false, prefix), (true, all)] {
      let found = read(frames, beyondDamage: beyondDamage)
      try require(
        found.sequences == expected.sequences && found.events.map(\.payload) == expected.events.map(\.payload)
          && found.findings == expected.findings && found.failure == expected.failure,
        "reading by blocks and by frames differs, \(beyondDamage ? "beyond" : "up to") damage")
    }
    guard let again = try? frames.verify() else { throw PropertyFailure("verifying by frames fails") }
    try require(
      again.findings == report.findings && again.eventCount == report.eventCount,
      "verifying by blocks and by frames differs")
  }

  /// A cursor that begins in the middle serves what one serves that begins at the start.
  private func checkSeeking(
    _ reader: JournalReader, _ report: VerificationReport, _ prefix: Reading
  ) throws(PropertyFailure) {
    guard prefix.failure == nil, let last = prefix.sequences.last, let first = prefix.sequences.first else { return }
    let known = Dictionary(prefix.events.map { ($0.sequence, $0.payload) }, uniquingKeysWith: { first, _ in first })
    for start in Set([first, (first + last) / 2, last - 1, last]).sorted() {
      let reading = read(reader, after: start, beyondDamage: false)
      try checkServed(reading, "a cursor after event \(start)")
      for event in reading.events {
        try require(event.sequence > start, "a cursor after event \(start) served event \(event.sequence)")
        guard let payload = known[event.sequence] else { continue }
        try require(payload == event.payload, "event \(event.sequence) has other bytes after event \(start)")
      }
      if report.isSound {
        try require(
          reading.sequences == prefix.sequences.filter { $0 > start },
          "it is sound, and a cursor after event \(start) does not serve the rest")
      }
    }
  }

  /// A writer goes on after the verified prefix or says why not, and what it leaves verifies.
  private func checkWriting(
    _ policy: DamagePolicy, _ report: VerificationReport, _ prefix: Reading
  ) throws(PropertyFailure) {
    let system = FuzzFileSystem(files)
    let start: UInt64
    do throws(JournalError) {
      var options = JournalOptions()
      options.preallocation = look & 8 == 0 ? 0 : 512
      options.domain = try open()?.domain.map { (name) throws(JournalError) in
        try JournalDomain(name: name, catalog: look & 16 == 0 ? [] : [1, 2])
      }
      let journal = try JournalWriter.open(at: "j", options: options, onDamage: policy, fileSystem: system)
      start = journal.lastSequence
      var batch = JournalBatch()
      try batch.append(payload: [42], label: 0)
      try journal.append(&batch)
      try journal.close()
    } catch {
      try require(
        Self.isAllowed(error) || [.outOfRange, .noSpace].contains(error.code), "opening failed with \(error)")
      try require(
        !report.isSound || error.code != .damaged || policy == .refuse, "it is sound, and opening failed with \(error)")
      return
    }
    guard report.isSound else { return }
    let written = JournalProperties(files: system.files)
    guard let reader = written.open(), let after = try? reader.verify() else {
      throw PropertyFailure("what a writer left cannot be read")
    }
    let worst = after.findings.first { $0.isDamage }
    try require(after.isSound, "it was sound, and after an append it is not: \(worst?.description ?? "")")
    let reading = written.read(reader, beyondDamage: false)
    try require(start == prefix.sequences.last ?? start, "a writer went on after event \(start)")
    try require(
      reading.events.last?.payload == [42] && reading.events.dropLast().map(\.payload) == prefix.events.map(\.payload),
      "an append changed what was there")
  }
}
