import PlainText

extension Verification {
  /// The first of some sound checkpoints that meets a condition. A wrong name is no fault of what is in the file.
  private func usable(
    of checkpoints: some Sequence<Checkpoint>, where isWanted: (Checkpoint) -> Bool = { _ in true }
  ) -> Checkpoint? {
    for case .finding(let finding) in report.rows[damagedFiles.rows...]
    where finding.byteRange != Checkpoint.sequenceRange {
      damagedFiles.names.insert(finding.file)
    }
    damagedFiles.rows = report.rows.count
    return checkpoints.first { isWanted($0) && !damagedFiles.names.contains($0.file) }
  }

  /// Whether a replay can begin: with the first event of all, or after a checkpoint in the verified prefix.
  var hasStart: Bool {
    // Without a readable KEPT the first segment says where that is.
    let kept = catalog.retirementFault == nil ? nil : catalog.segments.first?.header.firstSequence
    let start = (kept ?? catalog.firstSequence) - 1
    let end = max(start, report.lastDerivableSequence)
    return start == 0 || usable(of: catalog.checkpoints) { start...end ~= $0.sequence } != nil
  }

  /// Notes when nothing replaces the events that were retired.
  func checkRetirement() {
    guard let retirement = catalog.retirement else { return }
    report.retirement = retirement
    let firstKept = retirement.firstSequence
    guard usable(of: catalog.checkpoints, where: { $0.sequence + 1 >= firstKept }) == nil else { return }
    // It may hold that state, and then nothing is damaged or to be restored.
    guard catalog.newerCheckpoint == nil else { return }
    report.rows.append(
      .finding(
        Finding(
          .damaged, file: Checkpoint.name(retirement.checkpointSequence), byteRange: 0..<0,
          cause: "no checkpoint is left that stands for the events before \(retirement.firstSequence.grouped)",
          evidence:
            "KEPT says that they were retired after the one at event \(retirement.checkpointSequence.grouped)",
          remedy: "restore a checkpoint from a copy: without one no state can be rebuilt")))
  }

  func check(_ checkpoint: Checkpoint) throws(JournalError) {
    do throws(JournalError) {
      _ = try directory.body(of: checkpoint)
    } catch {
      // Writers remove old checkpoints, even between our listing and our reading.
      if error.errorNumber == OperatingSystem.noEntry { return }
      guard error.code == .badCheckpoint else {
        let end = UInt64(Format.checkpointHeaderSize) + min(checkpoint.bodyLength, 1 << 62)
        guard let finding = obstacle(error, file: checkpoint.file, 0..<end) else { throw error }
        report.rows.append(.finding(finding))
        return
      }
      report.rows.append(
        .finding(
          Finding(
            .indexDamaged, file: checkpoint.file,
            byteRange: UInt64(Format.checkpointHeaderSize)..<UInt64(Format.checkpointHeaderSize)
              + min(checkpoint.bodyLength, 1 << 62),
            cause: error.message, evidence: "a checkpoint is derived from the events, which are not touched by this",
            remedy: "nothing is lost; the state is rebuilt from an older checkpoint or from the start")))
    }
  }

  /// Continues with the stretch after a checkpoint where KEPT states another chain value than the first segment:
  /// checkpoint and events agree with each other, so a state can be derived whatever is wrong with KEPT.
  func derive(from range: ClosedRange<UInt64>) {
    if report.lastBehindCheckpoint != nil {
      report.lastBehindCheckpoint = range.upperBound
      return
    }
    guard let checkpoint = usable(of: claims.checkpoints(in: range)) else { return }
    report.lastBehindCheckpoint = range.upperBound
    report.rows.append(
      .finding(
        Finding(
          .indexDamaged, file: Format.keptName, byteRange: 40..<64,
          cause: "the kept events begin in another way than it says",
          evidence: "the checkpoint at event \(checkpoint.sequence.grouped) is sound, and the events agree with it",
          remedy: "the state is derived from that checkpoint; restore KEPT from a copy")))
  }
}

extension JournalCatalog {
  /// The newest checkpoint that a newer program wrote and that may stand for the events before the first one; `nil` if there
  /// is none.
  fileprivate var newerCheckpoint: Finding? {
    findings.filter { finding in
      guard finding.verdict == .unsupportedFormat, Checkpoint.isName(finding.file) else { return false }
      return SegmentName.number(finding.file.dropLast(5)).map { $0 >= firstSequence - 1 } ?? false
    }.max { $0.file < $1.file }
  }
}

extension JournalReader {
  /// The newest checkpoint that only a newer program reads and that may hold the state before the first event; `nil` if there
  /// is none.
  public var newerCheckpoint: Finding? { catalog.newerCheckpoint }
}
