import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("Protecting a whole file")
struct WholeFileTests {
  private static let text = TestFiles.bytes(150_000)

  private static func image(_ bytes: [UInt8]) -> DiskImage {
    var image = DiskImage()
    image.files["f"] = bytes
    return image
  }

  @Test("A file is encrypted, marked and made plain again in place, and its info follows", arguments: [0, 1, 150_000])
  func inPlace(count: Int) throws {
    let text = Array(Self.text.prefix(count))
    let test = TestFiles(Self.image(text))
    #expect(try !test.protector.isEncrypted("f"))
    #expect(throws: ProtectionError.self) { try test.protector.info("f") }
    try test.protector.protectFile("f", TestFiles.alice)
    #expect(try test.protector.isEncrypted("f"))
    let info = try test.protector.info("f")
    #expect(info.owner == "alice@contoso.com" && info.keyID != nil)
    let operations = test.fileSystem.operations.count
    try test.protector.protectFile("f", TestFiles.alice)
    expectEqual(test.fileSystem.operations[operations...], [.syncDirectory(".")])
    try test.protector.protectFile("f", .encrypted(owner: "bob@contoso.com"))
    try expectEqual(test.protector.info("f").owner, "bob@contoso.com")
    try test.protector.copyUnprotected("f", to: "copy")
    expectEqual(test.fileSystem.image.files["copy"], text)
    try test.protector.protectFile("f", .marked(owner: "eve@example.com"))
    #expect(try !test.protector.isEncrypted("f") && test.protector.info("f").owner == "eve@example.com")
    try test.protector.unprotectFile("f")
    try test.protector.unprotectFile("f")
    expectEqual(test.fileSystem.image.files, ["f": text, "copy": text])
    #expect(test.fileSystem.misuse == [] && test.fileSystem.openFileCount == 0)
  }

  @Test(
    "A file that says it is longer than what may be taken into memory is refused by its length", arguments: [0, 1, 2])
  func limit(form: Int) throws {
    let test = TestFiles(Self.image(Array(Self.text.prefix(1_000))))
    if form == 1 { try test.protector.protectFile("f", TestFiles.alice) }
    if form == 2 { try test.protector.protectFile("f", .marked(owner: "eve@example.com")) }
    try expectEqual(test.protector.contents(of: "f", atMost: 1_000), Array(Self.text.prefix(1_000)))
    for limit in [999, 0, -1] {
      let error = #expect(throws: ProtectionError.self) { try test.protector.contents(of: "f", atMost: limit) }
      #expect(error?.code == .tooLarge && error?.file == "f")
      expectEqual(error?.message, "it has 1000 bytes, and no more than \(limit) are taken into memory at once")
    }
    expectEqual(test.fileSystem.openFileCount, 0)
  }

  @Test("A protected file that is open for writing is not replaced, and its copy is that of the last sync")
  func open() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    try file.write(Self.text)
    try file.sync()
    try file.pwrite([1, 2, 3], at: 0)
    let changes: [() throws -> Void] = [
      { try test.protector.unprotectFile("f") },
      { try test.protector.protectFile("f", .marked(owner: "eve")) },
    ]
    for change in changes {
      let error = #expect(throws: ProtectionError.self) { try change() }
      expectEqual(error?.code, .locked)
    }
    try test.protector.copyUnprotected("f", to: "copy")
    let isSynced = test.fileSystem.image.files["copy"] == Self.text
    #expect(isSynced)
    try file.close()
    try test.protector.unprotectFile("f")
    expectEqual(test.fileSystem.image.files["f"]?.prefix(3), [1, 2, 3])
  }

  @Test("A power cut at any point leaves the file as it was or as it is to be, and leftovers that name themselves")
  func powerCuts() throws {
    let image = Self.image(Array(Self.text.prefix(70_000)))
    let test = TestFiles(image)
    let before = test.fileSystem.image.files["f"]
    try test.protector.protectFile("f", TestFiles.alice)
    let protected = test.fileSystem.position
    let middle = test.fileSystem.image.files["f"]
    try test.protector.unprotectFile("f")
    let end = test.fileSystem.position
    expectEqual(test.fileSystem.image.files["f"], before)
    PowerCuts.forEach(of: test.fileSystem.operations, on: image, share: 7) { state in
      var allowed = state.position < protected ? [before, middle] : [middle, before]
      if state.position == protected { allowed = [middle] }
      if state.position == end { allowed = [before] }
      let isAllowed = allowed.contains(state.image.files["f"])
      #expect(isAllowed, "cut after operation \(state.position), \(state.fates)")
      let others = state.image.files.keys.filter { $0 != "f" }
      let areKnown = others.allSatisfy { Leftover.matches($0) }
      #expect(areKnown, "\(others)")
    }
  }

  @Test("A call that fails leaves the file as it was or as it is to be, and nothing beside it")
  func failures() throws {
    let image = Self.image(Array(Self.text.prefix(70_000)))
    for call in 1... {
      let test = TestFiles(image)
      test.fileSystem.setPlan(FaultPlan(at: call, .error(28)))
      var failure: ProtectionError?
      do throws(ProtectionError) { try test.protector.protectFile("f", TestFiles.alice) } catch { failure = error }
      if call > test.fileSystem.calls.count { break }
      test.fileSystem.revive()
      let isPlain = test.fileSystem.image.files["f"] == image.files["f"]
      let isProtected = try !isPlain && test.protector.open("f").pread(100_000, at: 0) == image.files["f"]
      #expect(isPlain || isProtected, "call \(call)")
      #expect(failure != nil || isProtected, "call \(call)")
      expectEqual(test.fileSystem.image.files.count, 1, "call \(call)")
      // The same again, without the failure.
      try test.protector.protectFile("f", TestFiles.alice)
      #expect(try test.protector.isEncrypted("f"))
    }
  }

  @Test("On the system's own files, permissions stay, new files are their owner's alone, and links are refused")
  func modes() throws {
    try TemporaryFolder.with { folder in
      let random = SeededBytes(seed: 4)
      let protector = Protector(keys: TestKeys(), scope: "notes", randomBytes: { random($0) })
      let path = folder.write(Self.text, to: "note", mode: 0o640)
      try protector.protectFile(path, TestFiles.alice)
      expectEqual(folder.mode("note"), 0o640)
      let isSame = try protector.open(path).read(200_000) == Self.text
      #expect(isSame)
      try protector.create(at: folder.path + "/new", TestFiles.alice).close()
      expectEqual(folder.mode("new"), 0o600)
      for mode in [0o666, 0o444] {
        let open = folder.write(Self.text, to: "open", mode: .init(mode))
        try protector.copyUnprotected(open, to: folder.path + "/copy")
        expectEqual(folder.mode("copy"), 0o600)
        try protector.copy(open, to: folder.path + "/copy", TestFiles.alice)
        #expect(folder.mode("copy") == 0o600 && folder.mode("open") == .init(mode))
        for name in ["open", "copy"] { try PosixFileSystem().remove("\(folder.path)/\(name)") }
      }
      folder.link("link", to: "note")
      try protector.unprotectFile(path)
      #expect(throws: ProtectionError.self) { try protector.protectFile(folder.path + "/link", TestFiles.alice) }
      #expect(folder.read("note") == Self.text && folder.mode("note") == 0o640)
      expectEqual(folder.names, ["link", "new", "note"])
    }
  }

  @Test("Large files are written and read on several threads, with the same result")
  func large() throws {
    try TemporaryFolder.with { folder in
      let random = SeededBytes(seed: 4)
      let protector = Protector(keys: TestKeys(), scope: "notes", randomBytes: { random($0) })
      let text = TestFiles.bytes(20_000_003)
      let path = folder.write(text, to: "large")
      try protector.protectFile(path, TestFiles.alice)
      let file = try protector.open(path)
      let isSame = try file.read(30_000_000) == text
      #expect(isSame)
      let isPart = try file.pread(9_000_000, at: 3_000_001) == Array(text[3_000_001..<12_000_001])
      #expect(isPart)
      var bytes = folder.read("large")
      bytes[9_000_000] ^= 1
      _ = folder.write(bytes, to: "large")
      #expect(throws: ProtectionError.self) { try protector.open(path).read(30_000_000) }
    }
  }
}
