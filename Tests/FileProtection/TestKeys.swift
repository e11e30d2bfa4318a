import FileProtection
import Journal
import JournalSimulation
import Synchronization
import Testing

/// Random bytes that a seed determines.
final class SeededBytes: Sendable {
  private let generator: Mutex<SeededGenerator>

  init(seed: UInt64) {
    generator = Mutex(SeededGenerator(seed: seed))
  }

  func callAsFunction(_ count: Int) -> [UInt8] {
    generator.withLock { generator in (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
  }
}

/// Keys in memory.
final class TestKeys: KeyStore {
  private let entries = Mutex<[KeyName: [(id: KeyID, key: SecretKey?)]]>([:])
  private let random: SeededBytes

  init(seed: UInt64 = 1) {
    random = SeededBytes(seed: seed)
  }

  func key(named name: KeyName) -> KeyEntry? {
    entries.withLock { entries in
      guard let known = entries[name] else { return nil }
      return known.compactMap(\.key).first.map { .key($0) } ?? .destroyed
    }
  }

  func key(_ id: KeyID) -> KeyEntry? {
    entries.withLock { entries in
      guard let known = entries.values.joined().first(where: { $0.id == id }) else { return nil }
      return known.key.map { .key($0) } ?? .destroyed
    }
  }

  func makeKey(named name: KeyName, replacesDestroyed: Bool) throws(KeyStoreError) -> KeyEntry {
    switch key(named: name) {
    case .key(let key)?: return .key(key)
    case .destroyed? where !replacesDestroyed: return .destroyed
    case .destroyed?, nil: break
    }
    guard let key = SecretKey(bytes: random(32)), let id = key.id else {
      throw KeyStoreError(.unavailable, "no key", remedy: "None")
    }
    entries.withLock { $0[name, default: []].append((id, key)) }
    return .key(key)
  }

  func destroyKey(named name: KeyName) {
    entries.withLock { $0[name] = ($0[name] ?? []).map { ($0.id, nil) } }
  }

  func keyIDs(named name: KeyName) -> Set<KeyID> { entries.withLock { Set(($0[name] ?? []).map(\.id)) } }
}

/// A protector on a simulated file system.
struct TestFiles {
  let keys: TestKeys
  let fileSystem: RecordingFileSystem
  let protector: Protector

  static let alice = Protection.encrypted(owner: "alice@contoso.com")

  init(_ image: DiskImage = DiskImage(), seed: UInt64 = 1, keys: TestKeys? = nil) {
    self.keys = keys ?? TestKeys(seed: seed)
    fileSystem = RecordingFileSystem(image)
    let random = SeededBytes(seed: seed &+ 1000)
    protector = Protector(keys: self.keys, scope: "notes", randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  /// Bytes that differ from place to place and by their number.
  static func bytes(_ count: Int, _ number: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ number &* 101) }
  }
}
