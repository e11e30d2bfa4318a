import Expectations
import Journal
import Synchronization
import Testing

@testable import CommandSupport

/// Files and folders that commands write keep their names through a power cut, or the command says that they may not.
@Suite("Names that survive a power cut")
struct DurableOutputTests {
  private static let journal = Repository.journal("first-enrollment")

  /// The system's files, where folders cannot be made durable, or renaming says that it failed and did not.
  private final class Device: ForwardingFileSystem {
    let base: any FileSystem = PauselessFileSystem()
    let failing: String?
    let lies: Bool
    let synced = Mutex<[String]>([])

    init(failing: String? = nil, lies: Bool = false) { (self.failing, self.lies) = (failing, lies) }

    func syncDirectory(_ path: String) throws(FileSystemError) {
      synced.withLock { $0.append(path) }
      if path == failing { throw FileSystemError(5, during: "sync directory") }
      try base.syncDirectory(path)
    }

    func rename(_ path: String, to newPath: String) throws(FileSystemError) {
      try base.rename(path, to: newPath)
      if lies { throw FileSystemError(5, during: "rename") }
    }
  }

  private func run(_ words: [String], on device: Device) -> ToolRun {
    var environment = ToolEnvironment()
    environment.fileSystem = device
    return ToolRun(words, environment: environment)
  }

  @Test(
    "The folder of what is written is made durable last, and where that fails, what is said is true",
    arguments: [["export"], ["timeline"], ["timeline", "--format", "chrome-trace"], ["tables"]])
  func outputs(command: [String]) throws {
    try TestFiles.withTemporaryFolder { folder in
      let sound = Device()
      expectEqual(run(command + [Self.journal, "-o", "\(folder)/a"], on: sound).code, .done)
      expectEqual(sound.synced.withLock { $0 }.last, folder)
      let failed = run(command + [Self.journal, "-o", "\(folder)/b"], on: Device(failing: folder))
      expectEqual(failed.code, .unreadable)
      #expect(
        failed.notes.contains(
          "--output \(folder)/b: it is written, whole, but may not survive a power cut: Input/output error. Next: sync"),
        "\(failed.notes)")
      let left = try TestFiles.names(in: folder)
      expectEqual(left.sorted(), ["a", "b"])
      if command == ["export"] { expectEqual(ToolRun("log", "\(folder)/b").code, .done) }
    }
  }

  @Test("The names of manual pages are made durable, and that of their folder where it is new")
  func manualPages() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (new, old) = (Device(), Device())
      expectEqual(run(["help", "--man-pages", "\(folder)/a/"], on: new).code, .done)
      expectEqual(new.synced.withLock { $0 }, ["\(folder)/a/", folder])
      expectEqual(TestFiles.shell("mkdir \(folder)/b"), 0)
      expectEqual(run(["help", "--man-pages", "\(folder)/b"], on: old).code, .done)
      expectEqual(old.synced.withLock { $0 }, ["\(folder)/b"])
      let failed = run(["help", "--man-pages", "\(folder)/c"], on: Device(failing: folder))
      expectEqual(failed.code, .unreadable)
      #expect(
        failed.notes.contains("--man-pages \(folder)/c: it is written, whole, but may not survive a power cut: "),
        "\(failed.notes)")
    }
  }

  @Test("Tables are in their place where renaming says that it failed, and did not")
  func tables() throws {
    try TestFiles.withTemporaryFolder { folder in
      expectEqual(run(["tables", Self.journal, "-o", "\(folder)/a"], on: Device(lies: true)).code, .done)
      let left = try TestFiles.names(in: folder)
      expectEqual(left, ["a"])
    }
  }

  @Test("A property list that was repaired is said to be, whatever fails after that")
  func settings() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/Info.plist"
      let old = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string>
        <key>IntuneMAMSettings</key><dict/></dict></plist>
        """.utf8)
      try TestFiles.write(old, to: path)
      let words = ["settings", "fix", path, "--write"]
      let failed = run(words, on: Device(failing: folder))
      #expect(failed.code == .unreadable && failed.output.contains("; 1 written."), "\(failed)")
      #expect(
        failed.notes.contains(
          "\(path): the file is written, whole, but may not survive a power cut: Input/output error. Next: sync"),
        "\(failed.notes)")
      let new = try TestFiles.read(path)
      #expect(new != old && ToolRun(words).output.contains("\nNothing to change in 1 file, 2 notes."))
      try TestFiles.write(old, to: path)
      let done = run(words, on: Device(lies: true))
      #expect(done.code == .done && done.output.contains("; 1 written."), "\(done)")
      try expectEqual(TestFiles.read(path), new)
      try expectEqual(TestFiles.names(in: folder), ["Info.plist"])
    }
  }
}
