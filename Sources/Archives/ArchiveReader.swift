import CArchive

/// Reads an archive with libarchive, and never lets it pass over an entry by decompressing it, which it does without limits.
struct ArchiveReader {
  /// How the entries of an archive are found.
  private enum Form {
    /// By the directory at the end of a zip file. What is left out is not looked at.
    case directory
    /// One after the other, from the beginning.
    case stream

    /// Enables what archives of this form are. What does not work by itself is left out.
    func enable(on archive: OpaquePointer) -> Bool {
      switch self {
      case .directory: return archive_read_support_format_zip_seekable(archive) == ARCHIVE_OK
      case .stream:
        ArchiveFilter.enable(on: archive)
        return archive_read_support_format_zip_streamable(archive) == ARCHIVE_OK
          && archive_read_support_format_tar(archive) == ARCHIVE_OK
      }
    }
  }

  /// What was read so far.
  private(set) var contents = ArchiveContents()

  private let size: Int
  private let limits: ArchiveLimits
  private let keepsParts: Bool
  private let choose: (_ name: String, _ folders: [String]) -> ArchiveContents.Choice
  /// The bytes of wanted files, and those that were decompressed to pass over others.
  private var (total, passed) = (0, 0)
  private var entries = 0
  private static let mostOthers = 5

  init(
    size: Int, limits: ArchiveLimits, keepsParts: Bool,
    choose: @escaping (_ name: String, _ folders: [String]) -> ArchiveContents.Choice
  ) {
    (self.size, self.limits, self.keepsParts, self.choose) = (size, limits, keepsParts, choose)
  }

  /// Reads the archive; returns why nothing of it counts.
  mutating func read(_ bytes: UnsafeRawBufferPointer) -> ArchiveError? {
    // A tar file may end with a zip file, and is none.
    let forms: [Form] = bytes.starts(with: [0x50, 0x4B]) ? [.directory, .stream] : [.stream]
    var reason = ""
    for form in forms {
      guard let archive = archive_read_new() else { return .outOfMemory }
      defer { archive_read_free(archive) }
      if form.enable(on: archive), archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK {
        return read(archive, form)
      }
      reason = Self.message(archive)
    }
    let lacking = ArchiveFilter.all.first { bytes.starts(with: $0.beginning) && !$0.isBuiltIn }
    return lacking.map { .lacksCompression($0.name) } ?? .notAnArchive(reason)
  }

  private static func message(_ archive: OpaquePointer) -> String {
    archive_error_string(archive).map { String(cString: $0) } ?? "its bytes do not fit the format"
  }

  private mutating func read(_ archive: OpaquePointer, _ form: Form) -> ArchiveError? {
    while true {
      var entry: OpaquePointer?
      let code = archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF { return nil }
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else {
        contents.loss = .damaged(Self.message(archive))
        return entries == 0 ? .notAnArchive(Self.message(archive)) : nil
      }
      entries += 1
      guard entries <= limits.entries else { return .entries(limits.entries) }
      let path = path(of: entry)
      guard form == .directory || Self.ends(entry, of: archive) else {
        contents.loss = .unknownEnd(path ?? "an entry")
        return nil
      }
      if let error = read(entry, path, of: archive) { return error }
      if form == .stream, let error = passOver(archive) { return error }
      // What follows the damage of an entry is not looked for.
      if contents.loss != nil { return nil }
    }
  }

  /// Whether reading an entry's data leads to its end, or nothing has to be decompressed to find that.
  ///
  /// In a zip file that is read from its beginning, the length of an entry may follow it. libarchive gives no data of an
  /// entry that is no regular file, and decompresses all of them on the way to the next one. A size that is stated proves
  /// nothing, unless it is 0: only an entry whose length precedes it has that.
  private static func ends(_ entry: OpaquePointer, of archive: OpaquePointer) -> Bool {
    guard archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP else { return true }
    switch UInt32(archive_entry_filetype(entry)) & 0o170000 {
    case 0o100000: return true
    case 0o040000: return archive_entry_size_is_set(entry) != 0 && archive_entry_size(entry) == 0
    default: return false
    }
  }

  /// Decompresses the rest of an entry within the limits.
  private mutating func passOver(_ archive: OpaquePointer) -> ArchiveError? {
    while contents.loss == nil {
      var (block, count, offset) = (UnsafeRawPointer?.none, 0, Int64(0))
      let code = archive_read_data_block(archive, &block, &count, &offset)
      if code == ARCHIVE_EOF { break }
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN else {
        contents.loss = .damaged(Self.message(archive))
        break
      }
      passed += count
      if let error = excess(archive) { return error }
    }
    return excess(archive)
  }

  /// Refuses an archive of which too much was decompressed so far.
  private func excess(_ archive: OpaquePointer) -> ArchiveError? {
    // The headers of a tar file are decompressed too.
    let count = max(total + passed, Int(archive_filter_bytes(archive, 0)))
    if total > limits.contentBytes { return .content(limits.contentBytes) }
    if count > limits.streamBytes { return .stream(limits.streamBytes) }
    return count > limits.freeBytes && count / max(size, 1) > limits.ratio ? .ratio(limits.ratio) : nil
  }

  /// The path of an entry; `nil` where it cannot be read.
  private func path(of entry: OpaquePointer) -> String? {
    // A name that the locale lacks may be known as UTF-8.
    (archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry)).map { String(cString: $0) }
  }

  private mutating func read(_ entry: OpaquePointer, _ path: String?, of archive: OpaquePointer) -> ArchiveError? {
    guard let path else { return refuse("an entry", "its name cannot be read") }
    guard path.utf8.count <= limits.pathBytes else {
      return refuse("\(path.prefix(40))…", "its path has more than \(limits.pathBytes) bytes")
    }
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    if parts.first == "." { parts.removeFirst() }
    let kind = UInt32(archive_entry_filetype(entry)) & 0o170000
    // A folder says nothing that the paths of its files do not, whatever its name is.
    guard kind != 0o040000 else { return nil }
    guard let name = parts.popLast() else {
      leave(path, .other)
      return nil
    }
    let choice = choose(name, parts)
    guard choice == .wanted else {
      leave(path, choice)
      return nil
    }
    guard kind == 0o100000, archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil else {
      return refuse(path, "it is a link or a special file")
    }
    guard !path.hasPrefix("/"), !parts.contains(".."), !parts.contains(".") else {
      return refuse(path, "its name leads out of the archive")
    }
    guard parts.count <= limits.depth else { return refuse(path, "it is more than \(limits.depth) folders deep") }
    let folder = parts.joined(separator: "/")
    guard contents.files[folder]?[name] == nil else { return refuse(path, "another entry has the same name") }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = archive_read_data(archive, &buffer, buffer.count)
      guard count >= 0 else {
        contents.loss = .file(path, Self.message(archive))
        if !keepsParts { return nil }
        break
      }
      guard count > 0 else { break }
      total += count
      guard content.count + count <= limits.fileBytes else {
        return refuse(path, "it is longer than \(limits.fileBytes >> 20) MiB")
      }
      if let error = excess(archive) { return error }
      content += buffer[..<count]
    }
    contents.files[folder, default: [:]][name] = content
    return nil
  }

  private mutating func refuse(_ path: String, _ reason: String) -> ArchiveError? {
    contents.refused.append(.init(path: path, reason: reason))
    return nil
  }

  /// Leaves out an entry.
  private mutating func leave(_ path: String, _ choice: ArchiveContents.Choice) {
    guard choice == .other else { return }
    contents.otherCount += 1
    if contents.others.count < Self.mostOthers { contents.others.append(path) }
  }
}
