import Expectations
import Journal
import JournalSimulation
import Synchronization
import Testing

@testable import FileProtection

/// A destroyed key takes the wrapping key with it, and no crash on the way loses another one.
@Suite("A wrapping key that changes")
struct WrappingKeyTests {
  private static let alice = KeyName(scope: "notes", account: "1")
  private static let bob = KeyName(scope: "notes", account: "2")

  private static func open(
    _ fileSystem: any FileSystem, _ keychain: any WrappingKeyStore, seed: UInt64 = 1, create: Bool = false
  ) throws -> FileKeyStore {
    let random = SeededBytes(seed: seed)
    return try FileKeyStore(
      at: "keys", create: create, wrappingKeys: keychain, randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  /// A key file with the keys of Alice and Bob.
  private struct Sample {
    let fileSystem = RecordingFileSystem()
    let keychain: TestWrappingKeys
    let store: FileKeyStore
    let alice: KeyEntry
    let bob: KeyEntry

    init() throws {
      keychain = TestWrappingKeys(fileSystem)
      store = try WrappingKeyTests.open(fileSystem, keychain, create: true)
      alice = try store.makeKey(named: WrappingKeyTests.alice, epoch: 0)
      bob = try store.makeKey(named: WrappingKeyTests.bob, epoch: 0)
    }
  }

  /// Checks what a process finds that starts now, and that it can end what was begun: the old file opens no more.
  private func check(
    _ fileSystem: RecordingFileSystem, _ keychain: TestWrappingKeys, _ sample: Sample, old: [UInt8],
    allowed: [KeyEntry], _ place: String
  ) throws {
    let next = try Self.open(fileSystem, keychain, seed: 9)
    let found = try next.key(named: Self.alice)
    expectEqual(found.map { allowed.contains($0) }, true, "\(place)")
    try expectEqual(next.key(named: Self.bob), sample.bob, "\(place)")
    try next.destroyKey(named: Self.alice, until: nil)
    let last = try Self.open(fileSystem, keychain, seed: 10)
    try expectEqual(last.key(named: Self.alice), .destroyed, "\(place)")
    try expectEqual(last.key(named: Self.bob), sample.bob, "\(place)")
    expectEqual(keychain.keys.count, 1, "\(place)")
    expectEqual(openingError(old, keychain.keys), .damaged, "\(place)")
  }

  /// Why a copy of a key file does not open with these keys; `nil` if it does.
  private func openingError(_ bytes: [UInt8], _ keys: [SecretKey]) -> KeyStoreError.Code? {
    do throws(KeyStoreError) {
      _ = try KeyTable.read(bytes, of: "keys", keys)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("Once a key is destroyed, no copy of the file from before opens, whatever key the copy has")
  func oldCopies() throws {
    let sample = try Sample()
    let before = try #require(sample.fileSystem.image.files["keys"])
    #expect(openingError(before, sample.keychain.keys) == nil)
    try sample.store.destroyKey(named: Self.alice, until: 5)
    expectEqual(openingError(before, sample.keychain.keys), .damaged)
    // A key that a later epoch replaces is destroyed as well.
    let second = try sample.store.makeKey(named: Self.alice, epoch: 5)
    let between = try #require(sample.fileSystem.image.files["keys"])
    #expect(openingError(between, sample.keychain.keys) == nil)
    #expect(try sample.store.makeKey(named: Self.alice, epoch: 6) != second)
    expectEqual(openingError(between, sample.keychain.keys), .damaged)
    // Where nothing is destroyed, nothing changes.
    let count = sample.keychain.callCount
    try sample.store.destroyKey(named: KeyName(scope: "notes", account: "3"), until: 5)
    try sample.store.destroyKey(named: Self.alice, until: 6)
    #expect(sample.keychain.callCount == count && count == 4)
    try expectEqual(sample.store.key(named: Self.bob), sample.bob)
  }

  @Test("With one wrapping key that stays, a copy from before opens, as the page says")
  func constantKey() throws {
    let fileSystem = RecordingFileSystem()
    let key = try #require(SecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    let random = SeededBytes(seed: 1)
    let store = try FileKeyStore(
      at: "keys", create: true, wrappingKey: { key }, randomBytes: { random($0) }, fileSystem: fileSystem)
    _ = try store.makeKey(named: Self.alice, epoch: 0)
    let before = try #require(fileSystem.image.files["keys"])
    try store.destroyKey(named: Self.alice, until: nil)
    #expect(openingError(before, [key]) == nil)
  }

  @Test("A power cut after any call of the file system or the keychain loses no key, and the change can be ended")
  func powerCuts() throws {
    let sample = try Sample()
    let old = try #require(sample.fileSystem.image.files["keys"])
    let first = sample.fileSystem.position
    try sample.store.destroyKey(named: Self.alice, until: nil)
    let last = sample.fileSystem.position
    var count = 0
    try PowerCuts.forEach(of: sample.fileSystem.operations, from: first) { state in
      for keys in sample.keychain.keys(at: state.position) {
        // After the second key was deleted, the file is durable: nothing older can be there.
        count += 1
        let fileSystem = RecordingFileSystem(state.image)
        try check(
          fileSystem, TestWrappingKeys(fileSystem, keys), sample, old: old,
          allowed: state.position >= last ? [.destroyed] : [sample.alice, .destroyed],
          "cut after operation \(state.position), \(keys.count) keys, \(state.fates)")
      }
    }
    #expect(count > 50)
  }

  @Test("A process that dies at any call of the file system leaves what the next one opens, and ends")
  func deaths() throws {
    for call in 1... {
      let sample = try Sample()
      let old = try #require(sample.fileSystem.image.files["keys"])
      sample.fileSystem.setPlan(FaultPlan(at: sample.fileSystem.calls.count + call, .death))
      try? sample.store.destroyKey(named: Self.alice, until: nil)
      if !sample.fileSystem.isDead { break }
      let death = sample.fileSystem.position
      sample.fileSystem.revive()
      try check(
        sample.fileSystem, sample.keychain, sample, old: old, allowed: [sample.alice, .destroyed],
        "death at call \(call)")
      // The power may fail while the next process ends the change, too.
      try PowerCuts.forEach(of: sample.fileSystem.operations, from: death, share: 7, randomCount: 4) { state in
        for keys in sample.keychain.keys(at: state.position) {
          let fileSystem = RecordingFileSystem(state.image)
          try check(
            fileSystem, TestWrappingKeys(fileSystem, keys), sample, old: old, allowed: [sample.alice, .destroyed],
            "death at call \(call), cut after operation \(state.position), \(state.fates)")
        }
      }
    }
  }

  @Test("A process that dies before or after any call of the keychain leaves what the next one opens, and ends")
  func deathsAtKeychain() throws {
    for call in 1...2 {
      for isAfter in [false, true] {
        let sample = try Sample()
        let old = try #require(sample.fileSystem.image.files["keys"])
        sample.keychain.plan(atCall: call, isAfter: isAfter, .death)
        #expect(throws: KeyStoreError.self) { try sample.store.destroyKey(named: Self.alice, until: nil) }
        sample.fileSystem.revive()
        // A process that destroys nothing works in this state, too.
        let other = try Self.open(sample.fileSystem, sample.keychain, seed: 3)
        let carol = KeyName(scope: "notes", account: "3")
        let made = try other.makeKey(named: carol, epoch: 0)
        try check(
          sample.fileSystem, sample.keychain, sample, old: old,
          allowed: call == 1 ? [sample.alice] : [.destroyed], "call \(call) of the keychain, after: \(isAfter)")
        try expectEqual(sample.store.key(named: carol), made)
      }
    }
  }

  @Test("A call that fails once leaves what can be repeated, and an error says what is certain")
  func failures() throws {
    for call in 1... {
      let sample = try Sample()
      let old = try #require(sample.fileSystem.image.files["keys"])
      let before = sample.fileSystem.calls.count
      sample.fileSystem.setPlan(FaultPlan(at: before + call, .error(5)))
      let isDone = (try? sample.store.destroyKey(named: Self.alice, until: nil)) != nil
      if sample.fileSystem.calls.count < before + call { break }
      sample.fileSystem.setPlan(nil)
      if isDone { expectEqual(openingError(old, sample.keychain.keys), .damaged, "call \(call)") }
      try sample.store.destroyKey(named: Self.alice, until: nil)
      expectEqual(openingError(old, sample.keychain.keys), .damaged, "call \(call)")
      try check(
        sample.fileSystem, sample.keychain, sample, old: old, allowed: [.destroyed], "call \(call)")
      #expect(sample.fileSystem.openFileCount == 0 && sample.fileSystem.misuse == [], "call \(call)")
    }
    for (call, isAfter) in [(1, false), (1, true), (2, false), (2, true)] {
      let sample = try Sample()
      let old = try #require(sample.fileSystem.image.files["keys"])
      sample.keychain.plan(atCall: call, isAfter: isAfter, .error)
      let error = #expect(throws: KeyStoreError.self) {
        try sample.store.destroyKey(named: Self.alice, until: nil)
      }
      expectEqual(error?.message.contains("is destroyed in the key file"), call == 2)
      try expectEqual(sample.store.key(named: Self.alice), call == 2 ? .destroyed : sample.alice)
      try sample.store.destroyKey(named: Self.alice, until: nil)
      expectEqual(openingError(old, sample.keychain.keys), .damaged, "call \(call), after: \(isAfter)")
      try check(
        sample.fileSystem, sample.keychain, sample, old: old, allowed: [.destroyed], "call \(call), after: \(isAfter)")
    }
  }

  @Test("A key that a later epoch replaces takes the wrapping key with it, even if only the repeated call gets there")
  func repeatedMaking() throws {
    for (call, isAfter) in [(1, false), (1, true), (2, false), (2, true)] {
      for isDeath in [false, true] {
        let place = "call \(call) of the keychain, after: \(isAfter), death: \(isDeath)"
        let sample = try Sample()
        let old = try #require(sample.fileSystem.image.files["keys"])
        sample.keychain.plan(atCall: call, isAfter: isAfter, isDeath ? .death : .error)
        #expect(throws: KeyStoreError.self) { try sample.store.makeKey(named: Self.alice, epoch: 6) }
        if isDeath { sample.fileSystem.revive() }
        let next = isDeath ? try Self.open(sample.fileSystem, sample.keychain, seed: 3) : sample.store
        let made = try next.makeKey(named: Self.alice, epoch: 6)
        #expect(made != sample.alice && made != .destroyed, "\(place)")
        #expect(openingError(old, sample.keychain.keys) == .damaged && sample.keychain.keys.count == 1, "\(place)")
        try expectEqual(next.makeKey(named: Self.alice, epoch: 6), made, "\(place)")
        let last = try Self.open(sample.fileSystem, sample.keychain, seed: 4)
        try expectEqual(last.key(named: Self.bob), sample.bob, "\(place)")
      }
    }
    for call in 1... {
      let sample = try Sample()
      let old = try #require(sample.fileSystem.image.files["keys"])
      let before = sample.fileSystem.calls.count
      sample.fileSystem.setPlan(FaultPlan(at: before + call, .error(5)))
      let first = try? sample.store.makeKey(named: Self.alice, epoch: 6)
      if sample.fileSystem.calls.count < before + call { break }
      sample.fileSystem.setPlan(nil)
      let made = try sample.store.makeKey(named: Self.alice, epoch: 6)
      #expect(first.map { $0 == made } != false && openingError(old, sample.keychain.keys) == .damaged, "call \(call)")
      #expect(sample.fileSystem.openFileCount == 0 && sample.fileSystem.misuse == [], "call \(call)")
    }
  }

  @Test("What cannot be overwritten under a wrapping key that changes opens no more, and is not reported")
  func overwritingFails() throws {
    let sample = try Sample()
    let old = try #require(sample.fileSystem.image.files["keys"])
    try sample.store.destroyKey(named: Self.alice, until: 5)
    // Only what overwrites an old file fails: its name is gone.
    let before = sample.fileSystem.calls.count
    _ = try sample.store.makeKey(named: KeyName(scope: "notes", account: "3"), epoch: 0)
    let writes = sample.fileSystem.calls.indices.filter { $0 >= before && sample.fileSystem.calls[$0] == "write" }
    try #require(writes.count == 2)
    sample.fileSystem.setPlan(FaultPlan(at: sample.fileSystem.calls.count + writes[1] - before + 1, .error(5)))
    _ = try sample.store.makeKey(named: KeyName(scope: "notes", account: "4"), epoch: 0)
    sample.fileSystem.setPlan(nil)
    try sample.store.destroyKey(named: Self.alice, until: 5)
    try sample.store.destroyKey(named: Self.bob, until: 5)
    #expect(openingError(old, sample.keychain.keys) == .damaged && sample.keychain.keys.count == 1)
  }

  /// A keychain that does not keep what it is asked to.
  private struct Forgetful: WrappingKeyStore {
    let key: SecretKey
    let new: SecretKey
    func wrappingKeys() -> [SecretKey] { [key] }
    func prepareWrappingKey() -> SecretKey { new }
    func commitWrappingKey() {}
  }

  @Test("A second key that the keychain does not keep wraps nothing")
  func forgetfulKeychain() throws {
    let fileSystem = RecordingFileSystem()
    let keychain = Forgetful(
      key: try #require(SecretKey(bytes: [UInt8](repeating: 1, count: 32))),
      new: try #require(SecretKey(bytes: [UInt8](repeating: 2, count: 32))))
    let store = try Self.open(fileSystem, keychain, create: true)
    let alice = try store.makeKey(named: Self.alice, epoch: 0)
    #expect(throws: KeyStoreError.self) { try store.destroyKey(named: Self.alice, until: nil) }
    try expectEqual(Self.open(fileSystem, keychain).key(named: Self.alice), alice)
  }

  /// What another process sees of a keychain: what it held at the last look, until it looks again.
  private final class LateKeychain: WrappingKeyStore {
    private let base: TestWrappingKeys
    private let late = Mutex<[SecretKey]?>(nil)

    init(_ base: TestWrappingKeys) { self.base = base }

    func fallBehind() {
      let keys = base.keys
      late.withLock { $0 = keys }
    }

    func wrappingKeys() -> [SecretKey] {
      late.withLock { late in
        defer { late = nil }
        return late
      } ?? base.keys
    }
    func prepareWrappingKey() throws(KeyStoreError) -> SecretKey { try base.prepareWrappingKey() }
    func commitWrappingKey() throws(KeyStoreError) { try base.commitWrappingKey() }
  }

  @Test("A process that read the first key before another one changed it asks again before it fails")
  func lateReader() throws {
    let sample = try Sample()
    let late = LateKeychain(sample.keychain)
    let other = try Self.open(sample.fileSystem, late, seed: 2)
    late.fallBehind()
    try sample.store.destroyKey(named: Self.alice, until: nil)
    try expectEqual(other.key(named: Self.bob), sample.bob)
    late.fallBehind()
    for account in ["3", "4"] {
      let name = KeyName(scope: "notes", account: account)
      _ = try sample.store.makeKey(named: name, epoch: 0)
      try sample.store.destroyKey(named: name, until: nil)
    }
    #expect(try other.key(named: Self.alice) == .destroyed && other.key(named: Self.bob) == sample.bob)
  }

  /// A file system on which another process acts before one call.
  private final class Interrupted: ForwardingFileSystem {
    let base: any FileSystem
    private let event = Mutex<(call: Int, body: @Sendable () -> Void)?>(nil)
    private let calls = Mutex(0)

    init(_ base: RecordingFileSystem) { self.base = base }

    func before(call: Int, _ body: @escaping @Sendable () -> Void) {
      calls.withLock { $0 = 0 }
      event.withLock { $0 = (call, body) }
    }

    /// Whether the call was never reached.
    var isWaiting: Bool { event.withLock { $0 != nil } }

    private func happen() {
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      let body = event.withLock { event in
        guard let due = event, due.call == number else { return nil as (@Sendable () -> Void)? }
        event = nil
        return due.body
      }
      body?()
    }

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      happen()
      return try base.open(path, mode)
    }
    func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
      happen()
      return try base.isNamed(file, path)
    }
    func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
      happen()
      return try base.size(of: file)
    }
    func read(
      _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
      happen()
      return try base.read(file, into: buffer, at: offset)
    }
  }

  @Test("A reader finds every key that is not destroyed, whenever another process destroys one")
  func interleaving() throws {
    for call in 1... {
      let sample = try Sample()
      let files = Interrupted(sample.fileSystem)
      let reader = try Self.open(files, sample.keychain, seed: 2)
      let store = sample.store
      files.before(call: call) { try? store.destroyKey(named: Self.alice, until: nil) }
      try expectEqual(reader.key(named: Self.bob), sample.bob, "call \(call)")
      if files.isWaiting { break }
      #expect(try reader.key(named: Self.alice) == .destroyed && sample.keychain.keys.count == 1, "call \(call)")
    }
  }
}
