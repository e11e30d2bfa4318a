/// A file system that forwards to another one the calls that it does not handle itself.
///
/// ```swift
/// final class FullDisk: ForwardingFileSystem {
///   let base: any FileSystem = PosixFileSystem()
///
///   func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
///     throw FileSystemError(28, during: "write")
///   }
/// }
/// ```
public protocol ForwardingFileSystem: FileSystem {
  /// The other file system.
  var base: any FileSystem { get }
}

// Every call, as the other file system does it.
extension ForwardingFileSystem {
  /// Opens a file of ``base``.
  public func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile { try base.open(path, mode) }
  /// Closes a file of ``base``.
  public func close(_ file: OpenFile) { base.close(file) }
  /// Reads a file of ``base``.
  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try base.read(file, into: buffer, at: offset) }
  /// Writes a file of ``base``.
  public func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try base.write(file, bytes, at: offset) }
  /// The length of a file of ``base``.
  public func size(of file: OpenFile) throws(FileSystemError) -> UInt64 { try base.size(of: file) }
  /// The next written range, as ``base`` knows it.
  public func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? { base.nextData(in: file, from: offset) }
  /// Forgets what ``base`` keeps in memory of a file.
  public func forgetCached(_ file: OpenFile) { base.forgetCached(file) }
  /// Cuts or extends a file of ``base``.
  public func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try base.setSize(of: file, to: size)
  }
  /// Syncs a file of ``base``.
  public func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }
  /// Syncs a directory of ``base``.
  public func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
  /// Gives a file of ``base`` the permissions of another one.
  public func copyMode(of file: OpenFile, to other: OpenFile) throws(FileSystemError) {
    try base.copyMode(of: file, to: other)
  }
  /// Moves a file of ``base``.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try base.rename(path, to: newPath)
  }
  /// Moves a file of ``base`` to a free name.
  public func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError) {
    try base.rename(path, toFreeName: newPath)
  }
  /// Whether a path leads to a file of ``base``.
  public func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool {
    try base.isNamed(file, path)
  }
  /// Removes a name from ``base``.
  public func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  /// Creates a directory in ``base``.
  public func createDirectory(_ path: String) throws(FileSystemError) { try base.createDirectory(path) }
  /// The names in a directory of ``base``.
  public func list(_ path: String) throws(FileSystemError) -> [String] { try base.list(path) }
  /// The stamp of the names in a directory of ``base``.
  public func stampOfNames(in path: String) -> UInt64? { base.stampOfNames(in: path) }
  /// Locks a file of ``base``.
  public func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.lock(file) }
  /// Which process holds the lock on a file of ``base``.
  public func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder {
    base.lockHolder(of: file, stated: number)
  }
  /// The identity of a directory in ``base``.
  public func identity(of path: String) throws(FileSystemError) -> String { try base.identity(of: path) }
  /// The clock of ``base``.
  public var monotonicNanoseconds: UInt64 { base.monotonicNanoseconds }
  /// Lets time pass in ``base``.
  public func pause(nanoseconds: UInt64) { base.pause(nanoseconds: nanoseconds) }
  /// Starts a thread, if ``base`` has any.
  public func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { base.startThread(body) }
  /// Watches a directory of ``base``.
  public func watch(_ path: String) -> (any DirectoryWatch)? { base.watch(path) }
  /// The number of this process, as ``base`` gives it.
  public var processIdentifier: Int32 { base.processIdentifier }
}
