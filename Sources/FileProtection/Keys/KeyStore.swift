/// Keeps a key for each account, and destroys it.
///
/// ``FileKeyStore`` keeps them in a file, each wrapped by a key that the app supplies. Apps whose keys stand in a keychain or in
/// hardware write another one. Called on any thread.
public protocol KeyStore: Sendable {
  /// The key with a name: the one in use if one is, otherwise ``KeyEntry/destroyed``; `nil` if the name never had one.
  ///
  /// - Throws: ``KeyStoreError`` if the keys cannot be read now. Nothing counts as destroyed then.
  func key(named name: KeyName) throws(KeyStoreError) -> KeyEntry?

  /// The key with an id; `nil` if it was never in this store.
  func key(_ id: KeyID) throws(KeyStoreError) -> KeyEntry?

  /// The key with a name, made if there is none, and durable in either case before it is returned.
  ///
  /// - Parameter epoch: The epoch of the name that the caller knows of; see ``KeyAccount/epoch``. A key of an earlier one is
  ///   destroyed, and another one made.
  /// - Returns: ``KeyEntry/destroyed`` if the epoch is over, or if the name has no key for good.
  func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry

  /// Destroys the key with a name, durably before it returns. A name that never had one counts as destroyed afterwards.
  /// Repeating it is harmless.
  ///
  /// - Parameter epoch: The epoch that begins: a key of this one or of a later one stays, and callers who know only of an
  ///   earlier one get no key any more. `nil` destroys every key of the name for good.
  /// - Throws: ``KeyStoreError``. With the code ``KeyStoreError/Code/copyRemains`` the key is destroyed all the same.
  func destroyKey(named name: KeyName, until epoch: UInt64?) throws(KeyStoreError)

  /// Counts the name's epochs again from this one, where the store knows of a later one: the caller's own count was set back, as
  /// by a backup that is older than a wipe. A caller that is merely late must not do this, because keys of the epochs that it
  /// missed become keys of this one: only the process that orders wipes may.
  ///
  /// A key in use stays in use. Destroyed keys stay destroyed, and a name that has no key for good gets none.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the name that the caller knows of.
  ///   - makesKey: Whether a name without a key in use gets one, as when its account enrolls again.
  func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) throws(KeyStoreError)

  /// The ids of all keys that a name ever had: of the one in use and of those destroyed.
  func keyIDs(named name: KeyName) throws(KeyStoreError) -> Set<KeyID>
}

/// What a key store has for a name or an id.
public enum KeyEntry: Equatable, Sendable {
  /// The key in use.
  case key(SecretKey)
  /// The key existed, and was destroyed.
  case destroyed
}

/// The name of a key: what it is for, and the account whose it is.
///
/// Each app encrypts its files with keys of its own scope, so that a selective wipe of one app leaves the account's files in
/// the others. Apps that share a key store read each other's files all the same, because a file names its key by its id.
public struct KeyName: Hashable, Sendable {
  /// What the key is for, such as the files of one app or the sealed values of one journal.
  public var scope: String
  /// The account, as the scope names it.
  public var account: String

  /// The key of an account for a scope. Texts are compared byte by byte.
  public init(scope: String, account: String) {
    self.scope = scope
    self.account = account
  }
}
