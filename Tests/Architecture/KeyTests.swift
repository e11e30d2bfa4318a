import Expectations
import Testing

/// An array prints its elements, and its copies stay in memory. The bytes of a key are in the one class that does neither.
@Suite("The bytes of keys")
struct KeyTests {
  /// Where an array named as a key is none, or is the one that the caller's key comes in.
  private static let allowed: [String: Set<String>] = [
    // The idempotency key of a command, which every reader of the journal sees.
    "Sources/EventSourcing/Store/EventStore+Sealing.swift": ["key"],
    "Sources/EventSourcing/Checkpoints/IdempotencyWindow.swift": ["key"],
    "Sources/EventSourcing/Checkpoints/StateCheckpoint+Rewriting.swift": ["key"],
    "Sources/Forensics/Exchange/PayloadRedactor.swift": ["key"],
    // The name of an entry.
    "Sources/PropertyList/XML/XMLEditor.swift": ["key"],
    // The app's own key, and the one that pj reads for an export.
    "Sources/Forensics/Redaction/Pseudonyms.swift": ["key"],
    "Sources/ReplayTool/Input/PseudonymInput.swift": ["key"],
  ]

  @Test("Outside of Cryptography, no key is an array")
  func arrays() throws {
    for source in try SwiftSource.all(below: "Sources") where source.module != "Cryptography" {
      let found = Self.arrays(in: source.lines).subtracting(Self.allowed[source.path] ?? [])
      expectEqual(found, [], "\(source.path): hold the key in a KeyBytes, which clears it and prints nothing")
    }
  }

  /// Where a key is drawn into an array, which `SecretKey(taking:)` clears on the next line.
  private static let drawing: Set = ["Sources/SampleNotes/WrappingKeychain.swift"]

  @Test("Under no other name is an array a key: what a key is made of is cleared")
  func arraysInPassing() throws {
    for source in try SwiftSource.all(below: "Sources") where source.module != "Cryptography" {
      for line in source.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        #expect(!line.contains("SecretKey(bytes:"), "\(source.path): SecretKey(taking:) clears the array")
        guard line.contains("andom"), line.contains("SecretKey.byteCount") else { continue }
        #expect(
          Self.drawing.contains(source.path) && line.contains("var bytes = "), "\(source.path): no array keeps a key")
      }
      guard Self.drawing.contains(source.path) else { continue }
      #expect(source.lines.contains { $0.contains("SecretKey(taking: &bytes)") }, "\(source.path)")
    }
  }

  @Test("Only Cryptography calls a library that computes with keys")
  func libraries() throws {
    let names: Set = ["CCrypto", "CryptoKit", "SymmetricKey", "CommonCrypto"]
    for source in try SwiftSource.all(below: "Sources") where source.module != "Cryptography" {
      #expect(source.used.isDisjoint(with: names), "\(source.path)")
    }
  }

  @Test("An array that is a key is found in a property, a parameter, a result, a variable and a type of keys")
  func reading() {
    let found: [(String, Set<String>)] = [
      ("  private let key: [UInt8]", ["key"]), ("  var wrappingKey: ArraySlice<UInt8>?", ["wrappingKey"]),
      ("  init(secret: [UInt8], name: String)", ["secret"]), ("  func seal(_ key: inout [UInt8]) {", ["key"]),
      ("  var keys: [UInt64: [UInt8]] = [:]", ["keys"]), ("  var dataKey: Data", ["dataKey"]),
      ("  let fileKey = randomBytes(32)", ["fileKey"]), ("  var key = [UInt8](repeating: 0, count: 32)", ["key"]),
      ("  func dataKey(of file: File) throws -> [UInt8]? {", ["dataKey"]), ("  var key: [UInt8] { bytes }", ["key"]),
      ("  let password: some Collection<UInt8>", ["password"]),
      ("public struct FileKey: Sendable {\n  private let bytes: [UInt8]\n}", ["bytes"]),
      ("  let idempotencyKey: [UInt8]", []), ("  let key: KeyBytes", []), ("  // the key: [UInt8]", []),
      ("  note(key: [UInt8](fields.key))", []), ("  let keyID: [UInt8]", []), ("  let key: Int, bytes: [UInt8]", []),
      ("struct KeyName {\n  let bytes: [UInt8]\n}", []), ("struct FileKey {\n  var bytes: [UInt8] { [] }\n}", []),
      ("struct FileKey {\n}\nstruct File {\n  let bytes: [UInt8]\n}", []),
    ]
    for (text, names) in found {
      let lines = text.split(separator: "\n").map(String.init)
      expectEqual(Self.arrays(in: lines), names, "\(text)")
    }
  }

  private static let types = ["UInt8", "Data", "RawBufferPointer", "andom"]

  /// The names in a source that say that an array or other bytes are a key.
  private static func arrays(in lines: [String]) -> Set<String> {
    let declared =
      /\b(\w*(?:[kK]ey|[sS]ecret|[pP]assword|[pP]assphrase)s?): (?:\w+ )?(?:\[\w+: )?(?:\[UInt8\](?!\()|ArraySlice<UInt8>|\w+<UInt8>|Data\b|Unsafe(?:Mutable)?RawBufferPointer)/
    let assigned =
      /\b(?:let|var) (\w*(?:[kK]ey|[sS]ecret|[pP]assword|[pP]assphrase)s?) = (?:try )?(?:\[UInt8\]|Array\(|randomBytes\(|SystemRandom)/
    let returned =
      /\bfunc (\w*(?:[kK]ey|[sS]ecret|[pP]assword|[pP]assphrase)s?)\b.*-> (?:\[UInt8\]|ArraySlice<UInt8>|Data\b)/
    let stored = /^ +(?:[a-z()]+ )*(?:let|var) (\w+): (?:\[UInt8\]|ArraySlice<UInt8>|Data\b)[^{]*$/
    var names: Set<String> = []
    var isKeyType = false
    for line in lines {
      if line.contains("Key"), line.contains(/^[a-z ]*(?:struct|class|enum|actor) \w*Key\b/) { isKeyType = true }
      if line.hasPrefix("}") { isKeyType = false }
      guard types.contains(where: { line.contains($0) }), !line.drop(while: { $0 == " " }).hasPrefix("//") else {
        continue
      }
      names.formUnion(line.matches(of: declared).map { String($0.1) })
      names.formUnion(line.matches(of: assigned).map { String($0.1) })
      names.formUnion(line.matches(of: returned).map { String($0.1) })
      if isKeyType { names.formUnion(line.matches(of: stored).map { String($0.1) }) }
    }
    // What a command is recognised by, which is no secret.
    return names.subtracting(["idempotencyKey"])
  }
}
