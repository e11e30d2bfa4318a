/// The result of reading every byte of a journal.
public struct VerificationReport: Sendable {
  /// One line of the report, in the order of the journal.
  public enum Row: Hashable, Sendable {
    /// A stretch without a finding, over one segment file or several.
    case sound(files: [String], events: ClosedRange<UInt64>?)
    /// A finding.
    case finding(Finding)
  }

  /// Stretches and findings in the order of the journal; findings about small files come first.
  public internal(set) var rows: [Row] = []
  /// The last event of the verified prefix.
  public internal(set) var lastVerifiedSequence: UInt64 = 0
  /// The last event up to which the state can be rebuilt, if ``hasStart``: that of the verified prefix, or, where the
  /// events and `KEPT` contradict each other at the beginning, that of the stretch after the first sound checkpoint
  /// with which the events agree.
  public var lastDerivableSequence: UInt64 { max(lastVerifiedSequence, lastBehindCheckpoint ?? 0) }
  /// The end of a stretch that begins with a checkpoint and not with the journal; `nil` without one.
  var lastBehindCheckpoint: UInt64?
  /// Whether a state exists with which to begin: that before the first event of all, or a checkpoint up to
  /// ``lastDerivableSequence`` in a journal whose first events were retired or are its parent's.
  public internal(set) var hasStart = true
  /// The number of events that verify, including those after damage.
  public internal(set) var eventCount: UInt64 = 0
  /// Whether one of these has no payload, see ``JournalReader/lostEvents(isAnyWithoutPayload:)``.
  public internal(set) var hasEventWithoutPayload = false
  /// The last event that verifies, after damage or not.
  public internal(set) var lastSequence: UInt64 = 0
  /// The chain value after the verified prefix.
  public internal(set) var lastChain: UInt32 = 0
  /// The last event that is known to have been durable.
  public internal(set) var durableSequence: UInt64 = 0
  /// Whether the journal was closed, and not left open by a crash or by an active writer.
  public internal(set) var wasClosed = false
  /// Whether `HEAD` records how far the journal reached. Without it, missing later events cannot be detected.
  public internal(set) var knowsEnd = true
  /// The events that were retired on purpose, which count neither as present nor as lost; `nil` when none were.
  public internal(set) var retirement: Retirement?
  /// The history digest after the last event that an anchor or footer covers; `nil` when none is kept or it is not
  /// known after damage. A publisher of this value makes later changes to the history evident.
  public internal(set) var historyDigest: [UInt8]?

  /// All findings, in the order of the rows.
  public var findings: [Finding] {
    rows.compactMap { row in
      if case .finding(let finding) = row { return finding }
      return nil
    }
  }

  /// Whether every byte that should verify does. A torn tail was never acknowledged, so it does not make a journal
  /// unsound; a gap that cannot be classified does, and so does anything that could not be read.
  public var isSound: Bool {
    !findings.contains { $0.isDamage || $0.endsPrefix }
  }

  /// Events that existed and are lost.
  public var lostEvents: [ClosedRange<UInt64>] { findings.compactMap(\.lostEvents) }
}

extension Finding {
  /// Whether the verified prefix ends at such a finding, even where no lost event can be named.
  var endsPrefix: Bool {
    switch verdict {
    case .damaged, .tailLost, .unsyncedGap, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .indexDamaged: false
    }
  }
}

/// How much of a journal's recorded values is recomputed.
public enum VerificationDepth: Sendable {
  /// Every checksum, chain value, count and number: anything an accident can change.
  case checksums
  /// Also the SHA-256 of the history. Tampering then goes unnoticed only if all later anchors are rewritten too.
  /// Takes about three times as long.
  case digest
}
