import Journal
import Synchronization

/// How far an app was notified of what the events of its journal cause, and the service of what was recorded of its
/// orders.
///
/// It is no part of the history: it says what was done about the history in one place, and a copy of a journal does not take
/// it along.
public struct DeliveryProgress: Equatable, Sendable {
  /// The journal.
  public var journal: JournalID
  /// The first event of which not every callback was made.
  public var nextEvent: UInt64
  /// Number of its callbacks that were made, the first ones.
  public var madeCallbacks: UInt32
  /// Up to this event, the service knows of every wipe that it ordered that it is recorded.
  public var acknowledgedWipes: UInt64

  /// A progress in one journal.
  public init(journal: JournalID, nextEvent: UInt64, madeCallbacks: UInt32 = 0, acknowledgedWipes: UInt64) {
    self.journal = journal
    self.nextEvent = nextEvent
    self.madeCallbacks = madeCallbacks
    self.acknowledgedWipes = acknowledgedWipes
  }
}

/// Keeps an engine's progress across processes. ``FileDeliveryLog`` is what engines use by default.
///
/// Called by one process at a time, the one that writes the journal.
public protocol DeliveryLog: Sendable {
  /// The progress last written; `nil` if there is none, or it cannot be read. An engine then counts everything that
  /// happened so far as delivered.
  func read() -> DeliveryProgress?
  /// Replaces the progress; after a crash, the old one or the new one is read. One that cannot be written is left out: the
  /// next one covers it, and a crash before that repeats callbacks.
  func write(_ progress: DeliveryProgress)
}

/// A progress in memory, which ends with the process: callbacks that it did not make are then lost.
public final class MemoryDeliveryLog: DeliveryLog {
  private let progress = Mutex<DeliveryProgress?>(nil)

  /// Nothing was delivered yet.
  public init() {}

  /// The progress last written.
  public func read() -> DeliveryProgress? { progress.withLock { $0 } }

  /// Replaces the progress.
  public func write(_ new: DeliveryProgress) { progress.withLock { $0 = new } }
}
