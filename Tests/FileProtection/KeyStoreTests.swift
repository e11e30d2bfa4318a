import Expectations
import Journal
import JournalSimulation
import Synchronization
import Testing

@testable import FileProtection

@Suite("A key file")
struct KeyStoreTests {
  private static let alice = KeyName(scope: "notes", account: "alice@contoso.com")
  private static let bob = KeyName(scope: "notes", account: "bob@contoso.com")
  private static let wrapping = [UInt8](repeating: 7, count: 32)

  private func store(
    _ fileSystem: RecordingFileSystem, seed: UInt64 = 1, create: Bool = true, wrapping: [UInt8] = Self.wrapping
  ) throws -> FileKeyStore {
    let random = SeededBytes(seed: seed)
    return try FileKeyStore(
      at: "keys", create: create,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = SecretKey(bytes: wrapping) else {
          throw KeyStoreError(.unavailable, "the device is locked", remedy: "Unlock it")
        }
        return key
      }, randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  @Test("Keys are made once, kept, found by name and by id, and destroyed for good")
  func life() throws {
    let fileSystem = RecordingFileSystem()
    let keys = try store(fileSystem)
    #expect(try keys.key(named: Self.alice) == nil)
    let entry = try keys.makeKey(named: Self.alice, epoch: 0)
    guard case .key(let key) = entry, let id = key.id else {
      Issue.record("no key")
      return
    }
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 0), entry)
    #expect(try keys.makeKey(named: Self.bob, epoch: 0) != entry)
    // Another process.
    let other = try store(fileSystem, seed: 2, create: false)
    #expect(try other.key(named: Self.alice) == entry && other.key(id) == entry)
    try other.destroyKey(named: Self.alice, until: 7)
    try other.destroyKey(named: Self.alice, until: 7)
    #expect(try keys.key(named: Self.alice) == .destroyed && keys.key(id) == .destroyed)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 6), .destroyed)
    let new = try keys.makeKey(named: Self.alice, epoch: 7)
    #expect(new != entry && new != .destroyed)
    #expect(try other.key(named: Self.alice) == new && other.key(id) == .destroyed)
    try expectEqual(other.keyIDs(named: Self.alice).count, 2)
    // A name without a key can be destroyed in advance.
    let eve = KeyName(scope: "notes", account: "eve")
    try keys.destroyKey(named: eve, until: nil)
    try expectEqual(other.makeKey(named: eve, epoch: 0), .destroyed)
  }

  @Test("Where the count of epochs was set back, an account that enrolls gets a key, and destroyed ones stay destroyed")
  func epochsSetBack() throws {
    let fileSystem = RecordingFileSystem()
    let keys = try store(fileSystem)
    let first = try keys.makeKey(named: Self.alice, epoch: 0)
    try keys.destroyKey(named: Self.alice, until: 143)
    // Not without an enrollment.
    try keys.resetEpoch(of: Self.alice, to: 0, makesKey: false)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 0), .destroyed)
    try keys.resetEpoch(of: Self.alice, to: 0, makesKey: true)
    let second = try keys.makeKey(named: Self.alice, epoch: 0)
    #expect(second != first && second != .destroyed)
    // The next wipe destroys it, though the count is still after the last one, and fences those who missed it.
    try keys.destroyKey(named: Self.alice, until: 51)
    try expectEqual(keys.key(named: Self.alice), .destroyed)
    for epoch: UInt64 in [0, 51] { try expectEqual(keys.makeKey(named: Self.alice, epoch: epoch), .destroyed) }
    try keys.resetEpoch(of: Self.alice, to: 51, makesKey: true)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 0), .destroyed)
    let third = try keys.makeKey(named: Self.alice, epoch: 51)
    // A key of the lost part is taken up, so that the next wipe does not spare it.
    try keys.resetEpoch(of: Self.alice, to: 30, makesKey: false)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 30), third)
    try keys.destroyKey(named: Self.alice, until: 40)
    #expect(try keys.key(named: Self.alice) == .destroyed && keys.keyIDs(named: Self.alice).count == 3)
    // Nothing to do leaves the file alone, and a person who was erased stays so.
    let before = fileSystem.image.files["keys"]
    try keys.resetEpoch(of: Self.bob, to: 0, makesKey: true)
    try keys.resetEpoch(of: Self.alice, to: 200, makesKey: true)
    expectEqual(fileSystem.image.files["keys"], before)
    try keys.destroyKey(named: Self.alice, until: nil)
    try keys.resetEpoch(of: Self.alice, to: 0, makesKey: true)
    try expectEqual(keys.makeKey(named: Self.alice, epoch: 0), .destroyed)
  }

  @Test(
    "The file holds no name, no account and no key in plain, and a destroyed key nowhere, not even where it was before")
  func secrecy() throws {
    let fileSystem = RecordingFileSystem()
    let keys = try store(fileSystem)
    guard case .key(let key) = try keys.makeKey(named: Self.alice, epoch: 0), let id = key.id else {
      Issue.record("no key")
      return
    }
    let before = try #require(fileSystem.image.files["keys"])
    let wrapped = try #require(before.indices.first { before[$0...].starts(with: id.bytes) }).advanced(by: 16)
    for secret in [Array("alice".utf8), Array("notes".utf8), key.exposed] {
      #expect(!before.indices.contains { before[$0...].starts(with: secret) })
    }
    try keys.destroyKey(named: Self.alice, until: 7)
    let sealed = Array(before[wrapped..<(wrapped + 60)])
    #expect(sealed.contains { $0 != 0 })
    #expect(!fileSystem.allContents.contains { bytes in bytes.indices.contains { bytes[$0...].starts(with: sealed) } })
  }

  @Test("Any change, any cut and another wrapping key are found, and a missing file does not begin anew")
  func damage() throws {
    let fileSystem = RecordingFileSystem()
    let keys = try store(fileSystem)
    _ = try keys.makeKey(named: Self.alice, epoch: 0)
    var image = fileSystem.image
    let bytes = try #require(image.files["keys"])
    func code(_ bytes: [UInt8]?, wrapping: [UInt8] = Self.wrapping) -> KeyStoreError.Code? {
      image.files["keys"] = bytes
      do {
        _ = try store(RecordingFileSystem(image), create: false, wrapping: wrapping)
        return nil
      } catch {
        return (error as? KeyStoreError)?.code
      }
    }
    #expect(code(bytes) == nil)
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 4
      expectEqual(code(changed), 8...9 ~= place ? .unsupportedFormat : .damaged, "byte \(place)")
      expectEqual(code(Array(bytes[..<place])), .damaged, "byte \(place)")
    }
    expectEqual(code(bytes, wrapping: [UInt8](repeating: 8, count: 32)), .damaged)
    expectEqual(code(bytes, wrapping: []), .unavailable)
    expectEqual(code(nil), .missing)
  }

  @Test("Programs that share a key file take turns: no key is lost, and each account has one")
  func sharing() throws {
    try TemporaryFolder.with { folder in
      let files = PosixFileSystem()
      let stores = try (0..<4).map { number in
        let random = SeededBytes(seed: UInt64(number))
        return try FileKeyStore(
          at: folder.path + "/keys", create: true,
          wrappingKey: { () throws(KeyStoreError) in
            guard let key = SecretKey(bytes: Self.wrapping) else { throw KeyStoreError.library }
            return key
          }, randomBytes: { random($0) })
      }
      let made = Mutex<[[KeyEntry]]>([])
      let next = Atomic(0)
      files.concurrently(4) {
        let store = stores[next.wrappingAdd(1, ordering: .relaxed).oldValue]
        let entries = (0..<20).compactMap { number in
          try? store.makeKey(named: KeyName(scope: "notes", account: "\(number)"), epoch: 0)
        }
        made.withLock { $0.append(entries) }
      }
      let all = made.withLock { $0 }
      #expect(all.count == 4 && all.allSatisfy { $0.count == 20 && $0 == all[0] })
      #expect(folder.mode("keys") == 0o600 && folder.names == ["keys", "keys.lock"])
    }
  }

  @Test("A crash at any point leaves the keys before or after a change, and keys that were returned stay")
  func crashes() throws {
    let fileSystem = RecordingFileSystem()
    let keys = try store(fileSystem)
    let start = fileSystem.position
    let alice = try keys.makeKey(named: Self.alice, epoch: 0)
    let made = fileSystem.position
    try keys.destroyKey(named: Self.alice, until: 7)
    let destroyed = fileSystem.position
    try PowerCuts.forEach(of: fileSystem.operations, from: start, share: 3) { state in
      let found = try store(RecordingFileSystem(state.image), create: false).key(named: Self.alice)
      var allowed: [KeyEntry?] = [alice]
      if state.position < made { allowed = [nil, alice] }
      if state.position >= made { allowed = [alice, .destroyed] }
      if state.position >= destroyed { allowed = [.destroyed] }
      #expect(allowed.contains(found), "cut after operation \(state.position), \(state.fates)")
    }
  }
}
