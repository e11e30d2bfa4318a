import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A search of a disk for what should not be there.
enum FoundBytes {
  /// The first bytes of the object id of `ManagedFolder.alice`, as a pattern.
  static let objectID = #"\x0f\x1e\x2d\x3c\x4b\x5a\x46\x78"#

  /// Whether a file below a folder has bytes of a pattern. Records an issue if the search itself fails: that would look like
  /// finding nothing.
  static func contain(_ pattern: String, below path: String) -> Bool {
    let status = system("LC_ALL=C grep -rqa \(pattern) '\(path)'")
    // In the second byte: 0 for found, 1 for not found.
    #expect(status == 0 || status == 1 << 8, "grep \(pattern) in \(path) ends with \(status >> 8)")
    return status == 0
  }
}
