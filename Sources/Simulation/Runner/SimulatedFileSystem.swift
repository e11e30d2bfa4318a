import Journal
import Synchronization

/// The file system as a simulated process sees it: the real files, until the process crashes.
///
/// A crash closes every file without writing another byte, which also releases the journal's lock, and refuses all
/// later calls of the dead process. Values that differ from run to run, such as the process number, are constant here.
/// Nothing is synced: the simulating process does not die, so everything written stays.
final class SimulatedFileSystem: FileSystem {
  private struct State {
    /// The open files and their paths.
    var paths: [OpenFile: String] = [:]
    /// The number of bytes of the next write to a segment that reach the file before the process crashes; `nil` for no
    /// crash.
    var tear: Int?
    var isDead = false
  }

  private static let instances = Atomic<UInt64>(0)

  private let base: any FileSystem
  private let state = Mutex(State())
  private let instance = SimulatedFileSystem.instances.add(1, ordering: .relaxed).newValue

  /// - Parameter base: The file system that holds the files.
  init(_ base: any FileSystem = PosixFileSystem()) {
    self.base = base
  }

  /// Whether the process has crashed.
  var hasCrashed: Bool { state.withLock { $0.isDead } }

  /// Crashes the process during its next write to a segment, after this many bytes.
  func tearNextWrite(after bytes: Int) {
    state.withLock { $0.tear = bytes }
  }

  /// Crashes the process.
  func crash() {
    let files = state.withLock { state in
      state.isDead = true
      let files = Array(state.paths.keys)
      state.paths = [:]
      return files
    }
    // The order does not matter: closing changes no file.
    for file in files { base.close(file) }
  }

  private func live(_ operation: String) throws(FileSystemError) {
    if hasCrashed { throw FileSystemError(ScenarioFiles.inputOutputError, during: operation) }
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try live("open")
    let file = try base.open(path, mode)
    state.withLock { $0.paths[file] = path }
    return file
  }

  func close(_ file: OpenFile) {
    // A dead process's files are closed, and their numbers may belong to another process by now.
    guard state.withLock({ $0.paths.removeValue(forKey: file) }) != nil else { return }
    base.close(file)
  }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    try live("read")
    return try base.read(file, into: buffer, at: offset)
  }

  func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    try live("write")
    let tear = state.withLock { state -> Int? in
      guard let tear = state.tear, state.paths[file]?.hasSuffix(".seg") == true else { return nil }
      state.tear = nil
      return tear
    }
    guard let tear else { return try base.write(file, bytes, at: offset) }
    var written = 0
    while written < min(tear, bytes.count) {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written..<min(tear, bytes.count)])
      let count = try base.write(file, rest, at: offset + UInt64(written))
      guard count > 0 else { break }
      written += count
    }
    crash()
    throw FileSystemError(ScenarioFiles.inputOutputError, during: "write")
  }

  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    try live("stat")
    return try base.size(of: file)
  }

  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try live("truncate")
    try base.setSize(of: file, to: size)
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    try live("sync")
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try live("sync directory")
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try live("rename")
    try base.rename(path, to: newPath)
    // A segment has a temporary name until its header is complete.
    state.withLock { state in
      for (file, name) in state.paths where name == path { state.paths[file] = newPath }
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    try live("remove")
    try base.remove(path)
  }

  func createDirectory(_ path: String) throws(FileSystemError) {
    try live("create directory")
    try base.createDirectory(path)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try live("list")
    return try base.list(path)
  }

  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try live("lock")
    return try base.lock(file)
  }

  func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder {
    base.lockHolder(of: file, stated: number)
  }

  func identity(of path: String) throws(FileSystemError) -> String {
    try live("stat")
    return "simulation \(instance): \(try base.identity(of: path))"
  }

  var monotonicNanoseconds: UInt64 { 0 }

  func pause(nanoseconds: UInt64) {}

  var processIdentifier: Int32 { 1 }
}
