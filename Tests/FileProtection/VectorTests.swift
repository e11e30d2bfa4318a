import Expectations
import Foundation
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

/// The published vectors: what this writer writes with known keys and known randomness. `UPDATE_VECTORS=1` writes them anew.
@Suite("The test vectors of the format")
struct VectorTests {
  private struct Vectors: Codable, Equatable {
    var vectors: [Vector]
    var keyFile: KeyFile
  }

  private struct Vector: Codable, Equatable {
    var name: String
    var owner: String
    var key: String
    var keyID: String
    var contents: [Part]
    var protected: Data
  }

  /// Zeros, and then bytes.
  private struct Part: Codable, Equatable {
    var zeros: Int
    var bytes: Data
  }

  private struct KeyFile: Codable, Equatable {
    var wrappingKey: String
    /// By their ids; `nil` for one that was destroyed.
    var keys: [String: String?]
    var bytes: Data
  }

  private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    .joined(separator: "/")
  private static let path = root + "/Tests/FileProtection/Vectors/protected-files.json"

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func vector(
    _ name: String, _ protection: Protection, _ parts: [(zeros: Int, text: String)],
    _ protect: (TestFiles, [UInt8]) throws -> [UInt8]
  ) throws -> Vector {
    let test = TestFiles()
    let (id, key) = try test.protector.sealingKey(of: KeyAccount(protection.owner))
    let contents = parts.flatMap { [UInt8](repeating: 0, count: $0.zeros) + Array($0.text.utf8) }
    return Vector(
      name: name, owner: protection.owner, key: hex(key.exposed), keyID: id.description,
      contents: parts.map { Part(zeros: $0.zeros, bytes: Data($0.text.utf8)) },
      protected: Data(try protect(test, contents)))
  }

  private static func file(_ protection: Protection, _ parts: [(zeros: Int, text: String)]) throws -> [UInt8] {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", protection)
    var place: UInt64 = 0
    for part in parts {
      place += UInt64(part.zeros)
      try file.pwrite(Array(part.text.utf8), at: place)
      try file.sync()
      place += UInt64(part.text.utf8.count)
    }
    try file.close()
    return try #require(test.fileSystem.image.files["f"])
  }

  private static func made() throws -> Vectors {
    let marked = Protection.marked(owner: "eve@example.com")
    let short = [(zeros: 0, text: "minutes")]
    let sparse = [(zeros: 0, text: "begin"), (zeros: 2 * Layout.chunk, text: "end")]
    var vectors = [
      try vector("a file of one chunk", TestFiles.alice, short) { _, _ in try file(TestFiles.alice, short) },
      try vector("a file with a node and a hole", TestFiles.alice, sparse) { _, _ in try file(TestFiles.alice, sparse)
      },
      try vector("a file that is not encrypted", marked, short) { _, _ in try file(marked, short) },
    ]
    for (name, protection) in [("encrypted data", TestFiles.alice), ("data that is not encrypted", marked)] {
      vectors.append(try vector(name, protection, short) { try $0.protector.protect($1, protection) })
    }
    vectors.append(
      try vector("a text", TestFiles.alice, short) {
        Array(try $0.protector.protect(text: String(decoding: $1, as: UTF8.self), TestFiles.alice).utf8)
      })
    return Vectors(vectors: vectors, keyFile: try keyFile())
  }

  private static func keyFile() throws -> KeyFile {
    let fileSystem = RecordingFileSystem()
    let wrapping = (0..<32).map { UInt8($0) }
    let random = SeededBytes(seed: 8)
    let keys = try FileKeyStore(
      at: "keys", create: true,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = SecretKey(bytes: wrapping) else { throw KeyStoreError.library }
        return key
      }, randomBytes: { random($0) }, fileSystem: fileSystem)
    var found: [String: String?] = [:]
    for account in ["alice@contoso.com", "bob@contoso.com"] {
      let name = KeyName(scope: "com.contoso.notes", account: account)
      guard case .key(let key) = try keys.makeKey(named: name, epoch: 0), let id = key.id else {
        continue
      }
      found[id.description] = hex(key.exposed)
      if account.hasPrefix("bob") {
        try keys.destroyKey(named: name, until: nil)
        found[id.description] = .some(nil)
      }
    }
    return KeyFile(
      wrappingKey: hex(wrapping), keys: found, bytes: Data(try #require(fileSystem.image.files["keys"])))
  }

  @Test("The writer writes them, byte for byte, with the same keys and randomness")
  func writer() throws {
    let made = try Self.made()
    if ProcessInfo.processInfo.environment["UPDATE_VECTORS"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try (try encoder.encode(made) + Data("\n".utf8)).write(to: URL(fileURLWithPath: Self.path))
    }
    let kept = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: URL(fileURLWithPath: Self.path)))
    expectEqual(kept.vectors.map(\.name), made.vectors.map(\.name))
    for (one, other) in zip(kept.vectors, made.vectors) {
      let isSame = one == other
      #expect(isSame, "\(one.name)")
    }
    let isSameKeyFile = kept.keyFile == made.keyFile
    #expect(isSameKeyFile)
  }

  @Test("The independent reader in Python reads the vectors, and names a changed byte")
  func reader() throws {
    let tool = "\(Self.root)/tools/read_protected_file.py"
    let older = "\(Self.root)/Tests/FileProtection/Vectors/key-file-version-1.json"
    for vectors in [Self.path, older] {
      expectEqual(system("python3 -B '\(tool)' --vectors '\(vectors)' > /dev/null"), 0)
    }
    try TemporaryFolder.with { folder in
      let test = TestFiles()
      guard
        case .key(let key) = try test.keys.makeKey(
          named: KeyName(scope: "notes", account: "alice@contoso.com"), epoch: 0)
      else { return }
      let file = try test.protector.create(at: "f", TestFiles.alice)
      let contents = TestFiles.bytes(500_000)
      try file.write(contents)
      try file.sync()
      try file.pwrite([1, 2, 3], at: 8_000_000)
      try file.close()
      var bytes = try #require(test.fileSystem.image.files["f"])
      folder.write(bytes, to: "f")
      let run = {
        system(
          "python3 -B '\(tool)' '\(folder.path)/f' --key \(Self.hex(key.exposed)) > '\(folder.path)/out' 2> /dev/null")
      }
      expectEqual(run(), 0)
      let expected = contents + [UInt8](repeating: 0, count: 7_500_000) + [1, 2, 3]
      let isSame = folder.read("out") == expected
      #expect(isSame)
      bytes[3 * Layout.page] ^= 1
      folder.write(bytes, to: "f")
      expectEqual(run() >> 8, 3)
    }
  }
}
