import Expectations
import Cryptography
import Foundation
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("The versions of a key file")
struct KeyFileVersionTests {
  /// A file that the writer of version 1 left, with its wrapping key and the keys in it.
  private struct Golden: Decodable {
    struct KeyFile: Decodable {
      var wrappingKey: String
      var keys: [String: String?]
      var bytes: Data
    }

    var keyFile: KeyFile

    static func read() throws -> KeyFile {
      let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      let file = URL(fileURLWithPath: "\(folder)/Vectors/key-file-version-1.json")
      return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file)).keyFile
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func name(_ account: String) -> KeyName {
    KeyName(scope: "com.contoso.notes", account: "\(account)@contoso.com")
  }

  private static func open(
    _ fileSystem: RecordingFileSystem, _ wrapping: [UInt8], seed: UInt64 = 3
  ) throws -> FileKeyStore {
    let key = try #require(SecretKey(bytes: wrapping))
    let random = SeededBytes(seed: seed)
    return try FileKeyStore(
      at: "keys", create: false, wrappingKey: { key }, randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  private static func version(_ fileSystem: RecordingFileSystem) -> UInt16? {
    fileSystem.image.files["keys"]?.number(at: 8)
  }

  @Test("A file of version 1 is read, and the next write makes it version 2 with the same names, keys and epochs")
  func conversion() throws {
    let golden = try Golden.read()
    var image = DiskImage()
    image.files["keys"] = Array(golden.bytes)
    let fileSystem = RecordingFileSystem(image)
    let wrapping = Self.bytes(golden.wrappingKey)
    func check(_ store: FileKeyStore) throws {
      for (id, key) in golden.keys {
        let entry = try store.key(try #require(KeyID(bytes: Self.bytes(id))))
        expectEqual(entry, key.flatMap { SecretKey(bytes: Self.bytes($0)) }.map { .key($0) } ?? .destroyed, "\(id)")
      }
      for (account, epoch) in [("alice", UInt64(60)), ("dave", 3), ("erin", 0)] {
        let entry = try store.makeKey(named: Self.name(account), epoch: epoch)
        #expect(try entry == store.key(named: Self.name(account)) && entry != .destroyed, "\(account)")
      }
      try expectEqual(store.keyIDs(named: Self.name("alice")).count, 7)
      for (account, epoch) in [("alice", UInt64(59)), ("bob", .max), ("carol", 6), ("dave", 2)] {
        try expectEqual(store.makeKey(named: Self.name(account), epoch: epoch), .destroyed, "\(account)")
      }
    }
    let store = try Self.open(fileSystem, wrapping)
    try check(store)
    expectEqual(Self.version(fileSystem), 1)
    // A crash leaves the one or the other.
    let start = fileSystem.position
    let frank = try store.makeKey(named: Self.name("frank"), epoch: 0)
    expectEqual(Self.version(fileSystem), 2)
    try PowerCuts.forEach(of: fileSystem.operations, on: image, from: start) { state in
      try check(try Self.open(RecordingFileSystem(state.image), wrapping))
    }
    let other = try Self.open(fileSystem, wrapping)
    try check(other)
    try expectEqual(other.key(named: Self.name("frank")), frank)
    // Alice's six destroyed keys take two records instead of six.
    expectEqual(fileSystem.image.files["keys"]?.number(at: 12, as: UInt32.self), 9)
  }

  @Test("No two files have the same salt, so that no key encrypts for two of them")
  func salts() throws {
    let fileSystem = RecordingFileSystem()
    let key = try #require(SecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    let random = SeededBytes(seed: 1)
    let store = try FileKeyStore(
      at: "keys", create: true, wrappingKey: { key }, randomBytes: { random($0) }, fileSystem: fileSystem)
    var salts: Set<[UInt8]> = []
    for account in 0..<5 {
      _ = try store.makeKey(named: Self.name("\(account)"), epoch: 0)
      salts.insert(Array(try #require(fileSystem.image.files["keys"])[24..<40]))
    }
    expectEqual(salts.count, 5)
  }

  // MARK: Limits

  /// A table of so many records, one of them Alice's key.
  private static func table(_ count: Int) throws -> (table: KeyTable, alice: SecretKey) {
    var table = KeyTable(nameKey: KeyBytes(copying: [UInt8](repeating: 5, count: 32)))
    let alice = try #require(SecretKey(bytes: [UInt8](repeating: 9, count: 32)))
    table.add(alice, try #require(alice.id), of: try #require(table.code(of: name("alice"))), epoch: 0)
    table.add(
      (1..<count).map { number in
        var code: [UInt8] = []
        code.append(number: UInt64(number))
        return KeyTable.Record(nameCode: code + code, ids: [], key: nil, epoch: 0)
      })
    return (table, alice)
  }

  private static func full(_ count: Int) throws -> (RecordingFileSystem, [UInt8], SecretKey) {
    let (table, alice) = try table(count)
    let wrapping = [UInt8](repeating: 7, count: 32)
    let random = SeededBytes(seed: 2)
    var image = DiskImage()
    image.files["keys"] = try table.encoded(
      try #require(SecretKey(bytes: wrapping)), for: "keys", randomBytes: { random($0) })
    return (RecordingFileSystem(image), wrapping, alice)
  }

  @Test("At the last record for keys, none is made, but names are destroyed, and every file that is written is read")
  func fullOfKeys() throws {
    let (fileSystem, wrapping, alice) = try Self.full(KeyTable.maximumKeyCount)
    let before = fileSystem.image.files["keys"]
    let store = try Self.open(fileSystem, wrapping)
    let error = #expect(throws: KeyStoreError.self) { try store.makeKey(named: Self.name("bob"), epoch: 0) }
    expectEqual(error?.message.contains("65,536"), true)
    expectEqual(fileSystem.image.files["keys"], before)
    try store.destroyKey(named: Self.name("bob"), until: nil)
    let other = try Self.open(fileSystem, wrapping)
    try expectEqual(other.key(named: Self.name("bob")), .destroyed)
    try expectEqual(other.key(named: Self.name("alice")), .key(alice))
  }

  @Test("At the last record for destroyed names, an error says so, nothing is damaged, and keys can be destroyed")
  func fullOfNames() throws {
    let (fileSystem, wrapping, alice) = try Self.full(KeyTable.maximumCount - 1)
    let store = try Self.open(fileSystem, wrapping)
    try store.destroyKey(named: Self.name("bob"), until: nil)
    let before = fileSystem.image.files["keys"]
    expectEqual(before?.count, KeyTable.maximumByteCount)
    let error = #expect(throws: KeyStoreError.self) {
      try store.destroyKey(named: Self.name("carol"), until: nil)
    }
    expectEqual(error?.message.contains("is full, and stays as it was"), true)
    expectEqual(fileSystem.image.files["keys"], before)
    let other = try Self.open(fileSystem, wrapping)
    #expect(try other.key(named: Self.name("alice")) == .key(alice) && other.key(named: Self.name("carol")) == nil)
    try other.destroyKey(named: Self.name("alice"), until: nil)
    try expectEqual(Self.open(fileSystem, wrapping).key(named: Self.name("alice")), .destroyed)
  }

  @Test("The encoder refuses a record too many")
  func encoder() throws {
    let (table, _) = try Self.table(KeyTable.maximumCount + 1)
    let key = try #require(SecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    let random = SeededBytes(seed: 2)
    #expect(throws: KeyStoreError.self) { try table.encoded(key, for: "keys", randomBytes: { random($0) }) }
  }

  @Test("A file of version 1 that has a record more than its readers took is read")
  func recordTooMany() throws {
    let wrapping = try #require(SecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    let (count, salt) = (65_537, [UInt8](repeating: 4, count: 16))
    var bytes = KeyTable.magic
    bytes.append(number: UInt32(1))
    bytes.append(number: UInt32(count))
    bytes.append(number: UInt64(1))
    bytes += salt
    for number in 1...UInt64(count) {
      bytes.append(number: UInt64(2))
      bytes.append(number: number)
      bytes += [UInt8](repeating: 0, count: 84)
    }
    let key = try #require(wrapping.derived(salt: salt, purpose: "policyjournal key store"))
    bytes += try #require(HMACSHA256.code(of: bytes, key: key))
    try expectEqual(KeyTable.read(bytes, of: "keys", [wrapping]).table.count, count)
  }

  @Test("The destroyed keys of a name share records, and none of their ids is forgotten")
  func manyWipes() throws {
    let (fileSystem, wrapping, _) = try Self.full(1)
    var ids: Set<KeyID> = []
    for epoch in 1...9 as ClosedRange<UInt64> {
      let store = try Self.open(fileSystem, wrapping, seed: 10 + epoch)
      ids.formUnion(try store.keyIDs(named: Self.name("alice")))
      try store.destroyKey(named: Self.name("alice"), until: epoch)
      _ = try store.makeKey(named: Self.name("alice"), epoch: epoch)
    }
    let store = try Self.open(fileSystem, wrapping)
    try store.destroyKey(named: Self.name("alice"), until: 10)
    ids.formUnion(try store.keyIDs(named: Self.name("alice")))
    expectEqual(ids.count, 10)
    for id in ids { try expectEqual(store.key(id), .destroyed) }
    expectEqual(fileSystem.image.files["keys"]?.number(at: 12, as: UInt32.self), 3)
    try expectEqual(store.makeKey(named: Self.name("alice"), epoch: 9), .destroyed)
  }
}
