/// What is on a device: directories, and files by their paths.
package struct DiskImage: Hashable, Sendable {
  package var directories: Set<String> = []
  package var files: [String: [UInt8]] = [:]

  package init() {}

  /// A number that differs for images that differ, but for one chance in 2⁶⁴; the same only within one process.
  ///
  /// The lock file counts for nothing: what it holds is never read back.
  var fingerprint: Int {
    var hasher = Hasher()
    for path in directories.sorted() { hasher.combine(path) }
    for path in files.keys.sorted() where !path.hasSuffix("/LOCK") {
      hasher.combine(path)
      files[path]?.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }
}

extension String {
  /// The path of the directory that holds this path.
  var parentPath: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return String(self[..<slash])
  }
}
