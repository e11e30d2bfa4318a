import Expectations
import Glibc
import Journal
import JSON
import Synchronization
import Testing

@testable import CommandSupport

/// Commands that write journals: what one leaves that does not come to its end is not taken for a journal.
@Suite("Journals that commands do not finish")
struct UnfinishedJournalTests {
  private static let journal = Repository.journal("first-enrollment")

  /// The system's files, of which calls below a path fail that change something.
  private final class FailingFileSystem: ForwardingFileSystem {
    let base: any FileSystem = PauselessFileSystem()
    private let path: String
    private let failing: Int
    private let mayRemove: Bool
    private let calls = Mutex(0)

    /// - Parameters:
    ///   - failing: The first call that fails, counted from 0; later ones fail too.
    ///   - mayRemove: Whether removing goes on, as on a full device; otherwise nothing does, as where the process has ended.
    init(below path: String, from failing: Int, mayRemove: Bool) {
      (self.path, self.failing, self.mayRemove) = (path, failing, mayRemove)
    }

    var hasFailed: Bool { calls.withLock { $0 } > failing }

    private func count(_ path: String?, _ operation: String) throws(FileSystemError) {
      guard path?.hasPrefix(self.path) ?? true else { return }
      let number = calls.withLock { calls in
        defer { calls += 1 }
        return calls
      }
      if number >= failing { throw FileSystemError(28, during: operation) }
    }

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      // A full device opens what is there.
      if mode != .read, !mayRemove || TestFiles.shell("test -e \(path)") != 0 { try count(path, "open") }
      return try base.open(path, mode)
    }
    func write(
      _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
    ) throws(FileSystemError) -> Int {
      try count(nil, "write")
      return try base.write(file, bytes, at: offset)
    }
    func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
      try count(nil, "truncate")
      try base.setSize(of: file, to: size)
    }
    func sync(_ file: OpenFile) throws(FileSystemError) {
      try count(nil, "sync")
      try base.sync(file)
    }
    func syncDirectory(_ path: String) throws(FileSystemError) {
      try count(path, "sync directory")
      try base.syncDirectory(path)
    }
    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
      try count(path, "rename")
      try base.rename(path, to: newPath)
    }
    func createDirectory(_ path: String) throws(FileSystemError) {
      try count(path, "create directory")
      try base.createDirectory(path)
    }
    func remove(_ path: String) throws(FileSystemError) {
      if !mayRemove { try count(path, "remove") }
      try base.remove(path)
    }
  }

  private static let commands: [[String]] = [
    ["whatif", journal, "--drop", "3", "-o"], ["fork", journal, "5"], ["fork", "EXPORT", "5"],
    ["import", "EXPORT", "-o"],
    ["import", "--format", "intune-log", "Tests/pj/IntuneLogs/IntuneMAMDiagnostics.txt", "-o"],
    ["salvage", journal, "-o"],
  ]

  /// The last record of `pj verify`, without what differs between two journals that the same command wrote.
  private static func events(_ path: String) -> String? {
    let end = ToolRun("verify", path, "-j").records.compactMap { $0?.object }.first { $0["kind"]?.string == "end" }
    return end?["sound"]?.bool == true ? "\(end?["events"]?.number?.text ?? "") \(end?["closed"]?.bool ?? false)" : nil
  }

  @Test(
    "Wherever a command ends, its journal is whole, or is not taken for one; on a full device nothing is left",
    arguments: commands, [true, false])
  func everyCall(command: [String], mayRemove: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let export = "\(folder)/imported"
      expectEqual(ToolRun("export", Self.journal, "-o", "\(folder)/a.pjx").code, .done)
      expectEqual(ToolRun("import", "\(folder)/a.pjx", "-o", export).code, .done)
      let words = command.map { $0 == "EXPORT" ? command[0] == "import" ? "\(folder)/a.pjx" : export : $0 }
      let before = try TestFiles.names(in: folder).sorted()
      let whole = "\(folder)/whole"
      let code = ToolRun(words + [whole]).code
      #expect(code == .done || code == .different)
      let events = try #require(Self.events(whole))
      let isRedacted = TestFiles.shell("test -e \(whole)/EXPORTED") == 0
      expectEqual(TestFiles.shell("rm -r \(whole)"), 0)
      var failing = 0
      while failing < 1_000 {
        let path = "\(folder)/\(failing)"
        let fileSystem = FailingFileSystem(below: path, from: failing, mayRemove: mayRemove)
        var environment = ToolEnvironment()
        environment.fileSystem = fileSystem
        let run = ToolRun(words + [path], environment: environment)
        failing += 1
        guard fileSystem.hasFailed else {
          #expect(run.code == code && Self.events(path) == events, "\(run.notes)")
          break
        }
        #expect(access(path, F_OK) != 0 || Self.events(path).map { $0 == events } ?? true, "\(failing)")
        if Self.events(path) == events { #expect(access(path + "/EXPORTED", F_OK) == 0 || !isRedacted) }
        guard mayRemove else {
          expectEqual(TestFiles.shell("rm -rf \(path)"), 0)
          continue
        }
        expectEqual(run.code, .unreadable, "\(failing): \(run.notes)")
        // What was not written cannot be salvaged.
        #expect(command[0] != "import" || !run.notes.contains("salvage"), "\(failing): \(run.notes)")
        // A folder that a failed import made may stay, empty.
        rmdir(path)
        let left = try TestFiles.names(in: folder).sorted()
        expectEqual(left, before, "\(failing): \(run.notes)")
      }
      #expect(failing > 15)
    }
  }
}
