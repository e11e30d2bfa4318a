import Forensics
import Journal
import Synchronization

/// Where commands find journals: the folders of another file system, and journals in memory that were read from an export or
/// an archive, under the names of those files.
package final class MountedJournals: ForwardingFileSystem {
  /// The other file system.
  package let base: any FileSystem
  private let archives: (any ArchiveOpener)?
  private let memory: MemoryFiles
  private let readStandardInput: @Sendable (Int) -> Platform.ReadResult
  private let mounts = Mutex<[String: Mount]>([:])
  /// What was left in archives of several journals.
  private let ignoredBeside = Mutex<[String]>([])
  /// Numbers of files from here on are those of files in memory.
  private static let firstNumber: Int32 = 1 << 28

  /// A journal in memory.
  package struct Mount {
    /// The kind of the file.
    package let kind: PackedKind
    /// What is missing of it; `nil` if nothing.
    package let loss: String?
    /// What there is to say of it: what was left in it, with the reasons.
    let ignored: [String]
    /// The command that makes a folder of it, if another than one of this tool's does.
    let unpacking: String?
    /// Whether a note of the command names the loss.
    var isLossTold = false

    init(_ kind: PackedKind, loss: String?, ignored: [String] = [], unpacking: String? = nil) {
      (self.kind, self.loss, self.ignored, self.unpacking) = (kind, loss, ignored, unpacking)
    }

    /// Says that events may be missing; `nil` where the file is whole.
    package var finding: Finding? {
      loss.map {
        Finding(
          .tailLost, file: kind.name, byteRange: 0..<0, cause: "it is damaged or cut short", evidence: $0,
          remedy: "ask for the file again")
      }
    }
  }

  package init(_ environment: ToolEnvironment) {
    base = environment.fileSystem
    archives = environment.tool.archives
    readStandardInput = environment.readStandardInput
    memory = MemoryFiles(firstNumber: Self.firstNumber, clock: environment.fileSystem)
  }

  /// What is missing of the files that were opened and no note has named, in one line for each.
  ///
  /// - Parameter command: The command that opened them, which is no next step.
  package func losses(for command: String) -> [String] {
    mounts.withLock { mounts in
      mounts.sorted { $0.key < $1.key }.compactMap { path, mount in
        guard !mount.isLossTold, let loss = mount.loss else { return nil }
        let next =
          mount.kind.recovery == command
          ? "ask for the file again" : FindingNotes.recovery(mount.kind.recovery, path)
        return "\(path): \(loss). Next: \(next)"
      }
    }
  }

  /// Takes note of a line that the user sees.
  func notice(_ line: String) {
    mounts.withLock { mounts in
      for (path, mount) in mounts where mount.loss.map(line.contains) ?? false { mounts[path]?.isLossTold = true }
    }
  }

  /// What was left in the files that were opened.
  package var ignored: [String] {
    ignoredBeside.withLock { $0 }
      + mounts.withLock { mounts in
        mounts.sorted { $0.key < $1.key }.flatMap { path, mount in mount.ignored.map { "\(path): \($0)" } }
      }
  }

  /// The journal in memory that a path names; `nil` if it names something else.
  package func mount(at path: String) -> Mount? { mounts.withLock { $0[path] } }

  /// Reads the file that a path names, or standard input for `-`, if it is an export. Every other path is left to the
  /// other file system.
  package func open(_ path: String) throws(Failure) {
    guard mount(at: path) == nil, let file = try file(path) else { return }
    let mount = try PackedInput.unpack(file, path, archives, into: memory)
    mounts.withLock { $0[path] = mount }
  }

  private func file(_ path: String) throws(Failure) -> PackedInput.File? {
    guard path == "-" else { return try PackedInput.file(path, archives) }
    let bytes = try PackedInput.bytes(readStandardInput(PackedInput.limits.fileBytes), path)
    guard !bytes.isEmpty else {
      throw Failure(.unreadable, "-: standard input is empty", next: "\(Tool.name) help exports")
    }
    return PackedInput.File(path: path, bytes: bytes)
  }

  /// Opens every journal that a path leads to, and returns the path of each: the folder itself, an export, or the journals
  /// of an archive in the order of their names.
  package func openAll(_ path: String) throws(Failure) -> [String] {
    guard let file = try file(path) else { return [path] }
    let found = try PackedInput.unpackAll(file, path, archives, into: memory)
    ignoredBeside.withLock { $0 += found.ignored.map { "\(path): \($0)" } }
    mounts.withLock { mounts in
      for (path, mount) in found.journals { mounts[path] = mount }
    }
    return found.journals.map(\.path)
  }

  private func isMounted(_ path: String) -> Bool {
    mounts.withLock { mounts in
      !mounts.isEmpty
        && mounts.keys.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
  }

  private func system(of path: String) -> any FileSystem { isMounted(path) ? memory : base }
  private func system(of file: OpenFile) -> any FileSystem { file.number >= Self.firstNumber ? memory : base }

  private static let readOnly = FileSystemError(30, during: "open")

  package func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    guard isMounted(path) else { return try base.open(path, mode) }
    guard mode == .read else { throw Self.readOnly }
    return try memory.open(path, mode)
  }
  package func close(_ file: OpenFile) { system(of: file).close(file) }
  package func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try system(of: file).read(file, into: buffer, at: offset) }
  package func size(of file: OpenFile) throws(FileSystemError) -> UInt64 { try system(of: file).size(of: file) }
  package func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? {
    system(of: file).nextData(in: file, from: offset)
  }
  package func list(_ path: String) throws(FileSystemError) -> [String] { try system(of: path).list(path) }
  package func stampOfNames(in path: String) -> UInt64? { system(of: path).stampOfNames(in: path) }
  package func identity(of path: String) throws(FileSystemError) -> String { try system(of: path).identity(of: path) }
  package func watch(_ path: String) -> (any DirectoryWatch)? { system(of: path).watch(path) }
}

extension ToolEnvironment {
  /// Opens exports and archives where a journal is expected; `nil` in tests that open folders only.
  package var door: MountedJournals? { fileSystem as? MountedJournals }
}
