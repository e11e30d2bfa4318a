import CArchive

/// A compression that archives may have as a whole.
struct ArchiveFilter {
  /// Its name.
  let name: String
  /// The bytes that its files begin with.
  let beginning: [UInt8]
  /// Makes libarchive look for it.
  let enable: @Sendable (OpaquePointer?) -> CInt

  /// Those that are read.
  static let all = [
    ArchiveFilter(name: "gzip", beginning: [0x1F, 0x8B]) { archive_read_support_filter_gzip($0) },
    ArchiveFilter(name: "xz", beginning: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) { archive_read_support_filter_xz($0) },
    ArchiveFilter(name: "zstd", beginning: [0x28, 0xB5, 0x2F, 0xFD]) { archive_read_support_filter_zstd($0) },
  ]

  /// Makes libarchive look for those that it decompresses by itself, and for no others; returns their names.
  @discardableResult
  static func enable(_ filters: [ArchiveFilter] = all, on archive: OpaquePointer?) -> [String] {
    filters.filter { $0.isBuiltIn && $0.enable(archive) == ARCHIVE_OK }.map(\.name)
  }

  /// Whether libarchive decompresses it by itself.
  ///
  /// Where it was built without the library for a compression, it would start a program from `PATH`, and says so with another
  /// result than `ARCHIVE_OK`, but only once the compression is enabled for good: so another archive is asked.
  var isBuiltIn: Bool {
    guard let probe = archive_read_new() else { return false }
    defer { archive_read_free(probe) }
    return enable(probe) == ARCHIVE_OK
  }
}
