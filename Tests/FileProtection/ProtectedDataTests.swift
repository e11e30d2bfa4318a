import Expectations
import Testing

@testable import FileProtection

@Suite("Protected data")
struct ProtectedDataTests {
  private static let text = Array("Zoë's notes".utf8)

  @Test("Data comes back as it was, with its owner, encrypted or marked", arguments: [true, false])
  func roundTrip(isEncrypted: Bool) throws {
    let test = TestFiles()
    let protection: Protection = isEncrypted ? TestFiles.alice : .marked(owner: "eve@example.com")
    let data = try test.protector.protect(Self.text, protection)
    let isPlain = data.indices.contains { data[$0...].starts(with: Self.text) }
    #expect(isPlain != isEncrypted)
    try expectEqual(test.protector.unprotect(data), Self.text)
    let info = try test.protector.info(data)
    #expect(info.owner == protection.owner && info.isEncrypted == isEncrypted && (info.keyID != nil) == isEncrypted)
    #expect(try test.protector.protect(Self.text, protection) == data || isEncrypted)

    let text = try test.protector.protect(text: "Zoë's notes", protection)
    try expectEqual(test.protector.unprotect(text: text), "Zoë's notes")
    try expectEqual(test.protector.info(text: text), info)
  }

  @Test("The longest owner is read back from data and text, and a longer one is refused", arguments: [true, false])
  func longestOwner(isEncrypted: Bool) throws {
    let test = TestFiles()
    func protection(_ owner: String) -> Protection { isEncrypted ? .encrypted(owner: owner) : .marked(owner: owner) }
    let longest = String(repeating: "ö", count: Protection.maximumOwnerByteCount / 2)
    let data = try test.protector.protect(Self.text, protection(longest))
    #expect(try test.protector.info(data).owner == longest && test.protector.unprotect(data) == Self.text)
    let text = try test.protector.protect(text: "Zoë", protection(longest))
    #expect(try test.protector.info(text: text).owner == longest && test.protector.unprotect(text: text) == "Zoë")
    let refused = [
      #expect(throws: ProtectionError.self) { try test.protector.protect(Self.text, protection(longest + "x")) },
      #expect(throws: ProtectionError.self) { try test.protector.protect(text: "Zoë", protection(longest + "x")) },
    ]
    expectEqual(refused.map { $0?.code }, [.tooLarge, .tooLarge])
  }

  @Test("Any change and any cut of encrypted data is found")
  func changes() throws {
    let test = TestFiles()
    let data = try test.protector.protect(Self.text, TestFiles.alice)
    for place in data.indices {
      var changed = data
      changed[place] ^= 1
      let code = #expect(throws: ProtectionError.self) { try test.protector.unprotect(changed) }?.code
      let expected: ProtectionError.Code =
        switch place {
        case 0..<8: .notProtected
        case 8..<11: .unsupportedFormat
        case 12..<28: .foreignKey
        default: .tamperedData
        }
      // The lowest bit turns one kind into another that is not known.
      expectEqual(code, expected, "byte \(place)")
      let cut = #expect(throws: ProtectionError.self) { try test.protector.unprotect(Array(data[..<place])) }?.code
      let whenCut: ProtectionError.Code =
        switch place {
        case 0: .empty
        case 1..<8: .notProtected
        case 8..<90: .truncated
        default: .tamperedData
        }
      expectEqual(cut, whenCut, "\(place) bytes")
    }
  }

  @Test("Empty data, data without a header, foreign keys and destroyed ones are told apart")
  func failures() throws {
    let test = TestFiles()
    func code(_ body: () throws -> Void) -> ProtectionError.Code? {
      #expect(throws: ProtectionError.self, performing: body)?.code
    }
    expectEqual(code { _ = try test.protector.protect([UInt8](), TestFiles.alice) }, .empty)
    expectEqual(code { _ = try test.protector.unprotect([UInt8]()) }, .empty)
    expectEqual(code { _ = try test.protector.unprotect(Self.text) }, .notProtected)
    expectEqual(code { _ = try test.protector.unprotect(text: "text") }, .notProtected)
    expectEqual(code { _ = try test.protector.unprotect(text: "ilBKRA0KGgo%") }, .tamperedData)
    let data = try test.protector.protect(Self.text, TestFiles.alice)
    let stranger = TestFiles(seed: 9).protector
    expectEqual(code { _ = try stranger.unprotect(data) }, .foreignKey)
    #expect(try stranger.info(data).owner == nil)
    test.keys.destroyKey(named: KeyName(scope: "notes", account: "alice@contoso.com"), until: 4)
    expectEqual(code { _ = try test.protector.unprotect(data) }, .destroyedKey)
    #expect(try test.protector.info(data).owner == nil)
    // One who returns has another key.
    let returned = Protection.encrypted(owner: "alice@contoso.com", account: KeyAccount("alice@contoso.com", epoch: 4))
    let new = try test.protector.protect(Self.text, returned)
    try expectEqual(test.protector.unprotect(new), Self.text)
  }
}
