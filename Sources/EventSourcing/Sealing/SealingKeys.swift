/// Holds the keys of one journal: one for each account, and one, under the number 0, for the idempotency keys and
/// fingerprints of commands. What processes hand over is sealed under a key that is derived from the latter.
///
/// Erasing a person means destroying the account's key: nothing is rewritten, and nothing can be opened any more.
///
/// Called on any thread, while the store decides a command; the calls must not lead back to the store. Two journals give the
/// same number to different accounts, so they must not share a key store. A fork begins with a copy of its parent's keys as
/// they were at the fork; afterwards each has its own.
public protocol SealingKeys: Sendable {
  /// The key that opens what was sealed for an account; `nil` only if there never was one or it was destroyed, because the
  /// person is then erased to every rule.
  ///
  /// - Throws: ``SealingError`` if the keys cannot be read now, as on a locked device. Nothing is opened then.
  func key(of account: UInt64) throws(SealingError) -> SealingKey?

  /// The key that seals for an account. Makes one for an account that never had one, and keeps it durably before it
  /// returns; `nil` if the account's key was destroyed.
  ///
  /// - Throws: ``SealingError`` if the keys cannot be read or written. The command is then refused.
  func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey?
}

/// Why personal data cannot be sealed or opened now. Nothing is written then, and nothing counts as erased.
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

  /// A store has no keys for a sealed journal: a rule would take every person for erased, and a repeated command for a new
  /// one.
  @usableFromInline static let withoutKeys = SealingError(
    "the journal is sealed, and the store has no keys for it",
    remedy: "Open the store with its keys, in StoreOptions.sealing; a History reads it without them.")

  /// The key store has no key number 0, and the journal says that it had one.
  static let lostKeys = SealingError(
    "the journal is sealed, and the key store has no key number 0, which the journal was written with",
    remedy: "Name the key store of this journal, or bring it back from a backup; a History reads it without them.")

  /// The key store's key number 0 is another one than that of the journal.
  static let otherKeys = SealingError(
    "the journal is sealed, and the key store is that of another journal",
    remedy: "Name the key store of this journal, or bring it back from a backup; a History reads it without them.")

  static let withoutRandomness = SealingError(
    "the source of randomness returned another number of bytes than asked for", remedy: "Use the system's.")

  /// An event has personal data and names no account: it would be written plainly.
  static let withoutAccount = SealingError(
    "an event with personal data names no account whose key would seal it",
    remedy: "Return the account in the event's sealingAccount.")

  /// ``message`` followed by ``remedy``.
  public var description: String { "\(message). \(remedy)" }
}
