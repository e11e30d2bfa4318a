import Journal

/// The turn to retire events of a journal, or to store where a subscription to it begins: otherwise a program could remove the
/// events that another has just found to be the first ones, before it can see that these are needed.
///
/// A lock on a file that is there only meanwhile. A program that locks a removed file tries again.
final class RetirementTurn {
  static let fileName = "subscriptions.lock"
  /// How often the turn is tried, a millisecond apart. Those that have it store where a subscription begins, or remove segments
  /// and checkpoints, for which they wait until the store is between two commands, and read what the checkpoints hold. States are
  /// derived before, or the others would wait as long as that takes.
  private static let attempts = 5_000

  private let lock: FileLock

  /// Waits for the turn, and takes it.
  init(in folder: String, _ fileSystem: any FileSystem) throws(FileLock.Failure) {
    let key: String
    do throws(FileSystemError) {
      // No subscription has this name.
      key = "\(try fileSystem.identity(of: folder))/*"
    } catch {
      throw .system(error)
    }
    for _ in 1..<Self.attempts {
      do throws(FileLock.Failure) {
        lock = try FileLock("\(folder)/\(Self.fileName)", of: key, isRemovable: true, fileSystem)
        return
      } catch {
        guard case .held = error else { throw error }
        fileSystem.pause(nanoseconds: 1_000_000)
      }
    }
    lock = try FileLock("\(folder)/\(Self.fileName)", of: key, isRemovable: true, fileSystem)
  }

  /// Lets others have it. A file that stays does no harm.
  func end() { try? lock.removeFile() }
}
