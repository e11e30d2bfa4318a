import Synchronization

/// Another file system, with its reads counted: what a question about a journal costs can be told with the answer.
public final class CountingFileSystem: FileSystem {
  private let base: any FileSystem
  private let count = Atomic<Int>(0)
  private let onRead: (@Sendable (Int) -> Void)?

  /// Counts the reads that go through to `base`.
  ///
  /// - Parameters:
  ///   - base: The file system that does the work.
  ///   - onRead: Told of every read how many bytes it gave, by the thread that reads.
  public init(_ base: any FileSystem, onRead: (@Sendable (Int) -> Void)? = nil) {
    self.base = base
    self.onRead = onRead
  }

  /// How often bytes of a file or the names in a directory were read.
  public var reads: Int { count.load(ordering: .relaxed) }

  private func note() {
    count.add(1, ordering: .relaxed)
  }

  /// Reads, and counts it.
  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    note()
    let bytes = try base.read(file, into: buffer, at: offset)
    onRead?(bytes)
    return bytes
  }

  /// Lists, and counts it as one read.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    note()
    return try base.list(path)
  }

  /// As the other file system does it.
  public func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile { try base.open(path, mode) }
  /// As the other file system does it.
  public func close(_ file: OpenFile) { base.close(file) }
  /// As the other file system does it.
  public func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int { try base.write(file, bytes, at: offset) }
  /// As the other file system does it.
  public func size(of file: OpenFile) throws(FileSystemError) -> UInt64 { try base.size(of: file) }
  /// As the other file system does it; not a read.
  public func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? { base.nextData(in: file, from: offset) }
  /// As the other file system does it.
  public func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try base.setSize(of: file, to: size)
  }
  /// As the other file system does it.
  public func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }
  /// As the other file system does it.
  public func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
  /// As the other file system does it.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try base.rename(path, to: newPath)
  }
  /// As the other file system does it.
  public func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  /// As the other file system does it.
  public func createDirectory(_ path: String) throws(FileSystemError) { try base.createDirectory(path) }
  /// As the other file system does it; not a read.
  public func stampOfNames(in path: String) -> UInt64? { base.stampOfNames(in: path) }
  /// As the other file system does it.
  public func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.lock(file) }
  /// As the other file system does it.
  public func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder {
    base.lockHolder(of: file, stated: number)
  }
  /// As the other file system does it.
  public func identity(of path: String) throws(FileSystemError) -> String { try base.identity(of: path) }
  /// As the other file system does it.
  public var monotonicNanoseconds: UInt64 { base.monotonicNanoseconds }
  /// As the other file system does it.
  public func pause(nanoseconds: UInt64) { base.pause(nanoseconds: nanoseconds) }
  /// As the other file system does it.
  public func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { base.startThread(body) }
  /// As the other file system does it.
  public func watch(_ path: String) -> (any DirectoryWatch)? { base.watch(path) }
  /// As the other file system does it.
  public var processIdentifier: Int32 { base.processIdentifier }
}
