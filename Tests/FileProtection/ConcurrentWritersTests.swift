import Expectations
import Journal
import JournalSimulation
import Synchronization
import Testing

@testable import FileProtection

/// Programs that use the same files at once lose nothing of each other, and nothing escapes a wipe.
@Suite("Several writers of a file")
struct ConcurrentWritersTests {
  /// A file system on which something happens at certain calls, as if another program did it.
  private final class Interrupted: ForwardingFileSystem {
    let base: any FileSystem
    private let events = Mutex<[(call: String, body: @Sendable () -> Void)]>([])

    init(_ base: RecordingFileSystem) { self.base = base }

    func before(_ call: String, _ body: @escaping @Sendable () -> Void) {
      events.withLock { $0.append((call, body)) }
    }

    private func happen(_ call: String) {
      let body = events.withLock { events in
        events.firstIndex { $0.call == call }.map { events.remove(at: $0).body }
      }
      body?()
    }

    func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
      happen("lock")
      return try base.lock(file)
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
      happen("rename")
      try base.rename(path, to: newPath)
      happen("renamed")
    }

    func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError) {
      happen("rename")
      try base.rename(path, toFreeName: newPath)
      happen("renamed")
    }
  }

  private func other(_ test: TestFiles, seed: UInt64 = 99) -> Protector {
    let random = SeededBytes(seed: seed)
    return Protector(keys: test.keys, scope: "notes", randomBytes: { random($0) }, fileSystem: test.fileSystem)
  }

  private func interrupted(_ test: TestFiles) -> (Protector, Interrupted) {
    let random = SeededBytes(seed: 7)
    let files = Interrupted(test.fileSystem)
    return (Protector(keys: test.keys, scope: "notes", randomBytes: { random($0) }, fileSystem: files), files)
  }

  private func code(_ body: () throws -> Void) -> ProtectionError.Code? {
    #expect(throws: ProtectionError.self, performing: body)?.code
  }

  @Test("Of two programs that create a file at once, one does, and the other is told")
  func creating() throws {
    let test = TestFiles()
    let (slow, files) = interrupted(test)
    let fast = other(test)
    files.before("rename") {
      let file = try? fast.create(at: "f", TestFiles.alice)
      try? file?.write([1, 2, 3])
      try? file?.close()
    }
    expectEqual(code { _ = try slow.create(at: "f", TestFiles.alice) }, .alreadyExists)
    try expectEqual(fast.open("f").read(9), [1, 2, 3])
    expectEqual(test.fileSystem.image.files.keys.sorted(), ["f"])
  }

  @Test("A file that one program is replacing is not replaced by another one, nor opened for writing")
  func protecting() throws {
    var image = DiskImage()
    image.files["f"] = TestFiles.bytes(5000)
    let test = TestFiles(image)
    let (slow, files) = interrupted(test)
    let fast = other(test)
    let codes = Mutex<[ProtectionError.Code]>([])
    files.before("rename") {
      do throws(ProtectionError) { try fast.protectFile("f", .encrypted(owner: "bob")) } catch {
        codes.withLock { $0.append(error.code) }
      }
      do throws(ProtectionError) { try fast.copy("f", to: "f", .marked(owner: "bob")) } catch {
        codes.withLock { $0.append(error.code) }
      }
    }
    try slow.protectFile("f", TestFiles.alice)
    expectEqual(codes.withLock { $0 }, [.locked, .locked])
    try expectEqual(fast.info("f").owner, TestFiles.alice.owner)
    expectEqual(test.fileSystem.image.files.keys.sorted(), ["f"])
  }

  @Test("A file that is replaced between opening and locking is opened again, so that no write goes to the old one")
  func replacedBeforeLock() throws {
    let test = TestFiles()
    try test.protector.create(at: "f", TestFiles.alice).close()
    let (slow, files) = interrupted(test)
    let fast = other(test)
    files.before("lock") { try? fast.protectFile("f", .encrypted(owner: "bob")) }
    let file = try slow.open("f", forWriting: true)
    try file.write([1, 2, 3])
    try file.close()
    try expectEqual(fast.info("f").owner, "bob")
    try expectEqual(fast.open("f").read(9), [1, 2, 3])
  }

  @Test("A copy does not replace a file that is open for writing")
  func copying() throws {
    let test = TestFiles()
    try test.protector.create(at: "f", TestFiles.alice).close()
    let file = try test.protector.create(at: "g", TestFiles.alice)
    expectEqual(code { try other(test).copyUnprotected("f", to: "g") }, .locked)
    try file.write([1])
    try file.close()
    try expectEqual(test.protector.open("g").read(9), [1])
    try other(test).copyUnprotected("f", to: "g")
    expectEqual(test.fileSystem.image.files["g"], [])
  }

  @Test("The owner is checked while nobody else can change it")
  func verifying() throws {
    var image = DiskImage()
    image.files["f"] = [1, 2, 3]
    let test = TestFiles(image)
    let (slow, files) = interrupted(test)
    let fast = other(test)
    files.before("lock") { try? fast.protectFile("f", .encrypted(owner: "bob")) }
    expectEqual(code { try slow.protectFile("f", TestFiles.alice) { !$0.isEncrypted } }, .otherOwner)
    try expectEqual(fast.info("f").owner, "bob")
  }

  @Test("A file whose key is destroyed while it is made does not appear", arguments: ["rename", "renamed"])
  func fence(moment: String) throws {
    func run(_ work: (Protector) throws -> Void) throws -> DiskImage {
      var image = DiskImage()
      image.files["plain"] = [1, 2, 3]
      let test = TestFiles(image)
      try test.protector.protectFile("plain", .marked(owner: "eve"))
      let sealed = try test.protector.create(at: "sealed", TestFiles.alice)
      try sealed.write([1])
      try sealed.close()
      let (slow, files) = interrupted(test)
      let keys = test.keys
      files.before(moment) { keys.destroyKey(named: KeyName(scope: "notes", account: TestFiles.alice.owner), until: 5) }
      expectEqual(code { try work(slow) }, .destroyedKey)
      expectEqual(test.fileSystem.openFileCount, 0)
      return test.fileSystem.image
    }
    try expectEqual(run { _ = try $0.create(at: "f", TestFiles.alice) }.files.keys.sorted(), ["plain", "sealed"])
    try expectEqual(run { try $0.protectFile("plain", TestFiles.alice) }.files.keys.sorted(), ["sealed"])
    try expectEqual(run { try $0.copyUnprotected("sealed", to: "f") }.files.keys.sorted(), ["plain", "sealed"])
    try expectEqual(run { try $0.unprotectFile("sealed") }.files.keys.sorted(), ["plain"])
  }

  @Test("After a wipe, nothing more is encrypted in its epoch, and an open file takes no more")
  func afterWipe() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    try file.write([1])
    test.keys.destroyKey(named: KeyName(scope: "notes", account: TestFiles.alice.owner), until: 5)
    expectEqual(code { try file.sync() }, .destroyedKey)
    expectEqual(code { try file.close() }, .destroyedKey)
    expectEqual(code { _ = try test.protector.create(at: "g", TestFiles.alice) }, .destroyedKey)
    expectEqual(code { _ = try test.protector.protect([1], TestFiles.alice) }, .destroyedKey)
    let again = Protection.encrypted(owner: "alice", account: KeyAccount(TestFiles.alice.owner, epoch: 5))
    try test.protector.create(at: "g", again).close()
    expectEqual(test.fileSystem.openFileCount, 0)
  }

  @Test("Nothing is encrypted for an owner without a name")
  func nobody() throws {
    let test = TestFiles()
    for protection in [Protection.encrypted(owner: ""), .encrypted(owner: "a", account: KeyAccount(""))] {
      expectEqual(code { _ = try test.protector.create(at: "f", protection) }, .noOwner)
      expectEqual(code { _ = try test.protector.protect([1], protection) }, .noOwner)
    }
    try expectEqual(test.protector.info(try test.protector.protect([1], .marked(owner: ""))).owner, "")
  }

  @Test(
    "A file whose name may not be durable is protected again by one sync of its folder, and no power cut takes it back")
  func resumed() throws {
    var image = DiskImage()
    image.files["f"] = TestFiles.bytes(5000)
    for call in 1... {
      let test = TestFiles(image)
      test.fileSystem.setPlan(FaultPlan(at: call, .death))
      try? test.protector.protectFile("f", TestFiles.alice)
      if !test.fileSystem.isDead { break }
      test.fileSystem.revive()
      try other(test).protectFile("f", TestFiles.alice)
      try PowerCuts.forEach(of: test.fileSystem.operations, on: image, from: test.fileSystem.position) { state in
        let isEncrypted = try TestFiles(state.image, keys: test.keys).protector.isEncrypted("f")
        #expect(isEncrypted, "death at call \(call)")
      }
    }
  }
}
