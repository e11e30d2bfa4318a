import Journal
import SystemCalls

extension FileSystemError {
  /// Whether the name does not exist.
  package var meansMissing: Bool { code == FileCalls.noEntry }
}

extension FileSystem {
  /// Reads until the buffer is full or the file ends, and returns the number of bytes read.
  func readAll(
    _ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(FileSystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try read(file, into: rest, at: offset + UInt64(done))
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The bytes of a range, as far as the file has them.
  package func bytes(of file: OpenFile, in range: Range<UInt64>) throws(FileSystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(FileSystemError) in
      try readAll(file, into: UnsafeMutableRawBufferPointer(bytes), at: range.lowerBound)
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Gives a path new contents: the old ones or the new ones are there after a crash at any point.
  ///
  /// - Parameter temporary: A name in the same folder, which nothing else uses.
  package func replace(_ path: String, by temporary: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try removeIfPresent(temporary)
    let file = try open(temporary, .replace)
    defer { close(file) }
    try writeAll(file, bytes, at: 0)
    try sync(file)
    try rename(temporary, to: path)
    try syncDirectory(FileName.folder(of: path))
  }

  /// Removes a name, if it exists.
  func removeIfPresent(_ path: String) throws(FileSystemError) {
    do throws(FileSystemError) { try remove(path) } catch { if !error.meansMissing { throw error } }
  }
}

extension String {
  /// Another name in the folder of this path.
  func sibling(_ name: String) -> String {
    guard let slash = lastIndex(of: "/") else { return name }
    return self[...slash] + name
  }
}
