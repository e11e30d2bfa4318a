import Journal

/// What a ``ProtectedFile`` reads and writes after its header. Used by one thread at a time.
protocol FileContents: AnyObject {
  var file: OpenFile { get }
  /// What the header says.
  var info: ProtectionInfo { get }
  var size: UInt64 { get }
  /// Reads what is there, at most the buffer's length.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int
  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError)
  func truncate(to size: UInt64) throws(ProtectionError)
  /// Makes durable what was written.
  func sync() throws(ProtectionError)
  /// Gives the file back to the system. Does not sync.
  func release()
}

/// A file without a header, as the source or the target of a copy.
final class PlainContents: FileContents {
  private let path: String
  let file: OpenFile
  private let fileSystem: any FileSystem

  init(path: String, file: OpenFile, fileSystem: any FileSystem) {
    self.path = path
    self.file = file
    self.fileSystem = fileSystem
  }

  var info: ProtectionInfo { .plain }
  var size: UInt64 { (try? fileSystem.size(of: file)) ?? 0 }

  func release() { fileSystem.close(file) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.readAll(file, into: buffer, at: offset) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError) {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.writeAll(file, bytes, at: offset) }
  }

  func truncate(to size: UInt64) throws(ProtectionError) {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.setSize(of: file, to: size) }
  }

  func sync() throws(ProtectionError) {
    try atFile(path) { () throws(FileSystemError) in try fileSystem.sync(file) }
  }
}
