extension FileSystem {
  /// Writes all bytes, in as many calls as needed.
  ///
  /// - Throws: Also "no space left" where the file system takes nothing and reports nothing: it would be asked forever.
  package func writeAll(
    _ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = try write(file, rest, at: offset + UInt64(done))
      guard count > 0 else { throw FileSystemError(OperatingSystem.noSpace, during: "write") }
      done += min(count, rest.count)
    }
  }

  /// Writes all bytes, in as many calls as needed.
  package func writeAll(_ file: OpenFile, _ bytes: [UInt8], at offset: UInt64) throws(FileSystemError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
      try writeAll(file, UnsafeRawBufferPointer(bytes), at: offset)
    }
  }
}
