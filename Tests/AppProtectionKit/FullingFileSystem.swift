import Journal
import Synchronization

/// The system's files, on a device that is full whenever a test says so, and that lets a test act while files are opened.
final class FullingFileSystem: FileSystem {
  let isFull = Mutex(false)
  /// Whether a full file system reports nothing, and takes nothing either.
  let isSilent: Bool
  let beforeOpening = Mutex<(@Sendable (String) -> Void)?>(nil)
  private let files = PosixFileSystem()

  init(isSilent: Bool = false) { self.isSilent = isSilent }

  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
    guard !isFull.withLock({ $0 }) else {
      if isSilent { return 0 }
      throw FileSystemError(28, during: "write")
    }
    return try files.write(file, bytes, at: offset)
  }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    beforeOpening.withLock { $0 }?(path)
    return try files.open(path, mode)
  }
  func close(_ file: OpenFile) { files.close(file) }
  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try files.read(file, into: buffer, at: offset) }
  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 { try files.size(of: file) }
  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) { try files.setSize(of: file, to: size) }
  func sync(_ file: OpenFile) throws(FileSystemError) { try files.sync(file) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try files.syncDirectory(path) }
  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try files.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileSystemError) { try files.remove(path) }
  func createDirectory(_ path: String) throws(FileSystemError) { try files.createDirectory(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try files.list(path) }
  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try files.lock(file) }
  func identity(of path: String) throws(FileSystemError) -> String { try files.identity(of: path) }
  var monotonicNanoseconds: UInt64 { files.monotonicNanoseconds }
  func pause(nanoseconds: UInt64) { files.pause(nanoseconds: nanoseconds) }
  var processIdentifier: Int32 { files.processIdentifier }
}
