import Synchronization

/// A wrapper that counts another file system's reads, so that an answer about a journal can state its cost.
public final class CountingFileSystem: ForwardingFileSystem {
  /// The other file system.
  public let base: any FileSystem
  private let count = Atomic<Int>(0)
  private let onRead: (@Sendable (Int) -> Void)?

  /// Counts the reads that go through to `base`.
  ///
  /// - Parameters:
  ///   - base: The file system that does the work.
  ///   - onRead: called with the number of bytes of every read, on the reading thread.
  public init(_ base: any FileSystem, onRead: (@Sendable (Int) -> Void)? = nil) {
    self.base = base
    self.onRead = onRead
  }

  /// The number of times that bytes of a file or the names in a directory were read.
  public var reads: Int { count.load(ordering: .relaxed) }

  private func countRead() {
    count.add(1, ordering: .relaxed)
  }

  /// Reads, and counts the read.
  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    countRead()
    let bytes = try base.read(file, into: buffer, at: offset)
    onRead?(bytes)
    return bytes
  }

  /// Lists the names, and counts that as one read.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    countRead()
    return try base.list(path)
  }
}
