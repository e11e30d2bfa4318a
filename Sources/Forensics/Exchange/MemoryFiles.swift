import Journal
import Synchronization

/// Files in memory, in folders that exist as soon as they are named: where a journal from an export or an archive is put
/// together, so that everything that reads a journal reads it.
public final class MemoryFiles: FileSystem {
  private struct Contents {
    /// The places of the files in ``storage``, by their paths, and by their numbers where they are open.
    var files: [String: Int] = [:]
    var open: [Int32: Int] = [:]
    var storage: [[UInt8]] = []
    var next: Int32

    mutating func add(_ path: String, _ bytes: [UInt8]) {
      files[path] = storage.count
      storage.append(bytes)
    }
  }

  private let contents: Mutex<Contents>
  private let clock: any FileSystem

  /// Holds no file yet.
  ///
  /// - Parameters:
  ///   - firstNumber: The number of the first file that is opened; later ones have greater numbers.
  ///   - clock: Tells the time.
  public init(firstNumber: Int32 = 3, clock: any FileSystem = PosixFileSystem()) {
    contents = Mutex(Contents(next: firstNumber))
    self.clock = clock
  }

  /// Creates or replaces a file.
  public func set(_ path: String, _ bytes: [UInt8]) {
    contents.withLock { contents in contents.add(path, bytes) }
  }

  private static func missing(_ operation: String) -> FileSystemError { FileSystemError(2, during: operation) }

  private func withFile<Value: Sendable>(
    _ file: OpenFile, _ operation: String, _ body: (inout [UInt8]) -> Value
  ) throws(FileSystemError) -> Value {
    let value: Value? = contents.withLock { contents in
      guard let place = contents.open[file.number] else { return nil }
      return body(&contents.storage[place])
    }
    guard let value else { throw Self.missing(operation) }
    return value
  }

  /// Opens a file; creates it where the mode says so.
  public func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let number: Int32? = contents.withLock { contents in
      let isNew = contents.files[path] == nil
      if isNew || mode == .replace {
        guard mode == .createOrUpdate || mode == .replace else { return nil }
        contents.add(path, [])
      }
      let number = contents.next
      contents.open[number] = contents.files[path]
      contents.next += 1
      return number
    }
    guard let number else { throw Self.missing("open") }
    return OpenFile(number: number)
  }

  /// Closes a file.
  public func close(_ file: OpenFile) {
    contents.withLock { contents in contents.open[file.number] = nil }
  }

  /// Reads bytes of a file.
  public func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return try withFile(file, "read") { file in
      guard let start = Int(exactly: offset), start < file.count else { return 0 }
      let count = min(buffer.count, file.count - start)
      file.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
      }
      return count
    }
  }

  /// Writes bytes of a file.
  public func write(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let bytes = bytes
    return try withFile(file, "write") { file in
      let start = Int(offset)
      let end = start + bytes.count
      Self.extend(&file, to: end)
      file.withUnsafeMutableBytes { target in
        UnsafeMutableRawBufferPointer(rebasing: target[start..<end]).copyMemory(from: bytes)
      }
      return bytes.count
    }
  }

  /// The length of a file.
  public func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    try withFile(file, "size") { UInt64($0.count) }
  }

  /// Cuts or extends a file.
  public func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    try withFile(file, "setSize") { file in
      if size < file.count { file.removeLast(file.count - Int(size)) }
      Self.extend(&file, to: Int(size))
    }
  }

  private static let zeros = [UInt8](repeating: 0, count: 65_536)

  /// Fills a file up with zeros. Arrays are copied at once in debug builds too, and a repeated element is not.
  private static func extend(_ file: inout [UInt8], to size: Int) {
    while file.count < size { file.append(contentsOf: zeros.prefix(size - file.count)) }
  }

  /// Does nothing: nothing survives the process.
  public func sync(_ file: OpenFile) throws(FileSystemError) {}
  /// Does nothing: nothing survives the process.
  public func syncDirectory(_ path: String) throws(FileSystemError) {}

  /// Moves a file over another name.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    let isFound = contents.withLock { contents in
      guard let file = contents.files.removeValue(forKey: path) else { return false }
      contents.files[newPath] = file
      return true
    }
    guard isFound else { throw Self.missing("rename") }
  }

  /// Removes a file's name.
  public func remove(_ path: String) throws(FileSystemError) {
    contents.withLock { contents in contents.files[path] = nil }
  }

  /// Does nothing: a folder exists as soon as it is named.
  public func createDirectory(_ path: String) throws(FileSystemError) {}

  /// The names of the files in a folder.
  public func list(_ path: String) throws(FileSystemError) -> [String] {
    let folder = path.hasSuffix("/") ? path : path + "/"
    return contents.withLock { contents in
      contents.files.keys.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }.filter {
        !$0.contains("/")
      }
    }
  }

  /// Grants every lock: no other process sees these files.
  public func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { true }

  /// The path, which names a folder of this file system only.
  public func identity(of path: String) throws(FileSystemError) -> String { "memory \(ObjectIdentifier(self)) \(path)" }

  /// The system's clock.
  public var monotonicNanoseconds: UInt64 { clock.monotonicNanoseconds }
  /// Lets time pass.
  public func pause(nanoseconds: UInt64) { clock.pause(nanoseconds: nanoseconds) }
  /// The number of this process.
  public var processIdentifier: Int32 { clock.processIdentifier }
}
