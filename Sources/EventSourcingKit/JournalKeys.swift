import EventSourcing
import FileProtection

/// The keys of a journal's sealed values, kept in a key store.
///
/// ```swift
/// let keys = JournalKeys(store: keyFile, scope: "com.contoso.rooms")
/// var options = StoreOptions()
/// options.sealing = keys.sealing
/// let store = try EventStore<Rooms>.open(at: "rooms", create: true, options: options)
/// try keys.erase(17)
/// ```
///
/// Each account's key seals what its events carry in ``/EventSourcing/Personal`` properties. The journal records what
/// tells its keys from others, and does not open with those of another scope or store.
public struct JournalKeys: SealingKeys {
  /// Where the keys are.
  public let store: any KeyStore
  /// What tells these keys from all others in the store.
  public let scope: String

  /// - Parameters:
  ///   - store: Where the keys are, such as a ``/FileProtection/FileKeyStore``.
  ///   - scope: What tells these keys from all others. Two journals must not have the same scope in one store, one after the
  ///     other or at once, because they give the same number to different accounts.
  public init(store: any KeyStore, scope: String) {
    self.store = store
    self.scope = scope
  }

  /// Seals with these keys and the system's random numbers.
  public var sealing: Sealing { Sealing(keys: self, randomBytes: { SystemRandom.bytes($0) }) }

  /// Erases an account's person for good: what its events have sealed reads as erased everywhere, and nothing is rewritten. May be
  /// repeated, as after a crash. A store that is open shows what it has opened until it is opened again.
  ///
  /// - Throws: ``/FileProtection/KeyStoreError``. With the code `copyRemains` the key is destroyed all the same; with `refused`
  ///   nothing is: for account 0, whose number is the journal's own, which would not open without its key, and for an account for
  ///   which nothing was ever sealed, which is more likely a mistyped number.
  public func erase(_ account: UInt64) throws(KeyStoreError) {
    guard account > 0 else {
      throw KeyStoreError(
        .refused, "number 0 is the journal's own key, and no account's", remedy: "Number accounts from 1.")
    }
    let name = name(of: account)
    guard try store.key(named: name) != nil else {
      throw KeyStoreError(
        .refused, "number \(account) never had a key in \(scope): nothing was sealed for it",
        remedy: "Check the number.")
    }
    try store.destroyKey(named: name, until: nil)
  }

  /// The name of an account's key in the store.
  public func name(of account: UInt64) -> KeyName {
    KeyName(scope: "journal of \(scope)", account: String(account))
  }

  public func key(of account: UInt64) throws(SealingError) -> SealingKey? {
    try asking { () throws(KeyStoreError) in try store.key(named: name(of: account)) }
  }

  public func keyForSealing(_ account: UInt64) throws(SealingError) -> SealingKey? {
    try asking { () throws(KeyStoreError) in try store.makeKey(named: name(of: account), epoch: 0) }
  }

  private func asking(_ body: () throws(KeyStoreError) -> KeyEntry?) throws(SealingError) -> SealingKey? {
    let entry: KeyEntry?
    do throws(KeyStoreError) { entry = try body() } catch {
      throw SealingError(error.message, remedy: "\(error.remedy).")
    }
    switch entry {
    case nil, .destroyed?: return nil
    case .key(let key)?:
      // One key for one purpose: the account's own key never encrypts.
      guard let bytes = key.derived(purpose: "policyjournal sealed values"), let key = SealingKey(bytes: bytes) else {
        throw SealingError(
          "the library cannot derive a key", remedy: "Free memory, and check that libcrypto is complete.")
      }
      return key
    }
  }
}
