/// Holds the keys of one journal: one for each account, and one, under the number 0, for the idempotency keys and
/// fingerprints of commands.
///
/// Erasing a person means destroying the account's key: nothing is rewritten, and nothing can be opened any more.
///
/// Called on any thread, while the store decides a command; the calls must not lead back to the store. Two journals, such as
/// a fork and its parent, give the same number to different accounts, so they must not share a key store.
public protocol SealingKeys: Sendable {
  /// The key that opens what was sealed for an account; `nil` if there never was one or it was destroyed.
  func key(of account: UInt64) -> SealingKey?

  /// The key that seals for an account. Makes one for an account that never had one, and keeps it durably before it
  /// returns; `nil` if the account's key was destroyed.
  ///
  /// - Throws: ``SealingError`` if the keys cannot be read or written. The command is then refused.
  func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey?
}

/// Why a command's personal data cannot be sealed. Nothing is written then.
public struct SealingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public var message: String
  /// What to do about it.
  public var remedy: String

  /// Both are one sentence, `message` without a full stop.
  public init(_ message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }

  /// ``message`` followed by ``remedy``.
  public var description: String { "\(message). \(remedy)" }
}
