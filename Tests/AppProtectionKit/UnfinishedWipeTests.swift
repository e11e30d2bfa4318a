import Expectations
import AppProtection
import Journal
import Testing

@testable import AppProtectionKit
@testable import FileProtection

@Suite("A wipe that one launch cannot finish")
struct UnfinishedWipeTests {
  @Test("Files that keep moving leave the wipe unfinished, with the reason, and the next launch finishes it")
  func moving() async throws {
    // What encrypts the file, under the account's number.
    let folder = try ManagedFolder()
    let disk = PosixFileSystem()
    for name in ["first", "last"] { try disk.createDirectory(folder.path(name)) }
    let (first, last) = (folder.path("first/file"), folder.path("last/file"))
    try folder.files.write([1], to: last, for: ManagedFolder.alice)

    let test = try await PolicyEngineTests.enrolled()
    func remover() -> ContainerFiles {
      ContainerFiles(in: folder.path("."), protector: folder.keys.protector) { [engine = test.engine] in engine.state }
    }
    var interrupted = remover()
    interrupted.files.didWalk = { path in
      if path.hasSuffix("/first") { try? disk.rename(last, to: first) }
      if path.hasSuffix("/last") { try? disk.rename(first, to: last) }
    }
    test.app.remover.withLock { [interrupted] in $0 = interrupted }
    try await test.engine.send(.requestWipe(PolicyEngineTests.alice, .appRequest, .app))
    try await test.engine.run()
    #expect(test.engine.state.wipes[.first]?.phase == .removingFiles && folder.read("last/file") != nil)
    let records = try test.engine.store.recordedEvents(after: 0)
    guard case .wipeFailed(let failure)? = records.last?.event else {
      Issue.record("\(records.map(\.typeName))")
      return
    }
    #expect(failure.error.contains("its files keep moving, also during the last of 8 passes"))
    // Its key is gone: nothing reads the file meanwhile, wherever it is moved to.
    #expect(try folder.files.protectionInfo(last)?.owner == nil)

    try test.replaceEngine()
    test.app.remover.withLock { $0 = remover() }
    try await test.engine.launch(ProcessStart())
    try await test.engine.run()
    #expect(test.engine.state.wipes[.first]?.phase == .completed && folder.read("last/file") == nil)
    let counts = try test.engine.store.recordedEvents(after: 0).compactMap { record -> UInt64? in
      if case .wipeFilesRemoved(let removed)? = record.event { removed.count } else { nil }
    }
    expectEqual(counts, [1])
    expectEqual(test.app.log.filter { $0 == "removeFiles a1" }.count, 2)
  }

  @Test("A wipe counts what a process removed that died before the journal knew of it, also once its key was destroyed")
  func tornCount() async throws {
    let folder = try ManagedFolder()
    let test = try await PolicyEngineTests.enrolled()
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector) { [engine = test.engine] in
      engine.state
    }
    test.app.remover.withLock { $0 = remover }
    func tallies() throws -> [String] {
      try PosixFileSystem().list(folder.path(".")).filter { $0.hasPrefix(".policyjournal-wipe-") }
    }
    func write(_ names: String...) throws {
      for name in names { try folder.files.write([1], to: folder.path(name), for: ManagedFolder.alice) }
    }
    try write("1", "2", "3")
    try await test.engine.send(.requestWipe(PolicyEngineTests.alice, .appRequest, .app))
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 3))
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 0, earlier: 3))
    // They are not encrypted, so they do not go with their key.
    for name in ["4", "5"] {
      try folder.keys.protector.write([1], to: folder.path(name), .marked(owner: "alice@contoso.com"))
    }
    expectEqual(remover.removeLeftovers(), FileRemoval(count: 0))
    try expectEqual(tallies().count, 1)
    try await test.engine.run()
    #expect(test.engine.state.wipes[.first]?.phase == .completed && test.engine.state.wipes[.first]?.filesRemoved == 5)
    expectEqual(remover.removeLeftovers(), FileRemoval(count: 0))
    #expect(try tallies() == [] && folder.read("4") == nil)
  }

  @Test("What is left of a wipe whose process died with the key destroyed is counted where the next launch removes it")
  func leftovers() throws {
    let folder = try ManagedFolder()
    for name in ["1", "2"] { try folder.files.write([1], to: folder.path(name), for: ManagedFolder.alice) }
    try folder.send(.requestWipe(ManagedFolder.alice, .appRequest, .app))
    let remover = ContainerFiles(in: folder.path("."), protector: folder.keys.protector, state: folder.state)
    #expect(remover.destroyKeys(of: .first))
    expectEqual(remover.removeLeftovers(), FileRemoval(count: 2))
    expectEqual(remover.removeFiles(of: .first), FileRemoval(count: 0, earlier: 2))
  }

  @Test("What the journal knows is not counted again, and what it cannot know is")
  func unknownCounts() {
    let cases: [(earlier: UInt64, count: UInt64, recorded: UInt64, unknown: UInt64)] = [
      (0, 4, 0, 4), (3, 4, 0, 7), (3, 4, 3, 4), (3, 0, 3, 0), (3, 1, 2, 2), (0, 4, 9, 4), (.max, 1, 5, .max - 5),
      (1, .max, 0, .max),
    ]
    for (earlier, count, recorded, unknown) in cases {
      expectEqual(FileRemoval(count: count, earlier: earlier).count(unknownTo: recorded), unknown)
    }
  }
}
