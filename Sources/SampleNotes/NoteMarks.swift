import AppProtectionKit

/// What the app remembers of notes outside of their folders, where a program that can write there alone cannot change it.
///
/// A mark is a key of the key file that encrypts nothing. Unlike a file beside the notes, it cannot be made or removed without the
/// key in the keychain, and a container that is restored from a backup does not bring older marks back. An event of the journal would
/// not do: its checksums find damage, but who can plant a plain note beside it can also take the event out and make them right.
struct NoteMarks: Sendable {
  private let keys: any KeyStore
  /// Of this installation: the next one gives the accounts' numbers to others.
  private let scope: String

  init(_ keys: AccountKeys) { (self.keys, scope) = (keys.store, keys.scope) }

  /// Whether all notes of an account were encrypted, and new ones are as they are written.
  func areProtected(_ account: AccountNumber) throws(KeyStoreError) -> Bool { try isSet(name(account)) }

  /// Remembers that all notes of an account are encrypted. From then on, one that is not is no note of the app's.
  func setProtected(_ account: AccountNumber) throws(KeyStoreError) { try set(name(account)) }

  /// Forgets it: without a policy, notes are written that are not encrypted.
  func removeProtected(_ account: AccountNumber) throws(KeyStoreError) { try remove(name(account)) }

  /// Whether a note came in from another account that has no policy. It stays that account's, and is not encrypted.
  func isOthers(_ note: Note) throws(KeyStoreError) -> Bool { try isSet(name(note)) }

  func setOthers(_ note: Note) throws(KeyStoreError) { try set(name(note)) }

  func removeOthers(_ note: Note) throws(KeyStoreError) { try remove(name(note)) }

  private func name(_ account: AccountNumber) -> KeyName {
    KeyName(scope: "protected notes of \(scope)", account: account.description)
  }

  private func name(_ note: Note) -> KeyName {
    KeyName(scope: "others' notes of \(scope)", account: "\(Note.folder(of: note.account)) \(note.name)")
  }

  private func isSet(_ name: KeyName) throws(KeyStoreError) -> Bool {
    switch try keys.key(named: name) {
    case .key: true
    case .destroyed, nil: false
    }
  }

  private func set(_ name: KeyName) throws(KeyStoreError) {
    // Unlike a key that is made, also after it was removed.
    if try !isSet(name) { try keys.resetEpoch(of: name, to: 0, makesKey: true) }
    if try !isSet(name) { _ = try keys.makeKey(named: name, epoch: 0) }
  }

  private func remove(_ name: KeyName) throws(KeyStoreError) {
    if try isSet(name) { try keys.destroyKey(named: name, until: .max) }
  }
}
