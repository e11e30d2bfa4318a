/// When an append is durable.
///
/// An append is acknowledged, that is, returns, once its policy is met. Under every policy, ``JournalWriter/sync()``,
/// rotation and ``JournalWriter/close()`` make everything durable that was appended before.
public enum SyncPolicy: Hashable, Sendable {
  /// Every append is durable when it returns. Appends that wait at the same time share one sync.
  case everyCommit
  /// Every append is durable when it returns. The first to sync waits this long for others to join, which pays when
  /// many threads append.
  case group(maximumDelayNanoseconds: UInt64)
  /// An append returns when it is written, and is durable after this much time at the latest: the first append after
  /// this much time since the last sync syncs, and if no append comes, the journal's own thread does. If that sync
  /// fails, the next append reports it. While the system provides no thread, only appends sync: what was written last
  /// may then wait longer, until the next append, ``JournalWriter/sync()`` or ``JournalWriter/close()``.
  case interval(nanoseconds: UInt64)
  /// An append returns when it is written, and never syncs.
  case none

  /// Whether an append returns only when it is durable.
  var delaysAppends: Bool {
    switch self {
    case .everyCommit, .group: true
    case .interval, .none: false
    }
  }
}

/// How a journal is written. Readers do not need it.
public struct JournalOptions: Hashable, Sendable {
  /// The size in bytes above which a segment takes no further batch: 1 KiB to 1 GiB; other values are clamped.
  public var segmentSizeLimit: UInt64 = 8 << 20
  /// When an append is durable.
  public var syncPolicy: SyncPolicy = .everyCommit
  /// Whether a new journal keeps the running SHA-256 of its history in anchors, footers and segment headers. Fixed when
  /// the journal is created; ignored when it is opened.
  public var historyDigest = true
  /// The number of bytes by which the file is extended ahead of the data, so that a sync need not write the file's
  /// length; zero turns this off, and at most 64 MiB are used. Where appends wait for syncs, part of it, as much as
  /// was appended before and at most 1 MiB, is filled with zeros, so that a sync need not write the bytes' location
  /// either. This takes room on the device until the segment is full or closed, or its device fails to sync it.
  public var preallocation: UInt64 = 256 << 10

  /// The domain of the events. A new journal keeps its name for ever, and begins each segment with the catalogue; another
  /// catalogue begins another segment. Opening a journal of another domain is refused; a journal that names none, as
  /// those of format 1.0, stays without one, and the caller decides whether its events fit.
  public var domain: JournalDomain?

  /// Whether the journal is marked as unfinished until ``JournalWriter/markFinished(at:fileSystem:)``: readers refuse it until
  /// then, and so do writers without this option. For commands, whose journal is whole only at their end.
  package var isUnfinished = false

  /// The defaults: 8 MiB segments, durable appends, history digest on, 256 KiB ahead.
  public init() {}

  /// The segment limit within its bounds.
  var boundedSegmentSize: UInt64 { min(max(segmentSizeLimit, 1 << 10), 1 << 30) }
  var boundedPreallocation: UInt64 { min(preallocation, 64 << 20) }
}

/// What to do when a journal that is opened for writing turns out to be damaged.
public enum DamagePolicy: Hashable, Sendable {
  /// Throw ``JournalError/Code/damaged`` and change nothing.
  case refuse
  /// Continue in a new segment after the last event that verifies; if the end is damaged, every durable event after the
  /// damage is given up. The damaged bytes stay, and the journal never verifies as sound again.
  case continueAfterVerifiedPrefix
}
