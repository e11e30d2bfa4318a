import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

/// A key or a destruction that a call returned is durable, whoever wrote it: this process, or one that died before its last sync.
@Suite("Durable keys")
struct KeyDurabilityTests {
  private static let alice = KeyName(scope: "notes", account: "1")

  private final class Wrapping: Sendable {
    let key: SecretKey?
    init(_ byte: UInt8?) { key = byte.flatMap { SecretKey(bytes: [UInt8](repeating: $0, count: 32)) } }
  }

  private func store(_ fileSystem: RecordingFileSystem, seed: UInt64 = 1, create: Bool = false) throws -> FileKeyStore {
    let random = SeededBytes(seed: seed)
    let wrapping = Wrapping(7)
    return try FileKeyStore(
      at: "keys", create: create,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = wrapping.key else { throw KeyStoreError.library }
        return key
      }, randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  private func created() throws -> RecordingFileSystem {
    let fileSystem = RecordingFileSystem()
    _ = try store(fileSystem, create: true)
    return fileSystem
  }

  /// What the next process finds after any power cut from now on.
  private func entries(_ fileSystem: RecordingFileSystem) throws -> Set<String> {
    var found: Set<String> = []
    try PowerCuts.forEach(of: fileSystem.operations, from: fileSystem.position) { state in
      let entry = try store(RecordingFileSystem(state.image)).key(named: Self.alice)
      found.insert(entry.map { "\($0)" } ?? "none")
    }
    return found
  }

  @Test("A key that another process left without its last sync is synced before it is returned")
  func foundKey() throws {
    for call in 1... {
      let fileSystem = try created()
      let first = try store(fileSystem, seed: 2)
      fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + call, .death))
      _ = try? first.makeKey(named: Self.alice, epoch: 0)
      if !fileSystem.isDead { break }
      fileSystem.revive()
      let entry = try store(fileSystem, seed: 3).makeKey(named: Self.alice, epoch: 0)
      try expectEqual(entries(fileSystem), ["\(entry)"], "death at call \(call)")
    }
  }

  @Test("A destruction that another process left without its last sync is synced when it is repeated")
  func foundDestruction() throws {
    for call in 1... {
      let fileSystem = try created()
      let first = try store(fileSystem, seed: 2)
      _ = try first.makeKey(named: Self.alice, epoch: 0)
      fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + call, .death))
      try? first.destroyKey(named: Self.alice, until: nil)
      if !fileSystem.isDead { break }
      fileSystem.revive()
      try store(fileSystem, seed: 3).destroyKey(named: Self.alice, until: nil)
      try expectEqual(entries(fileSystem), ["\(KeyEntry.destroyed)"], "death at call \(call)")
    }
  }

  @Test("A call that fails at any place can be repeated, and what it then returns is durable")
  func failures() throws {
    for isMaking in [true, false] {
      for call in 1... {
        let fileSystem = try created()
        let keys = try store(fileSystem, seed: 2)
        if !isMaking { _ = try keys.makeKey(named: Self.alice, epoch: 0) }
        let before = fileSystem.calls.count
        fileSystem.setPlan(FaultPlan(at: before + call, .error(5)))
        func run() throws -> KeyEntry {
          if isMaking { return try keys.makeKey(named: Self.alice, epoch: 0) }
          try keys.destroyKey(named: Self.alice, until: nil)
          return .destroyed
        }
        var entry = try? run()
        if fileSystem.calls.count < before + call { break }
        fileSystem.setPlan(nil)
        if entry == nil { entry = try run() }
        let expected = try #require(entry)
        try expectEqual(entries(fileSystem), ["\(expected)"], "call \(call)")
        #expect(fileSystem.openFileCount == 0 && fileSystem.misuse == [])
      }
    }
  }

  @Test("Keys that were read under one wrapping key are not used under another one, or without")
  func otherWrapping() throws {
    let fileSystem = try created()
    let bytes = SeededBytes(seed: 5)
    let current = Box()
    let keys = try FileKeyStore(
      at: "keys", create: false, wrappingKey: { () throws(KeyStoreError) in try current.key() },
      randomBytes: { bytes($0) }, fileSystem: fileSystem)
    guard case .key(let key) = try keys.makeKey(named: Self.alice, epoch: 0), let id = key.id else {
      Issue.record("no key")
      return
    }
    try expectEqual(keys.key(id), .key(key))
    for (byte, code) in [(UInt8?(8), KeyStoreError.Code.damaged), (nil, .unavailable)] {
      current.byte = byte
      let error = #expect(throws: KeyStoreError.self) { try keys.key(id) }
      expectEqual(error?.code, code)
    }
    current.byte = 7
    try expectEqual(keys.key(id), .key(key))
  }

  private final class Box: @unchecked Sendable {
    // Used by one thread.
    var byte: UInt8? = 7

    func key() throws(KeyStoreError) -> SecretKey {
      guard let byte, let key = SecretKey(bytes: [UInt8](repeating: byte, count: 32)) else {
        throw KeyStoreError(.unavailable, "the device is locked", remedy: "Unlock it")
      }
      return key
    }
  }

  @Test("A wipe ends an epoch: who knows only of it gets no key, one of a later epoch stays, and an old one goes")
  func epochs() throws {
    let fileSystem = try created()
    let keys = try store(fileSystem, seed: 2)
    let first = try keys.makeKey(named: Self.alice, epoch: 0)
    try keys.destroyKey(named: Self.alice, until: 12)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 0), .destroyed)
    let second = try keys.makeKey(named: Self.alice, epoch: 12)
    #expect(second != first && second != .destroyed)
    // The wipe is repeated after a crash.
    try keys.destroyKey(named: Self.alice, until: 12)
    try expectEqual(keys.key(named: Self.alice), second)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 3), .destroyed)
    // The next wipe was never carried out here, and its epoch begins all the same.
    let third = try keys.makeKey(named: Self.alice, epoch: 30)
    #expect(third != second && third != .destroyed)
    guard case .key(let old) = second, let id = old.id else { return }
    try expectEqual(keys.key(id), .destroyed)
    let other = try store(fileSystem, seed: 3)
    try expectEqual(other.makeKey(named: Self.alice, epoch: 29), .destroyed)
    try expectEqual(other.keyIDs(named: Self.alice).count, 3)
    // For good.
    try keys.destroyKey(named: Self.alice, until: nil)
    try expectEqual(other.makeKey(named: Self.alice, epoch: .max), .destroyed)
    try other.destroyKey(named: Self.alice, until: 40)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 50), .destroyed)
  }
}
