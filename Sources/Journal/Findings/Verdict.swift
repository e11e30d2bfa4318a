import PlainText

/// The judgement on the bytes at one place of a journal.
public enum Verdict: Hashable, Sendable {
  /// Everything verifies to the end, and nothing claims that the journal held more.
  case clean
  /// An unfinished write at the end that was never acknowledged: normal after a crash or a power cut.
  case torn(Remains)
  /// Bytes that do not verify, valid frames after them, and no proof that they were ever durable: writes that reached
  /// the device out of order before a power cut, or damage. Which of the two is undecidable.
  case unsyncedGap
  /// Bytes that were durable no longer verify.
  case damaged
  /// The history ends on a frame boundary, but something proves that it continued.
  case tailLost
  /// The bytes verify, and say that events were lost before the journal was salvaged: their places were kept. This
  /// journal is not damaged, but no state is known after the place.
  case lost
  /// A file or frame that only helps (an anchor, footer, receipt, checkpoint, header) does not verify. No event is lost.
  case indexDamaged
  /// The device reported an error, with this number. Not damage: reading again may work.
  case ioError(Int32)
  /// A version or feature that this program does not know. Not damage.
  case unsupportedFormat

  /// What is left of an unfinished write.
  public enum Remains: Hashable, Sendable {
    /// Its beginning.
    case short
    /// Zeros where its beginning should be, and something after them.
    case zero
    /// Bytes that are not a frame.
    case garbage
  }

  /// The verdict's stable name, such as `torn`.
  public var name: String {
    switch self {
    case .clean: "clean"
    case .torn: "torn"
    case .unsyncedGap: "unsyncedGap"
    case .damaged: "damaged"
    case .tailLost: "tailLost"
    case .lost: "lost"
    case .indexDamaged: "indexDamaged"
    case .ioError: "ioError"
    case .unsupportedFormat: "unsupportedFormat"
    }
  }

  /// Whether bytes that should verify do not. A torn tail is not damage, and neither is an undecidable gap or a marked
  /// loss.
  public var isDamage: Bool {
    switch self {
    case .damaged, .tailLost, .indexDamaged: true
    case .clean, .torn, .unsyncedGap, .lost, .ioError, .unsupportedFormat: false
    }
  }
}

/// A finding about a journal's bytes: what, where, why, how it is known, and what to do.
public struct Finding: Hashable, Sendable, CustomStringConvertible {
  /// What the damage means for the history.
  public var verdict: Verdict
  /// The file's name in the journal's directory.
  public var file: String
  /// The bytes concerned. Empty at the place where something is missing.
  public var byteRange: Range<UInt64>
  /// The events that this loses: neither served nor countable elsewhere. `nil` when none are lost.
  public var lostEvents: ClosedRange<UInt64>?
  /// Events after the place that verify on their own but cannot be attached to the history; `nil` without such events.
  public var strandedEvents: ClosedRange<UInt64>?
  /// What is wrong, in one sentence without a full stop.
  public var cause: String
  /// What proves it, or why it cannot be decided, in one sentence without a full stop.
  public var evidence: String
  /// What to do, in one sentence without a full stop.
  public var remedy: String
  /// Whether it reports a loss that a salvage found and noted in the journal that it wrote.
  public internal(set) var isFromSalvage = false

  /// What was found at a place, why it is judged so, and what to do.
  public init(
    _ verdict: Verdict, file: String, byteRange: Range<UInt64>, lostEvents: ClosedRange<UInt64>? = nil,
    strandedEvents: ClosedRange<UInt64>? = nil, cause: String, evidence: String, remedy: String
  ) {
    self.verdict = verdict
    self.file = file
    self.byteRange = byteRange
    self.lostEvents = lostEvents
    self.strandedEvents = strandedEvents
    self.cause = cause
    self.evidence = evidence
    self.remedy = remedy
  }

  /// Whether bytes that should verify do not.
  public var isDamage: Bool { verdict.isDamage }

  /// One line: the place, the reason, the proof, the next step.
  public var description: String {
    "\(file), byte \(byteRange.lowerBound.grouped): \(cause) (\(evidence)); \(remedy)"
  }
}
