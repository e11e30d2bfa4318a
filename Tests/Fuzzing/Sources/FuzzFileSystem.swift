import Journal
import Synchronization

/// A small file system in memory: quick to make, gone with its journal, and nobody else's.
final class FuzzFileSystem: FileSystem {
  private final class File {
    var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
    }
  }

  private struct Contents {
    var files: [String: File] = [:]
    var open: [Int32: File] = [:]
    var next: Int32 = 3
    var now: UInt64 = 0
  }

  // The references never leave the mutex.
  private let contents: Mutex<Contents>
  private let number: Int
  private static let instances = Atomic<Int>(0)
  private static let missing = FileSystemError(2, during: "open")

  init(_ files: [String: [UInt8]]) {
    var contents = Contents()
    for (name, bytes) in files { contents.files[name] = File(bytes) }
    self.contents = Mutex(contents)
    number = Self.instances.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The bytes of every file, by name.
  var files: [String: [UInt8]] { contents.withLock { $0.files.mapValues { Array($0.bytes) } } }

  /// There is one directory, whatever its path.
  private func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    let name = name(path)
    let opened: OpenFile? = contents.withLock { contents in
      if contents.files[name] == nil {
        guard mode == .createOrUpdate || mode == .replace else { return nil }
        contents.files[name] = File([])
      }
      guard let file = contents.files[name] else { return nil }
      if mode == .replace { file.bytes = [] }
      contents.next += 1
      contents.open[contents.next] = file
      return OpenFile(number: contents.next)
    }
    guard let opened else { throw Self.missing }
    return opened
  }

  func close(_ file: OpenFile) {
    guard contents.withLock({ $0.open.removeValue(forKey: file.number) }) != nil else {
      fatalError("file \(file.number) is closed, and not open")
    }
  }

  func read(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let buffer = buffer
    return contents.withLock { contents in
      guard let bytes = contents.open[file.number]?.bytes, offset < UInt64(bytes.count) else { return 0 }
      let count = min(buffer.count, bytes.count - Int(offset))
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
      }
      return count
    }
  }

  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
    nonisolated(unsafe) let bytes = bytes
    guard offset < 1 << 26 else { throw FileSystemError(28, during: "write") }
    return contents.withLock { contents in
      guard let file = contents.open[file.number] else { return 0 }
      let end = Int(offset) + bytes.count
      if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
      file.bytes.replaceSubrange(Int(offset)..<end, with: bytes)
      return bytes.count
    }
  }

  func size(of file: OpenFile) throws(FileSystemError) -> UInt64 {
    contents.withLock { UInt64($0.open[file.number]?.bytes.count ?? 0) }
  }

  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError) {
    guard size < 1 << 26 else { throw FileSystemError(28, during: "truncate") }
    contents.withLock { contents in
      guard let file = contents.open[file.number] else { return }
      let size = Int(size)
      if size < file.bytes.count {
        file.bytes.removeLast(file.bytes.count - size)
      } else {
        file.bytes += [UInt8](repeating: 0, count: size - file.bytes.count)
      }
    }
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {}
  func syncDirectory(_ path: String) throws(FileSystemError) {}

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    contents.withLock { $0.files[name(newPath)] = $0.files.removeValue(forKey: name(path)) }
  }

  func remove(_ path: String) throws(FileSystemError) { contents.withLock { $0.files[name(path)] = nil } }
  func createDirectory(_ path: String) throws(FileSystemError) {}
  func list(_ path: String) throws(FileSystemError) -> [String] { contents.withLock { $0.files.keys.sorted() } }
  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool { true }
  func identity(of path: String) throws(FileSystemError) -> String { "fuzz \(number)" }
  var monotonicNanoseconds: UInt64 { contents.withLock { $0.now } }
  func pause(nanoseconds: UInt64) { contents.withLock { $0.now += nanoseconds } }
  var processIdentifier: Int32 { 1 }
}
