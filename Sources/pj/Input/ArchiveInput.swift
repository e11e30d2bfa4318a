import CArchive
import CommandLineInterface
import Forensics
import JSON
import Journal
import Spelling

/// Journals or documents in a zip or tar file, as users send them: read in memory, within limits. No name in the file becomes
/// the name of a file anywhere: those of a journal's files, or the endings of documents, are recognised, and everything else
/// is left where it is.
struct ArchiveInput {
  /// What is looked for in an archive.
  enum Content: String {
    case journals
    case documents

    /// Whether a name is that of a file which is read.
    fileprivate func accepts(_ name: String, in folders: [String]) -> Bool {
      switch self {
      case .journals: ArchiveInput.isJournalFile(name)
      // What macOS adds to zip files has the documents' names.
      case .documents: FolderInput.isDocument(name) && folders.first != "__MACOSX"
      }
    }

    /// What the other entries are.
    fileprivate var exclusion: String {
      switch self {
      case .journals: "no part of a journal"
      case .documents: "no document"
      }
    }
  }

  /// How much of an archive is read.
  struct Limits {
    /// The most entries.
    var entries = 10_000
    /// The most bytes of journals' files.
    var contentBytes = 512 << 20
    /// The most bytes of a document.
    var documentBytes = FileInput.longest
    /// The most bytes that are decompressed, those of entries that are left out included.
    var streamBytes = 4 << 30
    /// The most decompressed bytes for each byte of the archive, once there are more than ``freeBytes``.
    var ratio = 200
    /// A segment may end with 64 MiB of zeros, which compress to nothing: as much as two of them is never too much.
    var freeBytes = 128 << 20
    /// The most folders around a journal's files.
    var depth = 8
  }

  /// The files of each journal, or the documents, by their folder in the archive and their names.
  private(set) var journals: [String: [String: [UInt8]]] = [:]
  /// What looks like part of a journal and is not read, with the reason.
  private(set) var ignored: [String] = []
  /// The documents that are not read, by their paths in the archive, each with the reason.
  private(set) var refused: [(path: String, reason: String)] = []
  /// The names of the first entries that are no part of a journal.
  private(set) var others: [String] = []
  /// How many of each kind there are.
  private var counts = (ignored: 0, others: 0)
  /// Why not everything could be read; `nil` if it could.
  private(set) var loss: String?

  private let limits: Limits
  private let wanted: Content
  private let size: Int
  private var total = 0
  private var entries = 0
  private static let mostIgnored = 20
  private static let mostOthers = 5

  /// Whether a file begins as one of the kinds that are read.
  static func mayBeArchive(_ beginning: [UInt8]) -> Bool {
    let zip: [UInt8] = [0x50, 0x4B, 3, 4]
    let emptyZip: [UInt8] = [0x50, 0x4B, 5, 6]
    let xz: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]
    let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    let gzip: [UInt8] = [0x1F, 0x8B]
    let isTar = beginning.count > 262 && beginning[257..<262].elementsEqual("ustar".utf8)
    return isTar || [zip, emptyZip, xz, zstd, gzip].contains { beginning.starts(with: $0) }
  }

  /// Reads an archive.
  ///
  /// - Throws: A failure where nothing in it can be read, or it exceeds the limits.
  init(
    _ bytes: [UInt8], _ path: String, for content: Content = .journals, limits: Limits = Limits()
  ) throws(Failure) {
    self.limits = limits
    wanted = content
    size = bytes.count
    guard let archive = archive_read_new() else {
      throw Failure(.unreadable, "\(path): libarchive is out of memory", next: "pj help exports")
    }
    defer { archive_read_free(archive) }
    archive_read_support_format_zip(archive)
    archive_read_support_format_tar(archive)
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_xz(archive)
    archive_read_support_filter_zstd(archive)
    let failure: Failure? = Platform.withUnicodeNames {
      bytes.withUnsafeBytes { bytes in
        guard archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK else {
          return foreign(archive, path)
        }
        return read(archive, path)
      }
    }
    if let failure { throw failure }
  }

  private func foreign(_ archive: OpaquePointer, _ path: String) -> Failure {
    let what = wanted == .journals ? "neither an export nor an archive of a journal" : "not an archive that is read"
    return Failure(.unreadable, "\(path): this is \(what): \(Self.message(archive))", next: "pj help exports")
  }

  private static func message(_ archive: OpaquePointer) -> String {
    archive_error_string(archive).map { TerminalText.visible(String(cString: $0)) } ?? "its bytes do not fit the format"
  }

  private mutating func read(_ archive: OpaquePointer, _ path: String) -> Failure? {
    while true {
      var entry: OpaquePointer?
      let code = archive_read_next_header(archive, &entry)
      if code == ARCHIVE_EOF { return nil }
      guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else {
        loss = "the archive is damaged or cut short: \(Self.message(archive))"
        return entries == 0 ? foreign(archive, path) : nil
      }
      entries += 1
      guard entries <= limits.entries else {
        return Failure(
          .unreadable, "\(path): the archive has more than \(TerminalText.thousands(UInt64(limits.entries))) entries",
          next: "pj help exports")
      }
      if let failure = read(entry, of: archive, path) ?? skip(archive, path) { return failure }
      // What follows the damage of an entry is not looked for.
      if loss != nil { return nil }
    }
  }

  /// Decompresses the rest of an entry of a tar file within the limits; libarchive would do it without any. That of a zip
  /// file is not decompressed.
  private mutating func skip(_ archive: OpaquePointer, _ path: String) -> Failure? {
    while true {
      if let failure = excess(archive, path) { return failure }
      guard loss == nil, archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR else { return nil }
      var (block, count, offset) = (UnsafeRawPointer?.none, 0, Int64(0))
      let code = archive_read_data_block(archive, &block, &count, &offset)
      if code == ARCHIVE_EOF { return nil }
      if code < ARCHIVE_WARN { loss = "the archive is damaged or cut short: \(Self.message(archive))" }
    }
  }

  /// Refuses an archive of which too much was decompressed so far.
  private func excess(_ archive: OpaquePointer, _ path: String) -> Failure? {
    let count = max(total, Int(archive_filter_bytes(archive, 0)))
    let reason: String
    if total > limits.contentBytes {
      reason = "the \(wanted.rawValue) in the archive have more than \(limits.contentBytes >> 20) MiB"
    } else if count > limits.streamBytes {
      reason = "the archive unpacks to more than \(limits.streamBytes >> 20) MiB"
    } else if count > limits.freeBytes, count / max(size, 1) > limits.ratio {
      reason = "each byte of the archive unpacks to more than \(limits.ratio)"
    } else {
      return nil
    }
    return Failure(.unreadable, "\(path): \(reason)", next: "pj help exports")
  }

  private mutating func read(_ entry: OpaquePointer, of archive: OpaquePointer, _ path: String) -> Failure? {
    // A name that the locale lacks may be known as UTF-8.
    guard let bytes = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
      return ignore("an entry", "its name cannot be read")
    }
    let full = String(cString: bytes)
    var parts = full.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    if parts.first == "." { parts.removeFirst() }
    let kind = UInt32(archive_entry_filetype(entry)) & 0o170000
    guard let name = parts.popLast(), wanted.accepts(name, in: parts) else {
      if kind != 0o040000 { leave(full) }
      return nil
    }
    let isRegular = kind == 0o100000
    guard isRegular, archive_entry_hardlink(entry) == nil, archive_entry_symlink(entry) == nil else {
      return ignore(full, "it is a link or a special file")
    }
    guard !full.hasPrefix("/"), !parts.contains(".."), !parts.contains(".") else {
      return ignore(full, "its name leads out of the archive")
    }
    guard parts.count <= limits.depth else { return ignore(full, "it is more than \(limits.depth) folders deep") }
    let folder = parts.joined(separator: "/")
    guard journals[folder]?[name] == nil else { return ignore(full, "another entry has the same name") }
    var content: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = archive_read_data(archive, &buffer, buffer.count)
      guard count >= 0 else {
        loss = "\(Self.shown(full)) cannot be read to its end: \(Self.message(archive))"
        // What is left of a journal's file can be salvaged; half of a document would be another one.
        if wanted == .documents { return nil }
        break
      }
      guard count > 0 else { break }
      total += count
      if wanted == .documents, content.count + count > limits.documentBytes {
        return ignore(full, "it is longer than \(limits.documentBytes >> 20) MiB")
      }
      if let failure = excess(archive, path) { return failure }
      content += buffer[..<count]
    }
    journals[folder, default: [:]][name] = content
    return nil
  }

  private mutating func ignore(_ name: String, _ reason: String) -> Failure? {
    switch wanted {
    // No document may be missing in what is answered; there are no more of them than entries.
    case .documents: refused.append((name, reason))
    case .journals:
      counts.ignored += 1
      if ignored.count < Self.mostIgnored { ignored.append("\(Self.shown(name)): \(reason), and it is ignored") }
    }
    return nil
  }

  /// Leaves out an entry that is no part of a journal. What a writer's lock or a write in progress left is named by none.
  private mutating func leave(_ name: String) {
    guard !Self.isLeftByWriter(name) else { return }
    counts.others += 1
    if others.count < Self.mostOthers { others.append(Self.shown(name)) }
  }

  /// A name in an archive as messages have it. None was typed: it is withheld like any other text.
  static func shown(_ name: String) -> String {
    (JSONExcerpt.showsPersons ? Redaction.revealing : .on).shown(path: name)
  }

  /// The documents with their paths in the archive, in the order of the paths.
  var documents: [(path: String, bytes: [UInt8])] {
    journals.flatMap { folder, files in
      files.map { (path: folder.isEmpty ? $0.key : "\(folder)/\($0.key)", bytes: $0.value) }
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// What was left out, in one line each, the last of which counts those that are not named.
  var notes: [String] {
    var notes = ignored
    if counts.ignored > ignored.count { notes.append("\(Self.entries(counts.ignored - ignored.count)) more ignored") }
    if counts.others > 0 {
      let rest = counts.others - others.count
      notes.append(
        "\(Self.entries(counts.others)) \(wanted.exclusion) and left out: \(others.joined(separator: ", "))"
          + (rest > 0 ? " and \(TerminalText.thousands(UInt64(rest))) more" : ""))
    }
    return notes
  }

  private static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry is" : "\(TerminalText.thousands(UInt64(count))) entries are"
  }

  /// Whether a name is that of a journal's file.
  fileprivate static func isJournalFile(_ name: String) -> Bool {
    let names = ["JOURNAL", "HEAD", "KEPT", "KEYFRAMES", "EXPORTED"]
    let isNumbered = [".seg", ".ckpt"].contains { JournalPath.isNumbered(name, $0) }
    return (names.contains(name) || isNumbered) && name.utf8.count <= 64 && !name.utf8.contains(0)
  }

  /// Whether a name is that of a file beside a journal's own that holds none of it: the lock, and a file that a writer had
  /// not yet given its name.
  private static func isLeftByWriter(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name == "LOCK" || name.hasSuffix(".tmp")
  }

  /// The command that unpacks an archive into the current folder.
  static func unpacking(_ file: PackedInput.File) -> String {
    (file.bytes.starts(with: [0x50, 0x4B]) ? "unzip " : "tar -xf ") + file.path.shellWord
  }

  /// The folders that are journals, in the order of their names.
  var journalFolders: [String] {
    journals.filter { JournalPath.isJournal($0.value.keys) }.keys.sorted()
  }

  /// The folder of the journal that is meant: the only one, or the one that was named behind the file's name.
  ///
  /// - Parameters:
  ///   - wanted: What stands behind the file's name, such as `2026/journal`; `.` for a journal in no folder.
  ///   - path: The file.
  ///   - typed: The whole path as it was typed.
  func folder(_ wanted: String?, _ path: String, typed: String) throws(Failure) -> String {
    let found = journalFolders
    guard let first = found.first else {
      let reasons = ignored.prefix(3).map { "; \($0)" }.joined()
      throw Failure(.unreadable, "\(path): the archive holds no journal\(reasons)", next: "pj help exports")
    }
    guard let wanted = wanted.map({ $0 == "." ? "" : $0 }) else {
      if found.count == 1 { return first }
      throw choice(first, in: path, "the archive holds \(found.count) journals\(Self.list(found))", .wrongUse, typed)
    }
    if found.contains(wanted) { return wanted }
    let name = wanted.isEmpty ? "outside of folders" : wanted
    let below = found.filter { $0.hasPrefix(wanted + "/") }
    let nearest = below.first ?? EditDistance.nearest(to: wanted, in: found, limit: 1).first ?? first
    throw choice(
      nearest, in: path, "the archive has no journal \(name)\(Self.list(found))", .unreadable, typed)
  }

  /// A failure whose next step is the same command on one of the journals.
  private func choice(
    _ folder: String, in path: String, _ reason: String, _ code: ExitCode, _ typed: String
  ) -> Failure {
    guard Self.shown(folder) == folder else {
      return Failure(code, "\(path): \(reason)", next: "the same command with --reveal, which shows the names")
    }
    let name = folder.isEmpty ? "." : folder
    guard path != "-" else {
      return Failure(code, "\(path): \(reason)", next: "keep it as FILE, and type pj log FILE/\(name.shellWord)")
    }
    let journal = "\(path)/\(name)"
    var failure = Failure(code, "\(path): \(reason)", next: "pj log \(journal.shellWord)")
    failure.below = Failure.Below(folder: typed, journal: journal)
    return failure
  }

  private static func list(_ folders: [String]) -> String {
    let names = folders.prefix(10).map { $0.isEmpty ? ". (in no folder)" : shown($0) }
    return ": " + names.joined(separator: ", ") + (folders.count > 10 ? " and others" : "")
  }
}
