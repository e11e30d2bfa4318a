import AppProtection

/// Removes the files that belong to an account, when a selective wipe leaves them to the engine.
public protocol FileRemover: Sendable {
  /// Removes every file of the account and says how many there were.
  ///
  /// Called again, after a crash too, until nothing is left; a file that is gone already is no failure. Files of other
  /// accounts, and files of nobody, must stay.
  func removeFiles(of account: AccountNumber) -> FileRemoval
}

/// What came of removing an account's files.
public struct FileRemoval: Equatable, Sendable {
  /// How many files were removed.
  public var count: UInt64
  /// Why some are left, in the file system's words; `nil` when none are.
  public var failure: String?

  /// Creates a result.
  public init(count: UInt64, failure: String? = nil) {
    self.count = count
    self.failure = failure
  }
}
