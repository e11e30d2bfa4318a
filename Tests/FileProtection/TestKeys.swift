import FileProtection
import Journal
import JournalSimulation
import Synchronization
import Testing

extension SecretKey {
  /// A copy of the secret, to look for it.
  var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
}

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
  private struct Entry {
    var ids: [KeyID] = []
    var key: SecretKey?
    /// `nil` once the name has no key for good.
    var epoch: UInt64? = 0
  }

  private let entries = Mutex<[KeyName: Entry]>([:])
  private let random: SeededBytes

  init(seed: UInt64 = 1) {
    random = SeededBytes(seed: seed)
  }

  func key(named name: KeyName) -> KeyEntry? {
    entries.withLock { entries in entries[name].map { entry in entry.key.map { .key($0) } ?? .destroyed } }
  }

  func key(_ id: KeyID) -> KeyEntry? {
    entries.withLock { entries in
      guard let known = entries.values.first(where: { $0.ids.contains(id) }) else { return nil }
      return known.key.flatMap { $0.id == id ? .key($0) : nil } ?? .destroyed
    }
  }

  func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry {
    let made = SecretKey(bytes: random(32))
    let entry: KeyEntry? = entries.withLock { entries in
      var entry = entries[name] ?? Entry()
      guard let last = entry.epoch, epoch >= last else { return .destroyed }
      if let key = entry.key, last == epoch { return .key(key) }
      guard let made, let id = made.id else { return nil }
      entry.key = made
      entry.ids.append(id)
      entry.epoch = epoch
      entries[name] = entry
      return .key(made)
    }
    guard let entry else { throw KeyStoreError(.unavailable, "no key", remedy: "None") }
    return entry
  }

  func destroyKey(named name: KeyName, until epoch: UInt64?) {
    entries.withLock { entries in
      var entry = entries[name] ?? Entry()
      if let epoch, let last = entry.epoch, epoch <= last { return }
      entry.key = nil
      entry.epoch = epoch
      entries[name] = entry
    }
  }

  func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) {
    entries.withLock { entries in
      guard let entry = entries[name], let last = entry.epoch, last > epoch else { return }
      if makesKey || entry.key != nil { entries[name]?.epoch = epoch }
    }
  }

  func keyIDs(named name: KeyName) -> Set<KeyID> { entries.withLock { Set($0[name]?.ids ?? []) } }
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
