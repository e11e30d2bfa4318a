import Cryptography
import FileProtection
import Journal
import JournalSimulation
import Synchronization

/// What must hold for any bytes in the place of a protected file, protected data or a key file: they are refused, or they read as
/// one of the things that were written.
enum ProtectionProperties {
  private static let path = "f"

  /// A file as at two syncs, another file, data, and a key file; made once.
  private struct Sample: Sendable {
    var contents: [[UInt8]] = []
    var files: [[UInt8]] = []
    var other: [UInt8] = []
    var data: [UInt8] = []
    var keyFile: [UInt8] = []
  }

  private static let text = Array("minutes of the meeting".utf8)

  private static let sample: Sample? = {
    var sample = Sample()
    let files = FuzzFileSystem([:])
    do {
      let protector = protector(files)
      let file = try protector.create(at: path, .encrypted(owner: "alice"))
      var contents = (0..<140_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      try file.write(contents)
      try file.sync()
      (sample.contents, sample.files) = ([contents], [files.files[path] ?? []])
      try file.pwrite(text, at: 70_000)
      try file.close()
      contents.replaceSubrange(70_000..<(70_000 + text.count), with: text)
      sample.contents.append(contents)
      sample.files.append(files.files[path] ?? [])
      let other = try protector.create(at: "g", .encrypted(owner: "alice"))
      try other.write(contents)
      try other.close()
      sample.other = files.files["g"] ?? []
      sample.data = try protector.protect(text, .encrypted(owner: "alice"))
      let keys = try keyFile(files, create: true)
      _ = try keys.makeKey(named: KeyName(scope: "s", account: "a"), epoch: 0)
      sample.keyFile = files.files["keys"] ?? []
      return sample
    } catch {
      return nil
    }
  }()

  /// The first byte says what the input changes; the others are changes, five bytes each.
  static func check(_ input: [UInt8]) throws(PropertyFailure) {
    guard let sample, let kind = input.first else { return }
    let changes = input.dropFirst()
    switch kind % 4 {
    case 0, 1: try checkFile(changed(sample.files[1], changes, sample), sample)
    case 2:
      let data = changed(sample.data, changes, sample)
      let opened = try? protector(FuzzFileSystem([:])).unprotect(data)
      try require(opened == nil || opened == text || data[10] == 2, "changed data opens as other data")
      _ = try? protector(FuzzFileSystem([:])).info(data)
    default:
      let bytes = changed(sample.keyFile, changes, sample)
      let isOpen = (try? keyFile(FuzzFileSystem(["keys": bytes]), create: false)) != nil
      try require(!isOpen || bytes == sample.keyFile, "a changed key file opens")
    }
  }

  /// A whole key file: only one that was written opens. With a code that is right, which only who has the wrapping key can
  /// give it, it opens or is refused; what opens can be changed, and opens again.
  static func checkKeyFile(_ bytes: [UInt8]) throws(PropertyFailure) {
    guard let sample else { return }
    let isOpen = (try? keyFile(FuzzFileSystem(["keys": bytes]), create: false)) != nil
    try require(!isOpen || bytes == sample.keyFile, "a key file opens that no one wrote")
    guard bytes.count >= 72, let wrapping = SecretKey(bytes: wrappingBytes),
      let key = wrapping.derived(salt: Array(bytes[24..<40]), purpose: "policyjournal key store"),
      let code = HMACSHA256.code(of: Array(bytes.dropLast(32)), key: key)
    else { return }
    let files = FuzzFileSystem(["keys": bytes.dropLast(32) + code])
    guard let keys = try? keyFile(files, create: false) else { return }
    let name = KeyName(scope: "s", account: "b")
    guard let entry = try? keys.makeKey(named: name, epoch: 0) else { return }
    try require((try? keyFile(files, create: false).key(named: name)) == entry, "a key that was made is not there")
    try? keys.destroyKey(named: name, until: nil)
    try require((try? keyFile(files, create: false)) != nil, "a key file does not open after a key was destroyed")
  }

  /// Key files to begin with.
  static var keyFiles: [[UInt8]] { sample.map { [$0.keyFile, Array($0.keyFile.prefix(100))] } ?? [] }

  private static func checkFile(_ bytes: [UInt8], _ sample: Sample) throws(PropertyFailure) {
    let files = FuzzFileSystem([path: bytes])
    let protector = protector(files)
    let isMarked = bytes.count > 10 && bytes[10] == 2
    guard let file = try? protector.open(path), let found = try? file.pread(200_000, at: 0), !isMarked else { return }
    try require(sample.contents.contains(found), "a changed file reads as something that was never written")
    // What can be read can be changed, or the change is refused before it is durable.
    guard let writer = try? protector.open(path, forWriting: true) else { return }
    do throws(ProtectionError) {
      try writer.pwrite(text, at: 1000)
      try writer.close()
    } catch {
      return
    }
    var expected = found
    expected.replaceSubrange(1000..<(1000 + text.count), with: text)
    try require((try? protector.open(path).pread(200_000, at: 0)) == expected, "a change was lost")
  }

  private static func changed(_ bytes: [UInt8], _ changes: ArraySlice<UInt8>, _ sample: Sample) -> [UInt8] {
    var bytes = bytes
    var rest = changes
    while rest.count >= 5, !bytes.isEmpty {
      let change = Array(rest.prefix(5))
      rest = rest.dropFirst(5)
      let place = (Int(change[1]) << 16 | Int(change[2]) << 8 | Int(change[3])) % bytes.count
      func take(_ source: [UInt8], from start: Int) {
        let page = place / 4096 * 4096
        let length = min(4096 * (1 + Int(change[4]) % 17), bytes.count - page, source.count - start)
        if length > 0 { bytes.replaceSubrange(page..<(page + length), with: source[start..<(start + length)]) }
      }
      switch change[0] % 5 {
      case 0: bytes[place] ^= change[4]
      case 1: bytes.removeLast(min(place, bytes.count - 1))
      case 2: take(bytes, from: Int(change[4]) * 4096 % bytes.count)
      case 3: take(sample.other, from: min(place / 4096 * 4096, sample.other.count))
      default: take(sample.files[0], from: min(place / 4096 * 4096, sample.files[0].count))
      }
    }
    return bytes
  }

  static let seeds: [[UInt8]] = [
    [0], [2], [3], [0, 0, 0, 32, 20, 1], [1, 2, 0, 48, 0, 19], [0, 3, 0, 0, 0, 1], [1, 4, 0, 0, 0, 0],
    [1, 1, 0, 16, 0, 0], [2, 0, 0, 0, 90, 1], [3, 0, 0, 0, 44, 8],
  ]

  // MARK: Keys

  private static func protector(_ files: FuzzFileSystem) -> Protector {
    Protector(keys: OneKey(), scope: "fuzz", randomBytes: { random($0) }, fileSystem: files)
  }

  private static let wrappingBytes = [UInt8](repeating: 2, count: 32)

  private static func keyFile(_ files: FuzzFileSystem, create: Bool) throws -> FileKeyStore {
    try FileKeyStore(
      at: "keys", create: create,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = SecretKey(bytes: wrappingBytes) else {
          throw KeyStoreError(.unavailable, "no key", remedy: "None")
        }
        return key
      }, randomBytes: { random($0) }, fileSystem: files)
  }

  /// The same bytes in each process, so that what one wrote is the sample of another.
  private static let generator = Mutex(SeededGenerator(seed: 1))

  /// Bytes that an input's outcome does not depend on.
  private static func random(_ count: Int) -> [UInt8] {
    generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
  }

  private struct OneKey: KeyStore {
    private var entry: KeyEntry? { SecretKey(bytes: [UInt8](repeating: 1, count: 32)).map { .key($0) } }

    private var id: KeyID? { SecretKey(bytes: [UInt8](repeating: 1, count: 32))?.id }

    func key(named name: KeyName) -> KeyEntry? { entry }
    func key(_ id: KeyID) -> KeyEntry? { id == self.id ? entry : nil }
    func makeKey(named name: KeyName, epoch: UInt64) -> KeyEntry { entry ?? .destroyed }
    func destroyKey(named name: KeyName, until epoch: UInt64?) {}
    func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) {}
    func keyIDs(named name: KeyName) -> Set<KeyID> { [] }
  }
}
