import Expectations
import AppProtection
import AppProtectionKit
import EventSourcingKit
import FileProtection
import Journal
import Synchronization
import Testing

@Suite("Managers that require encryption")
struct RequiredProtectionTests {
  private static let alice = ManagedFolder.alice
  private static let text = Array("minutes".utf8)
  private let folder: ManagedFolder

  init() throws { folder = try ManagedFolder() }

  private func expectRefused(_ body: () throws -> Void) {
    let error = #expect(throws: DataProtectionError.self) { try body() }
    #expect(error?.code == .dataNotProtected && error?.cause?.code == .notEncrypted)
  }

  @Test("A twin that is plain or marked is refused: read, opened, decrypted and handed out", arguments: [true, false])
  func files(isMarked: Bool) throws {
    let (files, path, copy) = (folder.files, folder.path("a"), folder.path("copy"))
    try files.write(Self.text, to: path, for: Self.alice)
    try expectEqual(files.contents(of: path, requiring: .encrypted), Self.text)
    try expectEqual(files.open(path, requiring: .encrypted).size(), 7)
    try files.handOut(path, to: copy, for: Self.alice, requiring: .encrypted)
    try files.decryptFile(path, toCopy: copy, requiring: .encrypted)

    folder.write("minutes", to: "a")
    if isMarked { try files.protector.protectFile(path, .marked(owner: "alice@contoso.com")) }
    expectRefused { _ = try files.contents(of: path, requiring: .encrypted) }
    expectRefused { _ = try files.open(path, requiring: .encrypted) }
    expectRefused { try files.decryptFile(path, toCopy: copy, requiring: .encrypted) }
    expectRefused { try files.handOut(path, to: copy, for: Self.alice, requiring: .encrypted) }
    #expect(try folder.read("copy") == "minutes" && !files.isFileEncrypted(path))
    try expectEqual(files.contents(of: path), Self.text)
  }

  @Test("A file that takes the place of another one between two looks is judged, too", arguments: [true, false])
  func exchanged(isWritten: Bool) throws {
    let (path, other) = (folder.path("a"), folder.path("b"))
    let disk = FullingFileSystem()
    let keys = folder.keys
    let protector = Protector(
      keys: keys.store, scope: keys.scope, randomBytes: { SystemRandom.bytes($0) }, fileSystem: disk)
    try folder.files.write(Self.text, to: path, for: Self.alice)
    // Of an account that is not managed here.
    try protector.write([1], to: other, .encrypted(owner: "eve@example.com", account: KeyAccount("7")))
    let files = FileProtectionManager(protector: protector, state: folder.state)
    #expect(throws: DataProtectionError.self) { try files.open(other) }
    let looks = Mutex(0)
    disk.beforeOpening.withLock { hook in
      hook = { opened in
        guard opened == path else { return }
        let number = looks.withLock { looks in
          looks += 1
          return looks
        }
        if number == 2 { try? PosixFileSystem().rename(other, to: path) }
      }
    }
    let error = #expect(throws: DataProtectionError.self) { try files.open(path, forWriting: isWritten) }
    #expect(error?.code == .failedToDecryptData && looks.withLock { $0 } == 2 && folder.read("b") == nil)
  }

  @Test("Data and texts that are plain or marked are refused, and what is encrypted is read")
  func data() throws {
    let data = folder.data
    try expectEqual(data.unprotect(try data.protect(Self.text, for: Self.alice), requiring: .encrypted), Self.text)
    try expectEqual(
      data.unprotectString(try data.protectString("minutes", for: Self.alice), requiring: .encrypted), "minutes")
    let marked = try folder.files.protector.protect(Self.text, .marked(owner: "alice@contoso.com"))
    for twin in [Self.text, marked] { expectRefused { _ = try data.unprotect(twin, requiring: .encrypted) } }
    expectRefused { _ = try data.unprotectString("minutes", requiring: .encrypted) }
    expectRefused {
      _ = try data.unprotectString(
        try folder.files.protector.protect(text: "minutes", .marked(owner: "alice@contoso.com")), requiring: .encrypted)
    }
    try expectEqual(data.unprotect(marked), Self.text)
  }
}
