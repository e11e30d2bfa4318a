import AppProtection
import Journal

/// How many files a wipe has removed, in a file that outlives the process: it has one byte for each.
///
/// The journal learns of them when the removal returns. A process that dies before that leaves the number to the next one.
struct WipeTally {
  private let path: String
  private let fileSystem = PosixFileSystem()

  private static let prefix = ".policyjournal-wipe-"
  /// More files than a container has.
  private static let maximumCount: UInt64 = 1 << 32

  /// - Parameter wipe: The event that ordered the wipe; 0 for none, which has no tally.
  init?(of account: AccountNumber, wipe: UInt64, in root: String) {
    guard wipe > 0 else { return nil }
    path = "\(root)/\(Self.prefix)\(account.rawValue)-\(wipe)"
  }

  var count: UInt64 {
    guard let file = try? fileSystem.open(path, .read) else { return 0 }
    defer { fileSystem.close(file) }
    return min((try? fileSystem.size(of: file)) ?? 0, Self.maximumCount)
  }

  /// Counts one more. What cannot be written, as on a full device, is not counted for the next process.
  func add() {
    guard let file = try? fileSystem.open(path, .createOrUpdate) else { return }
    defer { fileSystem.close(file) }
    guard let size = try? fileSystem.size(of: file), size < Self.maximumCount else { return }
    try? fileSystem.writeAll(file, [1], at: size)
  }

  /// Removes the tallies of wipes that are not under way.
  static func removeOld(in root: String, _ state: AppProtectionState) {
    let current = state.wipes.records.filter { $0.phase != .completed }.map {
      "\(prefix)\($0.account.rawValue)-\($0.requestedBy)"
    }
    for name in (try? PosixFileSystem().list(root)) ?? [] where name.hasPrefix(prefix) && !current.contains(name) {
      try? PosixFileSystem().remove("\(root)/\(name)")
    }
  }
}
