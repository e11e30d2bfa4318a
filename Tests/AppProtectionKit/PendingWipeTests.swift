import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import FileProtection
import Journal
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

  private func follower(_ files: any FileSystem = PosixFileSystem()) throws -> PolicyFollower {
    try PolicyFollower(
      at: folder.path + "/journal", spool: folder.path + "/spool", name: "share", keys: folder.keys, fileSystem: files)
  }

  private var remover: ContainerFiles {
    ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
  }

  private func expectRefused(_ cause: ProtectionError.Code = .wipePending, _ body: () throws -> Void) {
    let error = #expect(throws: DataProtectionError.self) { try body() }
    #expect(error?.code == .failedToEncryptData && error?.cause?.code == cause)
    let reason =
      cause == .wipePending ? "a wipe of the account is pending" : "the state of the accounts cannot be read now"
    expectEqual(error?.description.contains(reason), true)
  }

  @Test("Another process marks no file for an account whose wipe the app has begun, and its own error says so")
  func followed() throws {
    let follower = try follower()
    let files = FileProtectionManager(protector: folder.keys.protector) { try follower.latestState() }
    let path = folder.write("minutes", to: "a")
    try files.write([1], to: folder.path("before"), for: Self.alice)
    try folder.send(.requestWipe(Self.alice, .appRequest, .app))
    expectRefused { try files.protect(path, for: Self.alice) }
    expectRefused { try files.verifyAndProtect(path, for: Self.alice) }
    expectRefused { try files.write([1], to: folder.path("b"), for: Self.alice) }
    expectRefused { _ = try files.create(folder.path("c"), for: Self.alice) }
    #expect(folder.read("a") == "minutes" && folder.read("b") == nil && folder.read("c") == nil)
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1))
    try folder.finishWipe()
    try files.write([1], to: folder.path("b"), for: Self.alice)
    try expectEqual(files.protectionInfo(folder.path("b"))?.isEncrypted, false)
  }

  @Test("What the app has written is read at once, also where it is not durable yet, and decisions go by what is")
  func written() throws {
    let follower = try follower()
    let durable = follower.states.lastSequence
    for _ in 0..<2 {
      try folder.send(.requestCheckIn(Self.alice))
      try folder.send(.answerCheckIn(Self.alice, .noPolicy))
      try expectEqual(follower.latestState(), folder.store.state)
    }
    expectEqual(follower.states.lastSequence, durable)
  }

  /// A file system that can be locked, as on a device whose user is away.
  private final class LockedFileSystem: ForwardingFileSystem {
    let base: any FileSystem = PosixFileSystem()
    let isLocked = Mutex(false)

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      try check()
      return try base.open(path, mode)
    }
    func read(
      _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
      try check()
      return try base.read(file, into: buffer, at: offset)
    }
    func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
      try check()
      return try base.size(of: file)
    }
    func list(_ path: String) throws(FileSystemError) -> [String] {
      try check()
      return try base.list(path)
    }
    private func check() throws(FileSystemError) {
      if isLocked.withLock({ $0 }) { throw FileSystemError(13, during: "open") }
    }
  }

  @Test("While the journal cannot be read, nothing is protected or read by an old state, and the error says so")
  func lockedJournal() throws {
    let disk = LockedFileSystem()
    let follower = try follower(disk)
    let (protector, path) = (folder.keys.protector, folder.write("minutes", to: "a"))
    let files = FileProtectionManager(protector: protector) { try follower.latestState() }
    let data = DataProtectionManager(protector: protector) { try follower.latestState() }
    for isFirst in [true, false] {
      disk.isLocked.withLock { $0 = true }
      #expect(throws: EngineError.self) { try follower.latestState() }
      expectRefused(.stateUnavailable) { try files.protect(path, for: Self.alice) }
      expectRefused(.stateUnavailable) { try files.verifyAndProtect(path, for: Self.alice) }
      expectRefused(.stateUnavailable) { try files.encryptFile(path, for: Self.alice) }
      expectRefused(.stateUnavailable) { try files.write([1], to: folder.path("b"), for: Self.alice) }
      expectRefused(.stateUnavailable) { _ = try files.create(folder.path("c"), for: Self.alice) }
      expectRefused(.stateUnavailable) { _ = try data.protect([1], for: Self.alice) }
      let error = #expect(throws: DataProtectionError.self) { try files.contents(of: path) }
      #expect(error?.code == .failedToDecryptData && error?.cause?.code == .stateUnavailable)
      #expect(folder.read("a") == "minutes" && folder.read("b") == nil && folder.read("c") == nil)
      disk.isLocked.withLock { $0 = false }
      if isFirst { try expectEqual(follower.latestState(), folder.store.state) }
    }
  }

  @Test("An extension does not go by a journal that took the place of its own")
  func replacedJournal() throws {
    let (follower, other) = (try follower(), try ManagedFolder())
    let disk = PosixFileSystem()
    try disk.rename(folder.path + "/journal", to: folder.path + "/old")
    try disk.rename(other.path + "/journal", to: folder.path + "/journal")
    let error = #expect(throws: EngineError.self) { try follower.latestState() }
    expectEqual(error?.description.contains("the journal was replaced"), true)
  }

  /// Counts the looks at a state.
  private final class Looks: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func begin() { number.withLock { $0 = 0 } }
    func next() -> Int {
      number.withLock { number in
        number += 1
        return number
      }
    }
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
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 0))
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
    try expectEqual(folder.keys.protector.info(incoming).owner, "alice@contoso.com")
  }

  @Test(
    "A file that is marked while the state becomes unreadable is not left marked, and the only copy is as it was",
    arguments: Making.allCases)
  func unknown(_ making: Making) throws {
    var settings = folder.store.state.settings.app
    settings.assumptions.protectionNeedsManagedApp = false
    try folder.send(.changeSettings(settings))
    let looks = Looks()
    struct Locked: Error {}
    // Only the first look succeeds.
    let state = folder.store.state
    let files = FileProtectionManager(protector: folder.keys.protector) {
      if looks.next() > 1 { throw Locked() }
      return state
    }
    let (protector, path) = (folder.keys.protector, folder.path("a"))
    func again(_ body: () throws -> Void) {
      looks.begin()
      expectRefused(.stateUnavailable, body)
      expectEqual(looks.count, 2)
    }
    switch making {
    case .written: again { try files.write([1], to: path, for: Self.alice) }
    case .created: again { _ = try files.create(path, for: Self.alice) }
    case .received:
      // Bob is no account of the app's, and whoever has it keeps him as the owner.
      let incoming = folder.path + "/incoming"
      try protector.write([1], to: incoming, .marked(owner: "bob@fabrikam.com"))
      again { _ = try files.receive(incoming, to: path, as: nil) }
    case .protected:
      for before in [nil, .marked(owner: "bob@fabrikam.com")] as [Protection?] {
        try protector.write(Array("minutes".utf8), to: path, before)
        let info = try? protector.info(path)
        again { try files.protect(path, for: Self.alice) }
        #expect((try? protector.info(path)) == info)
        try expectEqual(protector.contents(of: path), Array("minutes".utf8))
      }
      try protector.removeMarked(path)
    }
    #expect(folder.read("a") == nil)
  }

  @Test("A file that is encrypted while the state becomes unreadable stays encrypted, and the call fails")
  func unknownEncryption() throws {
    let managed = try ManagedFolder()
    let (path, looks, state) = (managed.write("minutes", to: "a"), Looks(), managed.store.state)
    struct Locked: Error {}
    let files = FileProtectionManager(protector: managed.keys.protector) {
      if looks.next() > 1 { throw Locked() }
      return state
    }
    expectRefused(.stateUnavailable) { try files.protect(path, for: Self.alice) }
    #expect(looks.count == 2 && managed.read("a")?.contains("minutes") == false)
    #expect(try managed.files.contents(of: path) == Array("minutes".utf8) && managed.files.isFileEncrypted(path))
  }

  @Test(
    "A file that is decrypted for an account without a policy while the state becomes unreadable is encrypted again",
    arguments: [false, true])
  func unknownDecryption(isWiped: Bool) throws {
    let managed = try ManagedFolder()
    let (keys, path, looks) = (managed.keys, managed.path("a"), Looks())
    struct Locked: Error {}
    try managed.files.write([1], to: path, for: Self.alice)
    let info = try managed.files.protectionInfo(path)
    let state = managed.store.state
    let files = FileProtectionManager(protector: keys.protector) {
      guard looks.next() > 1 else { return state }
      if isWiped { try keys.store.destroyKey(named: KeyName(scope: keys.scope, account: "1"), until: 100) }
      throw Locked()
    }
    expectRefused(.stateUnavailable) { try files.protect(path, for: ManagedFolder.eve) }
    expectEqual(looks.count, 2)
    // A wipe would have removed the file.
    if isWiped { return #expect(managed.read("a") == nil) }
    #expect(try managed.files.protectionInfo(path) == info && managed.files.contents(of: path) == [1])
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
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 1, failure: failure))
    #expect(remover.removeFiles(of: .first) == FileRemoval(count: 0, earlier: 1) && remover.destroyKeys(of: .first))
  }

  @Test("An old copy of another person's key that may remain keeps no account from a key of its own, and is reported")
  func foreignKeyRemains() throws {
    let keys = AccountKeys(store: CopiedKeys(folder.keys.store), scope: folder.keys.scope)
    let name = KeyName(scope: keys.scope, account: "1")
    _ = try keys.store.makeKey(named: name, epoch: 0)
    // The journal is that of the time before Alice: Eve gets her number.
    let other = try ManagedFolder.state(after: [.startProcess(ProcessStart()), .registerAndEnroll(ManagedFolder.eve)])
    let remover = ContainerFiles(in: folder.path("."), protector: keys.protector, state: { other })
    remover.alignKeys(of: .first, enrolls: true)
    let entry = try keys.store.key(named: name)
    #expect(entry != nil && entry != .destroyed)
    // Her names are remembered from then on, so that the key stays hers.
    remover.alignKeys(of: .first, enrolls: true)
    try expectEqual(keys.store.key(named: name), entry)
    expectEqual(remover.removeFiles(of: .first).failure, "the account's key: a copy remains. Check the device.")
  }

  @Test("A person of whose first key an old copy may remain is erased as a whole, and the error says so")
  func erasure() throws {
    let keys = AccountKeys(store: CopiedKeys(folder.keys.store), scope: folder.keys.scope)
    let names = [keys.scope, "journal of \(keys.scope)"].map { KeyName(scope: $0, account: "1") }
    for name in names { _ = try keys.store.makeKey(named: name, epoch: 0) }
    expectEqual(#expect(throws: KeyStoreError.self) { try keys.erase(.first) }?.code, .copyRemains)
    for name in names { try expectEqual(keys.store.key(named: name), .destroyed) }
  }
}
