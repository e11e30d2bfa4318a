/// What is known about the place where a segment stops verifying, or about its end.
struct RecoveryFacts: Hashable, Sendable {
  /// What is at the place of the next frame.
  enum Hole: Hashable, Sendable, CaseIterable {
    /// Nothing: the data end on a frame boundary, at the end of the file or before zeros that reach to it.
    case none
    /// The beginning of a frame or of a batch, and then the end of the data.
    case short
    /// Zeros, and then other bytes.
    case zero
    /// Anything else.
    case garbage
  }

  /// The device reported an error.
  var deviceFailed: Bool
  /// Version and flags are known.
  var formatSupported: Bool
  var hole: Hole
  /// The next segment's header says that the valid data end exactly here.
  var declaredEnd: Bool
  /// A whole batch of events after the hole verifies. Other frames count for nothing here: the anchor or the footer of
  /// an unfinished write may arrive without the bytes before it.
  var eventsAfter: Bool
  /// What comes next (the frame after the hole, the next segment, HEAD) has the next sequence number and the same chain
  /// value, so that no event is missing.
  var historyContinues: Bool
  /// HEAD, a checkpoint, the next segment's header, a MARK or a durable-before flag proves that bytes were durable here.
  var provenDurable: Bool
}

/// The decision table of recovery: facts in, one verdict out.
///
/// Exactly one row matches every combination of facts; a test tries them all.
enum Recovery {
  /// One row. A fact that is `nil` does not matter.
  struct Row: Sendable {
    var deviceFailed: Bool? = false
    var formatSupported: Bool? = true
    var hole: Set<RecoveryFacts.Hole>
    var declaredEnd: Bool?
    var eventsAfter: Bool?
    var historyContinues: Bool?
    var provenDurable: Bool?
    var outcome: Outcome
    /// Why these facts mean that.
    var reason: String
    /// The crash that leads to these facts.
    var crash: Crash

    func matches(_ facts: RecoveryFacts) -> Bool {
      func agrees(_ wanted: Bool?, _ fact: Bool) -> Bool { wanted == nil || wanted == fact }
      return agrees(deviceFailed, facts.deviceFailed) && agrees(formatSupported, facts.formatSupported)
        && hole.contains(facts.hole) && agrees(declaredEnd, facts.declaredEnd)
        && agrees(eventsAfter, facts.eventsAfter) && agrees(historyContinues, facts.historyContinues)
        && agrees(provenDurable, facts.provenDurable)
    }
  }

  /// The crashes that produce the rows, one for each. A test reproduces every one of them.
  enum Crash: Hashable, Sendable, CaseIterable {
    /// The device refuses to deliver bytes that it took.
    case failedRead
    /// A newer program writes a frame that this one must not skip, and ends.
    case newerWriter
    /// The power fails between two batches: exactly the synced bytes are left.
    case cutBetweenBatches
    /// The journal is closed. A device that lies about syncs keeps HEAD and loses the last anchor.
    case lostAnchor
    /// A batch is acknowledged. A device that lies about syncs loses its write, and keeps HEAD, which claims it.
    case lostBatch
    /// The journal is closed, and the last anchor's place holds bytes other than those synced there.
    case garbledAnchor
    /// A batch is acknowledged, and its place holds bytes other than those synced there.
    case garbledBatch
    /// The power fails within a write; the next writer leaves the remains where they are and begins a segment.
    case cutWithinWriteAndReopened
    /// The power fails within a write.
    case cutWithinWrite
    /// Two batches are written and not synced, and only the second one reaches the device before the power fails.
    case writesOutOfOrder
  }

  /// A verdict without its details.
  enum Outcome: Hashable, Sendable {
    case clean, torn, unsyncedGap, damaged, tailLost, indexDamaged, ioError, unsupportedFormat

    /// What a reader does about it.
    var remedy: String {
      switch self {
      case .clean: "there is nothing to do"
      case .torn: "normal after a crash or a power cut; there is nothing to do"
      case .unsyncedGap: "keep a copy, then open the journal for writing to go on after the last whole batch"
      case .damaged, .tailLost: "restore the file from a copy"
      case .indexDamaged: "no event is lost by this; copy the journal to a sound device"
      case .ioError: "check the device and read again"
      case .unsupportedFormat: "read it with a newer program"
      }
    }
  }

  private static let anything = Set(RecoveryFacts.Hole.allCases)
  private static let something: Set<RecoveryFacts.Hole> = [.short, .zero, .garbage]

  static let table: [Row] = [
    Row(
      deviceFailed: true, formatSupported: nil, hole: anything, outcome: .ioError,
      reason: "the device failed to deliver the bytes, which says nothing about what they are",
      crash: .failedRead),
    Row(
      formatSupported: false, hole: anything, outcome: .unsupportedFormat,
      reason: "bytes in a format that this program does not know cannot be judged",
      crash: .newerWriter),
    Row(
      hole: [.none], provenDurable: false, outcome: .clean,
      reason: "everything verifies to the end, and nothing claims that there was more",
      crash: .cutBetweenBatches),
    Row(
      hole: [.none], historyContinues: true, provenDurable: true, outcome: .indexDamaged,
      reason: "bytes are missing that were durable, but the history goes on without a gap, so they held no event",
      crash: .lostAnchor),
    Row(
      hole: [.none], historyContinues: false, provenDurable: true, outcome: .tailLost,
      reason: "the data end on a frame boundary, and something proves that more of them were durable",
      crash: .lostBatch),
    Row(
      hole: something, historyContinues: true, provenDurable: true, outcome: .indexDamaged,
      reason: "durable bytes do not verify, but the history goes on without a gap, so they held no event",
      crash: .garbledAnchor),
    Row(
      hole: something, historyContinues: false, provenDurable: true, outcome: .damaged,
      reason: "bytes that were durable do not verify any more",
      crash: .garbledBatch),
    Row(
      hole: something, declaredEnd: true, provenDurable: false, outcome: .torn,
      reason: "a later writer found an unfinished write here and left it in place",
      crash: .cutWithinWriteAndReopened),
    Row(
      hole: something, declaredEnd: false, eventsAfter: false, provenDurable: false, outcome: .torn,
      reason: "the last write was not finished, and its events were never acknowledged",
      crash: .cutWithinWrite),
    Row(
      hole: something, declaredEnd: false, eventsAfter: true, provenDurable: false, outcome: .unsyncedGap,
      reason: "events after the hole verify, but nothing proves that the hole was ever durable",
      crash: .writesOutOfOrder),
  ]

  /// The row for these facts.
  static func row(for facts: RecoveryFacts) -> Row {
    // The last row's outcome is the most cautious one that is not damage; the table leaves no combination to it.
    table.first { $0.matches(facts) } ?? table[table.count - 1]
  }

  /// The verdict for these facts.
  static func verdict(for facts: RecoveryFacts, errorNumber: Int32 = 0) -> Verdict {
    switch row(for: facts).outcome {
    case .clean: .clean
    case .torn:
      switch facts.hole {
      case .short: .torn(.short)
      case .zero: .torn(.zero)
      case .none, .garbage: .torn(.garbage)
      }
    case .unsyncedGap: .unsyncedGap
    case .damaged: .damaged
    case .tailLost: .tailLost
    case .indexDamaged: .indexDamaged
    case .ioError: .ioError(errorNumber)
    case .unsupportedFormat: .unsupportedFormat
    }
  }
}
