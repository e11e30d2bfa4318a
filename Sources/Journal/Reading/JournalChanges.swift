import Synchronization

/// Waits until a journal may have grown, whether this process or another one writes it.
///
/// ```swift
/// let changes = reader.changes()
/// var cursor = try reader.cursor()
/// repeat {
///   while let item = try cursor.next() { print(item) }
/// } while changes.wait()
/// ```
///
/// A change between the last look and the wait ends the wait at once, so that no change is missed. Where the system
/// does not report changes, as on some network file systems, it looks again from time to time.
public final class JournalChanges: Sendable {
  /// The longest wait where the system reports changes: it may not report those that another machine makes.
  static let longestWait: UInt64 = 1_000_000_000
  /// The longest wait where it does not.
  static let pollingInterval: UInt64 = 10_000_000

  private let fileSystem: any FileSystem
  private let watch: (any DirectoryWatch)?
  private let hasStopped = Atomic(false)
  private let background: BackgroundThread

  init(_ directory: JournalDirectory) {
    fileSystem = directory.fileSystem
    watch = directory.fileSystem.watch(directory.path)
    background = BackgroundThread(directory.fileSystem)
  }

  /// Whether ``stop()`` was called.
  public var isStopped: Bool { hasStopped.load(ordering: .acquiring) }

  deinit {
    background.stop()
  }

  /// Returns `true` when it is time to look again, and `false` once ``stop()`` was called.
  public func wait() -> Bool {
    if isStopped { return false }
    if let watch {
      watch.wait(nanoseconds: Self.longestWait)
    } else {
      fileSystem.pause(nanoseconds: Self.pollingInterval)
    }
    return !isStopped
  }

  /// Does the same for a task, which is suspended meanwhile; cancelling the task stops it.
  public func change() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = background.schedule { continuation.resume(returning: self.wait()) }
        if !isWaiting { continuation.resume(returning: wait()) }
      }
    } onCancel: {
      stop()
    }
  }

  /// Ends all waiting, for good. May be called from any thread.
  public func stop() {
    hasStopped.store(true, ordering: .releasing)
    watch?.wake()
  }
}

extension JournalReader {
  /// Notices changes from this moment on: call it before looking at the journal.
  public func changes() -> JournalChanges { JournalChanges(directory) }
}

/// Knows, without listing them, whether the names in a journal's directory may have changed since the last listing.
///
/// It assumes a change after ``JournalChanges/longestWait`` in any case: a network file system may report a change
/// late.
struct NamesWatch {
  /// The stamp taken just before the last listing.
  private var listed: (stamp: UInt64, time: UInt64)?

  /// Lists the names if they may have changed, and records the listing; `nil` when no listing is needed. A listing
  /// that throws does not count.
  mutating func listing<Names>(
    at directory: JournalDirectory, _ list: () throws(JournalError) -> Names
  ) throws(JournalError) -> Names? {
    guard let stamp = directory.fileSystem.stampOfNames(in: directory.path) else {
      let names = try list()
      listed = nil
      return names
    }
    // The next call must find what changes during the listing.
    let time = directory.fileSystem.monotonicNanoseconds
    if let listed, listed.stamp == stamp, time &- listed.time < JournalChanges.longestWait { return nil }
    let names = try list()
    listed = (stamp, time)
    return names
  }
}
