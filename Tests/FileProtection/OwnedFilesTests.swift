import Expectations
import Journal
import Synchronization
import Testing

@testable import FileProtection

@Suite("The owned files of a container")
struct OwnedFilesTests {
  private static let text = TestFiles.bytes(5000)

  private static func leftover(_ number: UInt8) -> String { Leftover.name([UInt8](repeating: number, count: 16)) }

  private func protector(_ keys: TestKeys, scope: String = "notes") -> Protector {
    let random = SeededBytes(seed: UInt64(scope.utf8.count))
    return Protector(keys: keys, scope: scope, randomBytes: { random($0) })
  }

  /// Keys on a device that has no room for a change until a file is gone.
  private final class FullKeys: KeyStore {
    let keys = TestKeys()
    private let folder: TemporaryFolder
    private let file: String

    init(_ folder: TemporaryFolder, until file: String) { (self.folder, self.file) = (folder, file) }

    func key(named name: KeyName) -> KeyEntry? { keys.key(named: name) }
    func key(_ id: KeyID) -> KeyEntry? { keys.key(id) }
    func makeKey(named name: KeyName, epoch: UInt64) throws(KeyStoreError) -> KeyEntry {
      try keys.makeKey(named: name, epoch: epoch)
    }
    func destroyKey(named name: KeyName, until epoch: UInt64?) throws(KeyStoreError) {
      guard !folder.exists(file) else {
        throw KeyStoreError(.unavailable, "no space left on the device", remedy: "Free some")
      }
      keys.destroyKey(named: name, until: epoch)
    }
    func resetEpoch(of name: KeyName, to epoch: UInt64, makesKey: Bool) {
      keys.resetEpoch(of: name, to: epoch, makesKey: makesKey)
    }
    func keyIDs(named name: KeyName) -> Set<KeyID> { keys.keyIDs(named: name) }
  }

  @Test("On a full device the files go first and make room for the end of the key", arguments: ["c/alice", "c/bob"])
  func fullDevice(inTheWay: String) throws {
    try TemporaryFolder.with { folder in
      let keys = FullKeys(folder, until: inTheWay)
      let random = SeededBytes(seed: 3)
      let protector = Protector(keys: keys, scope: "notes", randomBytes: { random($0) })
      folder.makeFolder("c")
      for (name, owner) in [("c/alice", "alice"), ("c/bob", "bob")] {
        try protector.protectFile(folder.write(Self.text, to: name), .encrypted(owner: owner))
      }
      let removal = OwnedFiles(in: folder.path + "/c", protector: protector).wipe(KeyAccount("alice"), owners: [])
      let name = KeyName(scope: "notes", account: "alice")
      #expect(removal.count == 1 && !folder.exists("c/alice") && folder.exists("c/bob"))
      // Where that makes no room, the wipe is not over.
      let isOver = inTheWay == "c/alice"
      #expect((keys.key(named: name) == .destroyed) == isOver && (removal.failure == nil) == isOver)
      #expect(isOver || removal.failure?.hasPrefix("the account's key: no space left") == true)
    }
  }

  @Test("A wipe destroys the account's key and removes its files, and nothing else, within the folder and without")
  func wipe() throws {
    try TemporaryFolder.with { folder in
      let keys = TestKeys()
      let (own, other) = (protector(keys), protector(keys, scope: "mail"))
      for name in ["c", "c/deep", "c/deep/er", "outside"] { folder.makeFolder(name) }
      func make(_ name: String, _ protection: Protection?, by protector: Protector) throws {
        let path = folder.write(Self.text, to: name)
        if let protection { try protector.protectFile(path, protection) }
      }
      let alice = Protection.encrypted(owner: "alice")
      try make("c/alice", alice, by: own)
      try make("c/deep/er/alice", alice, by: own)
      try make("c/marked", .marked(owner: "alice"), by: own)
      try make("c/deep/\(Self.leftover(1))", nil, by: own)
      let kept: [(String, Protection?, Protector)] = [
        ("c/bob", .encrypted(owner: "bob"), own), ("c/plain", nil, own), ("c/deep/eve", .marked(owner: "eve"), own),
        ("c/mail", alice, other), ("outside/alice", alice, own), ("outside/plain", nil, own),
      ]
      for (name, protection, protector) in kept { try make(name, protection, by: protector) }
      folder.link("c/folder", to: "../outside")
      folder.link("c/file", to: "../outside/alice")
      let copy = folder.read("c/alice")

      let files = OwnedFiles(in: folder.path + "/c", protector: own)
      let removal = files.wipe(KeyAccount("alice"), owners: ["Alice"])
      #expect(removal.count == 4 && removal.failure == nil)
      for name in ["c/alice", "c/deep/er/alice", "c/marked", "c/deep/\(Self.leftover(1))"] {
        #expect(!folder.exists(name), "\(name)")
      }
      for (name, _, _) in kept { #expect(folder.exists(name), "\(name)") }
      #expect(folder.names == ["c", "outside"] && folder.exists("c/folder/plain"))
      // Copies and backups, and what stayed outside, cannot be read any more; the other app's file can.
      let backup = folder.write(copy, to: "backup")
      for path in [backup, folder.path + "/outside/alice"] {
        let error = #expect(throws: ProtectionError.self) { try own.open(path) }
        expectEqual(error?.code, .destroyedKey)
      }
      try expectEqual(own.open(folder.path + "/c/mail").size(), 5000)
      try expectEqual(own.open(folder.path + "/c/bob").size(), 5000)
      expectEqual(files.wipe(KeyAccount("alice"), owners: ["Alice"]), OwnedFiles.Removal())
    }
  }

  @Test("Folders within a folder: links, files and paths are none, and nothing behind a link is listed or removed")
  func innerFolders() throws {
    try TemporaryFolder.with { folder in
      for name in ["c", "c/a1", "c/a1/deep", "c/a2", "outside"] { folder.makeFolder(name) }
      for name in ["c/a1/one", "c/a1/two", "c/a2/three", "c/file", "outside/diary"] { folder.write([1], to: name) }
      folder.link("c/a3", to: "../outside")
      folder.link("c/a4", to: "nowhere")
      folder.link("c/a1/link", to: "../../outside/diary")
      let folders = InnerFolders(of: folder.path + "/c")
      try expectEqual(folders.names(), ["a1", "a2"])
      try expectEqual(folders.files(in: "a1"), ["one", "two"])
      for (name, reason) in [
        ("a3", "it is a symbolic link"), ("a4", "it is a symbolic link"), ("file", "it is not a directory"),
      ] {
        #expect(throws: FileSystemError.self) { try folders.files(in: name) }
        #expect(throws: FileSystemError.self) { try folders.remove(name) }
        let error = #expect(throws: FileSystemError.self) { try folders.make(name) }
        expectEqual(error?.description, "open: \(reason)", "\(name)")
      }
      for name in ["", ".", "..", "a1/deep", "../outside"] {
        #expect(throws: FileSystemError.self) { try folders.files(in: name) }
        #expect(throws: FileSystemError.self) { try folders.make(name) }
        #expect(throws: FileSystemError.self) { try folders.remove(name) }
      }
      // What is no file stays, and its folder with it.
      try folders.remove("a1")
      try folders.remove("a2")
      try expectEqual(folders.names(), ["a1"])
      #expect(try folders.files(in: "a1").isEmpty && folder.exists("c/a1/deep") && folder.exists("c/a1/link"))
      #expect(folder.exists("outside/diary") && folder.exists("c/file"))
      try folders.make("a2")
      try folders.make("a2")
      #expect(try folders.names() == ["a1", "a2"] && folder.mode("c/a2") == 0o700)
    }
  }

  @Test("A wipe that was interrupted after the key was destroyed finds the files all the same")
  func resumed() throws {
    try TemporaryFolder.with { folder in
      let keys = TestKeys()
      let own = protector(keys)
      try own.protectFile(folder.write(Self.text, to: "one"), .encrypted(owner: "alice"))
      keys.destroyKey(named: KeyName(scope: "notes", account: "alice"), until: nil)
      try own.protectFile(folder.write(Self.text, to: "two"), .encrypted(owner: "bob"))
      let removal = OwnedFiles(in: folder.path, protector: own).wipe(KeyAccount("alice"), owners: ["alice"])
      #expect(removal.count == 1 && removal.failure == nil && folder.names == ["two"])
    }
  }

  @Test("Leftovers go at the next start, and files that cannot be removed are named")
  func leftovers() throws {
    try TemporaryFolder.with { folder in
      let own = protector(TestKeys())
      folder.write(Self.text, to: Self.leftover(1))
      folder.write(Self.text, to: Self.leftover(2))
      folder.write(Self.text, to: "c")
      let files = OwnedFiles(in: folder.path, protector: own)
      #expect(files.removeLeftovers().count == 2 && folder.names == ["c"])
      let missing = OwnedFiles(in: folder.path + "/none", protector: own).removeLeftovers()
      expectEqual(missing.failure?.hasPrefix(folder.path + "/none: open: no such file"), true)
    }
  }

  // MARK: Files that move

  @Test("A leftover that moves into a folder that was walked already is found")
  func movedLeftover() throws {
    try TemporaryFolder.with { folder in
      let name = Self.leftover(1)
      // Before the leftover in the order of names.
      folder.makeFolder("+")
      folder.write(Self.text, to: name)
      var files = OwnedFiles(in: folder.path, protector: protector(TestKeys()))
      files.didWalk = { path in
        if path.hasSuffix("/+") { folder.rename(name, to: "+/\(name)") }
      }
      #expect(files.removeLeftovers().count == 1 && !folder.exists("+/\(name)"))
    }
  }

  /// A container with a marked file of Alice's in the last of its folders.
  private func withMovedFile(_ body: (TemporaryFolder, inout OwnedFiles) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let own = protector(TestKeys())
      for name in ["first", "last"] { folder.makeFolder(name) }
      try own.protectFile(folder.write(Self.text, to: "last/file"), .marked(owner: "alice"))
      var files = OwnedFiles(in: folder.path, protector: own)
      try body(folder, &files)
    }
  }

  @Test("A file that moves into a folder that was walked already is found", arguments: [false, true])
  func movedBehind(removesMore: Bool) throws {
    try withMovedFile { (folder, files) in
      if removesMore {
        try protector(TestKeys()).protectFile(folder.write(Self.text, to: "first/more"), .marked(owner: "alice"))
      }
      files.didWalk = { path in
        if path.hasSuffix("/first") { folder.rename("last/file", to: "first/file") }
      }
      let removal = files.wipe(KeyAccount("alice"), owners: ["alice"])
      #expect(!folder.exists("first/file") && !folder.exists("last/file") && !folder.exists("first/more"))
      #expect(removal.count == (removesMore ? 2 : 1) && removal.failure == nil)
    }
  }

  @Test("A file that never stops moving leaves the wipe unfinished after eight passes, and a later one finishes it")
  func movedAlways() throws {
    try withMovedFile { (folder, files) in
      let passes = Mutex(0)
      files.didWalk = { path in
        if path.hasSuffix("/first") { folder.rename("last/file", to: "first/file") }
        if path.hasSuffix("/last") { folder.rename("first/file", to: "last/file") }
        if path == folder.path { passes.withLock { $0 += 1 } }
      }
      let removal = files.wipe(KeyAccount("alice"), owners: ["alice"])
      #expect(removal.count == 0 && folder.exists("last/file") && passes.withLock { $0 } == 8)
      expectEqual(removal.failure?.hasPrefix("\(folder.path): its files keep moving"), true)
      files.didWalk = { _ in }
      let resumed = files.wipe(KeyAccount("alice"), owners: ["alice"])
      #expect(resumed.count == 1 && resumed.failure == nil && !folder.exists("last/file"))
    }
  }

  @Test("Where nothing moves, a wipe ends with the first pass that removes nothing")
  func passes() throws {
    try withMovedFile { (folder, files) in
      let passes = Mutex(0)
      files.didWalk = { path in if path == folder.path { passes.withLock { $0 += 1 } } }
      #expect(files.wipe(KeyAccount("alice"), owners: ["alice"]).failure == nil)
      expectEqual(passes.withLock { $0 }, 2)
      expectEqual(files.wipe(KeyAccount("alice"), owners: ["alice"]), OwnedFiles.Removal())
      expectEqual(passes.withLock { $0 }, 3)
    }
  }
}
