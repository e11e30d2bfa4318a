import AppProtection

/// Removes an account's files when a selective wipe leaves them to the engine.
public protocol FileRemover: Sendable {
  /// Removes every file of the account and returns how many there were. The result also says how many earlier calls removed for the
  /// same wipe, if the remover knows: a process may have died before the journal learned of them.
  ///
  /// Called repeatedly, even after a crash, until no file is left; a missing file is not a failure. Files of other
  /// accounts and files without an owner must stay.
  func removeFiles(of account: AccountNumber) async -> FileRemoval

  /// Makes copies and backups of the account's files unreadable, after the app removed the files itself.
  ///
  /// May be called again after a crash.
  ///
  /// - Returns: Whether that is done, durably. If not, ``removeFiles(of:)`` is called.
  func destroyKeys(of account: AccountNumber) async -> Bool

  /// Brings the account's keys in line with the journal, which a restored backup or a repair may have set back after a wipe
  /// that the keys remember. Called for each registered account at launch, and before each of its enrollments.
  ///
  /// - Parameter enrolls: Whether the account enrolls: only then may one whose keys were destroyed have a key again.
  func alignKeys(of account: AccountNumber, enrolls: Bool) async
}

extension FileRemover {
  /// There are no keys.
  public func destroyKeys(of account: AccountNumber) async -> Bool { true }
  /// There are no keys.
  public func alignKeys(of account: AccountNumber, enrolls: Bool) async {}
}

/// The outcome of removing an account's files.
public struct FileRemoval: Equatable, Sendable {
  /// Number of files removed.
  public var count: UInt64
  /// Number of files that earlier calls removed for the same wipe, also those of processes that died; 0 if that is unknown.
  public var earlier: UInt64
  /// Why some files remain, in the file system's words; `nil` if none remain.
  public var failure: String?

  /// Omit `failure` if no file remains.
  public init(count: UInt64, failure: String? = nil, earlier: UInt64 = 0) {
    self.count = count
    self.failure = failure
    self.earlier = earlier
  }

  /// How many files were removed that the journal does not know of, if it knows of so many.
  func count(unknownTo recorded: UInt64) -> UInt64 {
    let (sum, overflow) = earlier.addingReportingOverflow(count)
    let total = overflow ? .max : sum
    return max(count, total - min(recorded, total))
  }
}
