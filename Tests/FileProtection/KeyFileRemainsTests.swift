import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("What a destroyed key leaves behind")
struct KeyFileRemainsTests {
  private static let alice = KeyName(scope: "notes", account: "1")

  private static func open(
    _ path: String, _ fileSystem: any FileSystem = PosixFileSystem(), create: Bool
  ) throws -> FileKeyStore {
    let key = try #require(SecretKey(bytes: [UInt8](repeating: 7, count: 32)))
    let random = SeededBytes(seed: 1)
    return try FileKeyStore(
      at: path, create: create, wrappingKey: { key }, randomBytes: { random($0) }, fileSystem: fileSystem)
  }

  @Test("A link in the place of the key file is refused by name, also one that leads nowhere, and stays as it is")
  func links() throws {
    try TemporaryFolder.with { folder in
      folder.makeFolder("elsewhere")
      let path = "\(folder.path)/keys"
      folder.link("keys", to: "\(folder.path)/elsewhere/keys")
      func refusal(create: Bool) -> String {
        let error = #expect(throws: KeyStoreError.self) { try Self.open(path, create: create) }
        expectEqual(error?.code, .unavailable)
        return error?.description ?? ""
      }
      for create in [false, true] { #expect(refusal(create: create).contains("is a symbolic link")) }
      _ = try Self.open("\(folder.path)/elsewhere/keys", create: true).makeKey(named: Self.alice, epoch: 0)
      let before = folder.read("elsewhere/keys")
      for create in [false, true] { #expect(refusal(create: create).contains("Give the path to which it leads")) }
      #expect(folder.read("elsewhere/keys") == before && !folder.exists("keys.new"))
    }
  }

  @Test("A store whose file becomes a link destroys nothing, and says so")
  func linkLater() throws {
    try TemporaryFolder.with { folder in
      folder.makeFolder("elsewhere")
      let store = try Self.open("\(folder.path)/keys", create: true)
      let key = try store.makeKey(named: Self.alice, epoch: 0)
      let disk = PosixFileSystem()
      try disk.rename("\(folder.path)/keys", to: "\(folder.path)/elsewhere/keys")
      folder.link("keys", to: "\(folder.path)/elsewhere/keys")
      let error = #expect(throws: KeyStoreError.self) { try store.destroyKey(named: Self.alice, until: nil) }
      expectEqual(error?.message.contains("is a symbolic link"), true)
      try expectEqual(Self.open("\(folder.path)/elsewhere/keys", create: false).key(named: Self.alice), key)
    }
  }

  @Test("Where any call fails, a destroyed key is nowhere on the device, or an error says that it may be")
  func failedOverwriting() throws {
    var reports = 0
    for call in 1... {
      let fileSystem = RecordingFileSystem()
      let store = try Self.open("keys", fileSystem, create: true)
      let wrapped = try Self.wrapped(store.makeKey(named: Self.alice, epoch: 0), in: fileSystem)
      let before = fileSystem.calls.count
      fileSystem.setPlan(FaultPlan(at: before + call, .error(5)))
      var failure: KeyStoreError?
      do throws(KeyStoreError) { try store.destroyKey(named: Self.alice, until: nil) } catch { failure = error }
      if fileSystem.calls.count < before + call { break }
      fileSystem.setPlan(nil)
      if failure?.code == .copyRemains {
        reports += 1
        try expectEqual(store.key(named: Self.alice), .destroyed, "call \(call)")
      } else {
        if failure != nil { try store.destroyKey(named: Self.alice, until: nil) }
        #expect(!Self.holds(fileSystem, wrapped), "call \(call): \(fileSystem.calls[before + call - 1])")
      }
      // Reported once; nothing can be done about it any more.
      try store.destroyKey(named: Self.alice, until: nil)
      #expect(fileSystem.openFileCount == 0 && fileSystem.misuse == [], "call \(call)")
    }
    #expect(reports >= 3)
  }

  @Test("More files that lost their name than are held open are reported, and never dropped without a word")
  func manyLost() throws {
    let fileSystem = RecordingFileSystem()
    let store = try Self.open("keys", fileSystem, create: true)
    _ = try store.makeKey(named: Self.alice, epoch: 0)
    for number in 0..<17 {
      // The name of each new file may not last, so the old one is kept as it is.
      fileSystem.setPlan(FaultPlan(at: 1, count: .max, .error(5), kinds: ["syncDirectory"]))
      #expect(throws: KeyStoreError.self) {
        try store.makeKey(named: KeyName(scope: "notes", account: "other \(number)"), epoch: 0)
      }
    }
    fileSystem.setPlan(nil)
    let error = #expect(throws: KeyStoreError.self) { try store.destroyKey(named: Self.alice, until: nil) }
    #expect(error?.code == .copyRemains && error?.message.contains("is destroyed in the key file") == true)
    try store.destroyKey(named: Self.alice, until: nil)
    expectEqual(fileSystem.openFileCount, 0)
  }

  @Test("An old copy that remains is reported of the next key that is destroyed, and of no name that never had one")
  func otherName() throws {
    let fileSystem = RecordingFileSystem()
    let store = try Self.open("keys", fileSystem, create: true)
    _ = try store.makeKey(named: Self.alice, epoch: 0)
    // The first write is that of the new file, the second one overwrites the old one.
    let before = fileSystem.calls.count
    _ = try store.makeKey(named: KeyName(scope: "notes", account: "2"), epoch: 0)
    let writes = fileSystem.calls.indices.filter { $0 >= before && fileSystem.calls[$0] == "write" }
    try #require(writes.count == 2)
    fileSystem.setPlan(FaultPlan(at: fileSystem.calls.count + writes[1] - before + 1, .error(5)))
    _ = try store.makeKey(named: KeyName(scope: "notes", account: "3"), epoch: 0)
    fileSystem.setPlan(nil)
    try store.destroyKey(named: KeyName(scope: "notes", account: "4"), until: 1)
    let error = #expect(throws: KeyStoreError.self) { try store.destroyKey(named: Self.alice, until: nil) }
    expectEqual(error?.code, .copyRemains)
  }

  /// A key as the file holds it.
  private static func wrapped(_ entry: KeyEntry, in fileSystem: RecordingFileSystem) throws -> [UInt8] {
    guard case .key(let key) = entry, let id = key.id else { throw TemporaryFolder.Failure() }
    let file = try #require(fileSystem.image.files["keys"])
    let place = try #require(file.indices.first { file[$0...].starts(with: id.bytes) }).advanced(by: 16)
    return Array(file[place..<(place + 60)])
  }

  private static func holds(_ fileSystem: RecordingFileSystem, _ part: [UInt8]) -> Bool {
    fileSystem.allContents.contains { bytes in bytes.indices.contains { bytes[$0...].starts(with: part) } }
  }

  @Test("Where any call fails that destroys a key, a wipe removes the files, and leaves no copy of the key unreported")
  func failedWipe() throws {
    var (call, last, reports) = (0, 0, 0)
    repeat {
      try TemporaryFolder.with { folder in
        let fileSystem = RecordingFileSystem()
        let store = try Self.open("keys", fileSystem, create: true)
        let random = SeededBytes(seed: 2)
        let protector = Protector(keys: store, scope: Self.alice.scope, randomBytes: { random($0) })
        try protector.protectFile(folder.write([1], to: "encrypted"), .encrypted(owner: Self.alice.account))
        try protector.protectFile(folder.write([1], to: "marked"), .marked(owner: "alice"))
        let wrapped = try Self.wrapped(store.makeKey(named: Self.alice, epoch: 0), in: fileSystem)
        let files = OwnedFiles(in: folder.path, protector: protector)
        let before = fileSystem.calls.count
        if call == 0 {
          // Only counts the calls.
          try store.destroyKey(named: Self.alice, until: nil)
          last = fileSystem.calls.count - before
        } else {
          fileSystem.setPlan(FaultPlan(at: before + call, .error(5)))
        }
        let removal = files.wipe(KeyAccount(Self.alice.account), owners: ["alice"])
        fileSystem.setPlan(nil)
        #expect(try folder.names == [] && removal.count == 2 && store.key(named: Self.alice) == .destroyed)
        if let failure = removal.failure {
          reports += 1
          #expect(failure.contains("an old copy could not be overwritten"), "call \(call): \(failure)")
        } else {
          #expect(!Self.holds(fileSystem, wrapped), "call \(call)")
        }
        expectEqual(files.wipe(KeyAccount(Self.alice.account), owners: ["alice"]), OwnedFiles.Removal())
      }
      call += 1
    } while call <= last
    #expect(reports >= 3)
  }
}
