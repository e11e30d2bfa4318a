import Expectations
import Journal
import Testing

@testable import FileProtection

@Suite("Readers that require encryption")
struct RequiredProtectionTests {
  private static let text = TestFiles.bytes(5000)
  private let protector: Protector

  init() {
    let random = SeededBytes(seed: 7)
    protector = Protector(keys: TestKeys(), scope: "notes", randomBytes: { random($0) })
  }

  private func expectRefused(_ path: String?, _ reason: String, _ body: () throws -> Void) {
    let error = #expect(throws: ProtectionError.self) { try body() }
    #expect(error?.code == .notEncrypted && error?.file == path)
    #expect(error?.description.contains(reason) == true && error?.description.contains("Do not trust it") == true)
  }

  @Test(
    "A plain twin and a marked one are refused by every reader, and an encrypted file is read",
    arguments: [true, false])
  func files(isMarked: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = folder.write(Self.text, to: "minutes")
      let copy = folder.path + "/copy"
      try protector.protectFile(path, .encrypted(owner: "alice"))
      try expectEqual(protector.contents(of: path, requiring: .encrypted), Self.text)
      try expectEqual(protector.open(path, requiring: .encrypted).size(), 5000)
      try protector.copyUnprotected(path, to: copy, requiring: .encrypted)
      expectEqual(folder.read("copy"), Self.text)

      folder.write(Self.text, to: "minutes")
      if isMarked { try protector.protectFile(path, .marked(owner: "alice")) }
      let forged = folder.read("minutes")
      let reason = isMarked ? "it only names an owner" : "it is plain"
      expectRefused(path, reason) { _ = try protector.contents(of: path, requiring: .encrypted) }
      for isWritten in [true, false] {
        expectRefused(path, reason) { _ = try protector.open(path, forWriting: isWritten, requiring: .encrypted) }
      }
      expectRefused(path, reason) { try protector.unprotectFile(path, requiring: .encrypted) }
      expectRefused(path, reason) { try protector.copyUnprotected(path, to: copy, requiring: .encrypted) }
      expectRefused(path, reason) {
        try protector.copy(path, to: copy, .encrypted(owner: "alice"), requiring: .encrypted)
      }
      #expect(folder.read("minutes") == forged && folder.read("copy") == Self.text)
      // Who does not ask for it reads anything, as before.
      try expectEqual(protector.contents(of: path), Self.text)
      try protector.unprotectFile(path)
      expectEqual(folder.read("minutes"), Self.text)
    }
  }

  @Test("Whether a file may be opened is asked about the one that is then open, and a refused one is closed")
  func judged() throws {
    try TemporaryFolder.with { folder in
      let path = folder.write(Self.text, to: "minutes")
      try protector.protectFile(path, .encrypted(owner: "alice"))
      for isWritten in [true, false] {
        let error = #expect(throws: ProtectionError.self) {
          try protector.open(path, forWriting: isWritten) { $0.owner != "alice" }
        }
        #expect(error?.code == .otherOwner && error?.file == path)
        try expectEqual(protector.open(path, forWriting: isWritten) { $0.owner == "alice" }.size(), 5000)
      }
    }
  }

  @Test("An empty file is none that was encrypted")
  func empty() throws {
    try TemporaryFolder.with { folder in
      let path = folder.write([], to: "minutes")
      expectRefused(path, "it is plain") { _ = try protector.contents(of: path, requiring: .encrypted) }
    }
  }

  @Test("Data and texts that are plain or marked are refused, and what is encrypted is read")
  func data() throws {
    let alice = Protection.encrypted(owner: "alice")
    try expectEqual(protector.unprotect(try protector.protect(Self.text, alice), requiring: .encrypted), Self.text)
    try expectEqual(
      protector.unprotect(text: try protector.protect(text: "minutes", alice), requiring: .encrypted), "minutes")
    let marked = try protector.protect(Self.text, .marked(owner: "alice"))
    let text = try protector.protect(text: "minutes", .marked(owner: "alice"))
    expectRefused(nil, "it only names an owner") { _ = try protector.unprotect(marked, requiring: .encrypted) }
    expectRefused(nil, "it only names an owner") { _ = try protector.unprotect(text: text, requiring: .encrypted) }
    expectRefused(nil, "it is plain") { _ = try protector.unprotect(Self.text, requiring: .encrypted) }
    expectRefused(nil, "it is plain") { _ = try protector.unprotect(text: "minutes", requiring: .encrypted) }
    try expectEqual(protector.unprotect(marked), Self.text)
  }
}
