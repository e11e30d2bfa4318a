import AppProtection
import EventSourcing
import EventSourcingKit
import FileProtection
import Journal

/// The keys of an app's accounts, for their files, their data, and what the journal seals about them.
///
/// ```swift
/// let keys = try AccountKeys(store: store, app: "com.contoso.notes", installation: path, create: isFirstLaunch)
/// var options = StoreOptions()
/// options.sealing = keys.sealing
/// let manager = FileProtectionManager(protector: keys.protector) { engine.state }
/// try keys.erase(.first)
/// ```
public struct AccountKeys: Sendable {
  /// Where the keys are.
  public let store: any KeyStore
  /// What tells these keys from all others in the store.
  public let scope: String
  private let randomBytes: @Sendable (Int) -> [UInt8]

  /// The keys of one installation of an app.
  ///
  /// A key store that apps share outlives an app that is removed. Installed again, the app begins another journal, which gives the
  /// numbers of the old one to other accounts: their keys must not be those of the old ones. A file beside the journal,
  /// with a random name for the installation, tells them apart, and goes with the app's container. It names no person.
  ///
  /// - Parameters:
  ///   - store: Where the keys are.
  ///   - app: The app, such as its bundle identifier. Apps that share a store have different ones.
  ///   - path: The file, in the app's container. The app and its extensions pass the same one.
  ///   - create: Whether to create it if it is missing. Pass `true` only where no journal exists yet: with another name, nothing
  ///     that was encrypted or sealed before can be read.
  ///   - fileSystem: The file system that holds it.
  ///   - randomBytes: The system's, outside of tests.
  /// - Throws: ``/FileProtection/KeyStoreError`` with the code `missing` or `damaged`, or if the file cannot be read or written.
  public init(
    store: any KeyStore, app: String, installation path: String, create: Bool,
    fileSystem: any FileSystem = PosixFileSystem(),
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = { SystemRandom.bytes($0) }
  ) throws(KeyStoreError) {
    let name = try InstallationName(at: path, create: create, fileSystem, randomBytes)
    self.init(store: store, scope: "\(app) \(name.text)", randomBytes: randomBytes)
  }

  /// Keys under a scope of the caller's choice.
  ///
  /// - Parameters:
  ///   - store: Where the keys are.
  ///   - scope: What tells these keys from all others. Two journals must not have the same scope in one store, one after the other
  ///     or at once, because they give the same number to different accounts.
  ///   - randomBytes: The system's, outside of tests.
  public init(
    store: any KeyStore, scope: String,
    randomBytes: @escaping @Sendable (Int) -> [UInt8] = { SystemRandom.bytes($0) }
  ) {
    self.store = store
    self.scope = scope
    self.randomBytes = randomBytes
  }

  /// Whether no account had a key yet, of its files or of what the journal seals about it: only then may a journal begin.
  ///
  /// Another journal gives the numbers of the first one to other people, who would get the keys of those before them. An app
  /// whose journal is gone while this is `false` says so, and begins none.
  public var areUnused: Bool {
    get throws(KeyStoreError) {
      let first = AccountNumber.first.rawValue
      guard try store.key(named: journal.name(of: UInt64(first))) == nil else { return false }
      return try store.key(named: KeyName(scope: scope, account: String(first))) == nil
    }
  }

  /// Protects files and data.
  public var protector: Protector { Protector(keys: store, scope: scope, randomBytes: randomBytes) }

  /// The keys of what the journal seals.
  private var journal: JournalKeys { JournalKeys(store: store, scope: scope) }

  /// Seals what the journal records about people.
  public var sealing: Sealing { Sealing(keys: journal, randomBytes: randomBytes) }

  /// Erases a person for good: destroys the key of the account's files and data, and then the key of what the journal sealed
  /// about it. Nothing is rewritten. May be repeated, as after a crash.
  ///
  /// ``PolicyEngine/erase(_:from:)`` does this and what belongs to it. On its own, it leaves the account's policy, its
  /// state and its unreadable files where they are until the next launch, and the store shows the person's texts until it
  /// is opened again.
  ///
  /// What names a person outside of the sealed fields stays in the journal and its exports: texts that an administrator wrote
  /// into a configuration or a policy instead of a `UserPlaceholder`, and the values and the device id that device management
  /// delivers, whose `IntuneMAMUPN` and `IntuneMAMOID` alone are sealed. The key store keeps codes of the person's names.
  ///
  /// - Throws: ``/FileProtection/KeyStoreError``. With the code `copyRemains`, both keys are destroyed all the same.
  public func erase(_ account: AccountNumber) throws(KeyStoreError) {
    var remaining: KeyStoreError?
    let number = account.rawValue
    for name in [KeyName(scope: scope, account: String(number)), journal.name(of: UInt64(number))] {
      do throws(KeyStoreError) { try store.destroyKey(named: name, until: nil) } catch {
        guard error.code == .copyRemains else { throw error }
        remaining = remaining ?? error
      }
    }
    if let remaining { throw remaining }
  }
}
