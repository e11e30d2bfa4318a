import FileProtection
import JournalSimulation
import ProcessTesting

/// A process that makes keys and destroys them until it is killed. It says what it begins and what is done.
struct Worker {
  private let store: FileKeyStore
  private let name: String
  private var generator: SeededGenerator
  /// Accounts whose keys it made and has not destroyed.
  private var living: [Int] = []
  private var next: Int

  /// - Parameter next: The number of its first account: every account has one key in its life.
  init(in folder: String, _ name: String, seed: UInt64, next: Int) throws(KeyStoreError) {
    store = try Self.open(folder, create: false)
    self.name = name
    self.next = next
    generator = SeededGenerator(seed: seed)
  }

  static func open(_ folder: String, create: Bool) throws(KeyStoreError) -> FileKeyStore {
    try FileKeyStore(
      at: "\(folder)/keys", create: create, wrappingKeys: Keychain(in: "\(folder)/keychain"),
      randomBytes: { randomBytes($0) })
  }

  static func keyName(_ worker: String, _ account: Int) -> KeyName { KeyName(scope: worker, account: "\(account)") }

  mutating func run() throws(KeyStoreError) {
    while true {
      if living.count > 3 || (!living.isEmpty && generator.oneIn(2)) {
        let account = living.remove(at: generator.below(living.count))
        Platform.tell("destroying \(account)")
        try store.destroyKey(named: Self.keyName(name, account), until: nil)
        Platform.tell("destroyed \(account)")
      } else {
        Platform.tell("making \(next)")
        guard case .key(let key) = try store.makeKey(named: Self.keyName(name, next), epoch: 0), let id = key.id else {
          Platform.tell("failure no key was made for \(next)")
          return
        }
        Platform.tell("made \(next) \(id)")
        living.append(next)
        next += 1
      }
    }
  }
}
