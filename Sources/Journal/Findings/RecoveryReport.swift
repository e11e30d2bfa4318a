/// What a writer found when it opened a journal, and what it did about it.
public struct RecoveryReport: Hashable, Sendable {
  /// What is to be known about the small files and the last segment; empty after a clean close, and after most crashes.
  /// Earlier segments are not read on opening, and neither is what lies before the newest checkpoint in a journal that was
  /// closed: ``JournalReader/verify(_:)`` reads everything.
  public var findings: [Finding]
  /// Whether the journal had been closed, and not left open by a crash.
  public var wasClosed: Bool
  /// The last event of the verified history, behind which the writer continues.
  public var lastSequence: UInt64
  /// Whether the writer left the last segment as it is and continues in a fresh one. False where that found no room:
  /// the next batch then begins it, or fails.
  public var beganSegment: Bool

  /// Creates a report.
  public init(findings: [Finding], wasClosed: Bool, lastSequence: UInt64, beganSegment: Bool) {
    self.findings = findings
    self.wasClosed = wasClosed
    self.lastSequence = lastSequence
    self.beganSegment = beganSegment
  }
}
