import AppProtection
import AppProtectionKit
import EventSourcing
import FileProtection
import Synchronization
import Testing

@Suite("Files that are marked while a wipe is pending")
struct PendingWipeTests {
  private static let alice = ManagedFolder.alice
  private let folder: ManagedFolder

  /// Alice has no policy, so her files are marked.
  init() throws {
    folder = try ManagedFolder()
    try folder.send(.requestCheckIn(Self.alice))
    try folder.send(.answerCheckIn(Self.alice, .noPolicy))
  }

  private func follower() throws -> PolicyFollower {
    try PolicyFollower(
      at: folder.path + "/journal", spool: folder.path + "/spool", name: "share", keys: folder.keys, upTo: .written)
  }

  private var remover: ContainerFiles {
    ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
  }

  private func expectRefused(_ body: () throws -> Void) {
    let error = #expect(throws: DataProtectionError.self) { try body() }
    #expect(error?.code == .failedToEncryptData && error?.cause?.code == .wipePending)
    #expect(error?.description.contains("a wipe of the account is pending") == true)
  }

  @Test("Another process marks no file for an account whose wipe the app has begun, and its own error says so")
  func followed() throws {
    let follower = try follower()
    let files = FileProtectionManager(protector: folder.keys.protector) { follower.latestState() }
    let path = folder.write("minutes", to: "a")
    try files.write([1], to: folder.path("before"), for: Self.alice)
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    expectRefused { try files.protect(path, for: Self.alice) }
    expectRefused { try files.verifyAndProtect(path, for: Self.alice) }
    expectRefused { try files.write([1], to: folder.path("b"), for: Self.alice) }
    expectRefused { _ = try files.create(folder.path("c"), for: Self.alice) }
    #expect(folder.read("a") == "minutes" && folder.read("b") == nil && folder.read("c") == nil)
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 1))
    try folder.finishWipe()
    try files.write([1], to: folder.path("b"), for: Self.alice)
    #expect(try files.protectionInfo(folder.path("b"))?.isEncrypted == false)
  }

  /// How a marked file comes to be.
  enum Making: CaseIterable { case written, created, protected, received }

  @Test(
    "A file that is marked while a whole wipe runs beside it does not outlive the wipe",
    arguments: Making.allCases, [true, false])
  func overtaken(by making: Making, isOver: Bool) throws {
    let looks = Mutex(0)
    // Files are marked although no account has a policy.
    var settings = folder.store.state.settings.app
    settings.assumptions.protectionNeedsManagedApp = false
    try folder.send(.changeSettings(settings))
    let before = folder.store.state
    let incoming = folder.path + "/incoming"
    try folder.keys.protector.write([1], to: incoming, .marked(owner: "alice@contoso.com"))
    if making == .protected { folder.write("minutes", to: "a") }
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 0))
    if isOver { try folder.finishWipe() }
    // The first look is from before the wipe was ordered.
    let files = FileProtectionManager(protector: folder.keys.protector) { [state = folder.state] in
      looks.withLock { looks in
        looks += 1
        return looks == 1 ? before : state()
      }
    }
    let path = folder.path("a")
    expectRefused {
      switch making {
      case .written: try files.write([1], to: path, for: Self.alice)
      case .created: _ = try files.create(path, for: Self.alice)
      case .protected: try files.protect(path, for: Self.alice)
      case .received: _ = try files.receive(incoming, to: path, as: nil)
      }
    }
    #expect(folder.read("a") == nil && looks.withLock { $0 } >= 2)
    #expect(try folder.keys.protector.info(incoming).owner == "alice@contoso.com")
  }

  // MARK: Old copies of keys

  /// Keys of which an old copy stays wherever one is destroyed.
  private final class CopiedKeys: KeyStore {
    private let keys: any KeyStore
    private let copied = Mutex<Set<KeyName>>([])

    init(_ keys: any KeyStore) { self.keys = keys }

    func key(named name: KeyName) throws(KeyStoreError) -> KeyEntry? { try keys.key(named: name) }
    func key(_ id: KeyID) throws(KeyStoreError) -> KeyEntry? { try keys.key(id) }
    func keyIDs(named name: KeyName) throws(KeyStoreError) -> Set<KeyID> { try keys.keyIDs(named: name) }
    func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry {
      try keys.makeKey(named: name, epoch: epoch)
    }
    func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) throws(KeyStoreError) {
      try keys.resetEpoch(of: name, to: epoch, makesKey: makesKey)
    }
    func destroyKey(named name: KeyName, until epoch: UInt64?) throws(KeyStoreError) {
      try keys.destroyKey(named: name, until: epoch)
      guard copied.withLock({ $0.insert(name).inserted }) else { return }
      throw KeyStoreError(.copyRemains, "a copy remains", remedy: "Check the device")
    }
  }

  @Test(
    "An old copy of a key that may remain is reported once, also where the app removed the files",
    arguments: [true, false])
  func copyRemains(appRemoves: Bool) throws {
    let keys = AccountKeys(store: CopiedKeys(folder.keys.store), scope: folder.keys.scope)
    try folder.files.write([1], to: folder.path("a"), for: Self.alice)
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    let remover = ContainerFiles(in: folder.path("."), protector: keys.protector, state: folder.state)
    if appRemoves { #expect(!remover.destroyKeys(of: .first)) }
    let failure = "the account's key: a copy remains. Check the device."
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 1, failure: failure))
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 0) && remover.destroyKeys(of: .first))
  }

  @Test("A person of whose first key an old copy may remain is erased as a whole, and the error says so")
  func erasure() throws {
    let keys = AccountKeys(store: CopiedKeys(folder.keys.store), scope: folder.keys.scope)
    let names = [keys.scope, "journal of \(keys.scope)"].map { KeyName(scope: $0, account: "1") }
    for name in names { _ = try keys.store.makeKey(named: name, epoch: 0) }
    #expect(#expect(throws: KeyStoreError.self) { try keys.erase(.first) }?.code == .copyRemains)
    for name in names { #expect(try keys.store.key(named: name) == .destroyed) }
  }
}
