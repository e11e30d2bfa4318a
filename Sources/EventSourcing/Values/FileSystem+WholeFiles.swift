import Journal

extension FileSystem {
  /// A whole file's bytes; none where it is longer than `limit`, or became shorter meanwhile: what is stored in one is checked.
  func wholeFile(at path: String, upTo limit: UInt64) throws -> [UInt8] {
    let file = try open(path, .read)
    defer { close(file) }
    let size = try size(of: file)
    guard size <= limit else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var done = 0
    while done < bytes.count {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try read(file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), at: UInt64(done))
      }
      guard count > 0 else { return [] }
      done += count
    }
    return bytes
  }

  /// A whole file of a folder, as ``wholeFile(at:upTo:)``; `nil` if there is none.
  func wholeFile(at path: String, in folder: String, upTo limit: UInt64) throws -> [UInt8]? {
    guard try list(folder).contains(where: { "\(folder)/\($0)" == path }) else { return nil }
    return try wholeFile(at: path, upTo: limit)
  }

  /// Writes a file of a folder, so that a power cut leaves the old one or the new one.
  func replaceFile(at path: String, in folder: String, with bytes: [UInt8]) throws(FileSystemError) {
    let temporary = path + ".tmp"
    let file = try open(temporary, .replace)
    defer { close(file) }
    try writeAll(file, bytes, at: 0)
    try sync(file)
    try rename(temporary, to: path)
    try syncDirectory(folder)
  }
}
