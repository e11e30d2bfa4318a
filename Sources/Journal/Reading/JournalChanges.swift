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
/// What changed between the last look and the wait ends the wait at once, so that nothing is missed. Where the system
/// tells nothing of changes, as on some network file systems, it looks again from time to time.
public final class JournalChanges: Sendable {
  /// How long to wait at most where the system tells of changes: it may not be told of those that another machine makes.
  static let longestWait: UInt64 = 1_000_000_000
  /// How long to wait where it does not.
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

  /// The same for a task, which is suspended meanwhile; a task that is cancelled stops it.
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

  /// Ends the waiting, for everybody and for good. May be called from any thread.
  public func stop() {
    hasStopped.store(true, ordering: .releasing)
    watch?.wake()
  }
}

extension JournalReader {
  /// Notices changes from this moment on: call it before looking at what is there.
  public func changes() -> JournalChanges { JournalChanges(directory) }
}
