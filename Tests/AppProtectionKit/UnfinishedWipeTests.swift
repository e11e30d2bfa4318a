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
    #expect(counts == [1])
    #expect(test.app.log.filter { $0 == "removeFiles a1" }.count == 2)
  }
}
