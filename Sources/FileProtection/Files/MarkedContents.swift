import Journal

/// The contents of a file that names its owner and is not encrypted: they stand after the header as they are.
final class MarkedContents: FileContents {
  private let path: String
  let file: OpenFile
  private let fileSystem: any FileSystem
  private let isWritable: Bool
  private(set) var size: UInt64
  let info: ProtectionInfo

  init(
    owner: String, path: String, file: OpenFile, fileSystem: any FileSystem, isWritable: Bool
  ) throws(ProtectionError) {
    self.path = path
    self.file = file
    self.fileSystem = fileSystem
    self.isWritable = isWritable
    info = ProtectionInfo(isEncrypted: false, owner: owner, keyID: nil)
    let length = try atFile(path) { () throws(FileSystemError) in try fileSystem.size(of: file) }
    size = max(length, UInt64(Layout.page)) - UInt64(Layout.page)
  }

  func release() { fileSystem.close(file) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int {
    guard offset < size else { return 0 }
    return try atFile(path) { () throws(FileSystemError) in
      try fileSystem.readAll(file, into: buffer, at: offset + UInt64(Layout.page))
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError) {
    try checkWritable(offset, bytes.count)
    guard !bytes.isEmpty else { return }
    do throws(ProtectionError) {
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.writeAll(file, bytes, at: offset + UInt64(Layout.page))
      }
    } catch {
      // Some of it may be in the file.
      if let length = try? fileSystem.size(of: file) { size = max(length, UInt64(Layout.page)) - UInt64(Layout.page) }
      throw error
    }
    size = max(size, offset + UInt64(bytes.count))
  }

  func truncate(to size: UInt64) throws(ProtectionError) {
    try checkWritable(size, 0)
    try atFile(path) { () throws(FileSystemError) in
      try fileSystem.setSize(of: file, to: size + UInt64(Layout.page))
    }
    self.size = size
  }

  func sync() throws(ProtectionError) {
    guard isWritable else { return }
    try atFile(path) { () throws(FileSystemError) in try fileSystem.sync(file) }
  }

  private func checkWritable(_ offset: UInt64, _ count: Int) throws(ProtectionError) {
    guard isWritable else {
      throw ProtectionError(.readOnly, "the file is open for reading only", remedy: "Open it for writing", file: path)
    }
    guard offset <= Layout.maximumSize, UInt64(count) <= Layout.maximumSize - offset else {
      throw ProtectionError(
        .tooLarge, "the format ends at \(Layout.maximumSize) bytes", remedy: "Use several files", file: path,
        offset: offset)
    }
  }
}
