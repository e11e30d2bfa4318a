import Archives
import CommandLineInterface
import CommandSupport
import Forensics
import Journal
import JSON
import PlainText

/// Journals or documents in a zip or tar file, as users send them. No name in the file becomes the name of a file anywhere:
/// those of a journal's files, or the endings of documents, are recognised, and everything else is left where it is.
package struct ArchiveInput: ArchivedJournals {
  /// What is looked for in an archive.
  package enum Content: String {
    case journals
    case documents
    case logs
    case apps

    /// What becomes of an entry with this name.
    fileprivate func choice(_ name: String, in folders: [String]) -> ArchiveContents.Choice {
      switch self {
      case .journals where ArchiveInput.isJournalFile(name): .wanted
      // What macOS adds to zip files has the documents' names.
      case .documents where FolderInput.isDocument(name) && folders.first != "__MACOSX": .wanted
      case .logs where ArchiveInput.isLog(name) && folders.first != "__MACOSX": .wanted
      case .apps where ArchiveInput.isOfApp(name, in: folders): .wanted
      case .apps: .unmentioned
      case .journals, .documents, .logs: ArchiveInput.isLeftByWriter(name) ? .unmentioned : .other
      }
    }

    /// What the other entries are.
    fileprivate var exclusion: String {
      switch self {
      case .journals: "no part of a journal"
      case .documents: "no document"
      case .logs: "no log"
      case .apps: "no part of an app that is read"
      }
    }
  }

  private let contents: ArchiveContents
  private let wanted: Content
  private static let mostIgnored = 20
  /// The endings of archives that are read.
  package static let endings = ArchiveContents.endings

  /// Whether a file begins as one of the kinds that are read.
  package static func mayBeArchive(_ beginning: [UInt8]) -> Bool { ArchiveContents.mayBeArchive(beginning) }

  /// Reads an archive.
  ///
  /// - Throws: A failure where nothing in it can be read, or it exceeds the limits.
  package init(
    _ bytes: [UInt8], _ path: String, for content: Content = .journals, limits: ArchiveLimits = ArchiveLimits()
  ) throws(Failure) {
    wanted = content
    var limits = limits
    switch content {
    case .journals: break
    // The executable is read, and pictures and translations are many.
    case .apps: limits.entries *= 10
    case .documents, .logs: limits.fileBytes = min(limits.fileBytes, FileInput.longest)
    }
    // Logs are all kept in memory.
    if content == .logs { limits.contentBytes = min(limits.contentBytes, 8 * FileInput.longest) }
    do throws(ArchiveError) {
      // What is left of a journal's file can be salvaged, and the beginning of a log be read; half of a document would be
      // another one.
      let keepsParts = content == .journals || content == .logs
      contents = try ArchiveContents(bytes, limits: limits, keepsParts: keepsParts) { name, folders in
        content.choice(name, in: folders)
      }
    } catch {
      throw Failure(error, path, content)
    }
  }

  /// The files of each journal, the documents or the logs, by their folder in the archive and their names.
  package var journals: [String: [String: [UInt8]]] { contents.files }

  /// The documents or logs that are not read, by their paths in the archive, each with the reason.
  package var refused: [ArchiveContents.UnreadFile] { contents.refused }

  /// Why not everything could be read; `nil` if it could.
  package var loss: String? {
    switch contents.loss {
    case nil: nil
    case .damaged(let reason): "the archive is damaged or cut short: \(TerminalText.visible(reason))"
    case .file(let path, let reason):
      "\(PackedInput.shown(path)) cannot be read to its end: \(TerminalText.visible(reason))"
    case .unknownEnd(let path):
      "the archive is damaged or cut short: it has no directory, and nothing says where \(PackedInput.shown(path)) ends"
    }
  }

  /// What looks like part of a journal and is not read, with the reason; the first ones of many.
  private var ignored: [String] {
    guard wanted == .journals else { return [] }
    return contents.refused.prefix(Self.mostIgnored).map {
      "\(PackedInput.shown($0.path)): \($0.reason), and it is ignored"
    }
  }

  /// The documents or logs with their paths in the archive, in the order of the paths.
  package var documents: [(path: String, bytes: [UInt8])] {
    journals.flatMap { folder, files in
      files.map { (path: folder.isEmpty ? $0.key : "\(folder)/\($0.key)", bytes: $0.value) }
    }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// What was left out, in one line each, the last of which counts those that are not named.
  package var notes: [String] {
    var notes = ignored
    // No document may be missing in what is answered: those are listed by themselves.
    let rest = wanted == .journals ? contents.refused.count - notes.count : 0
    if rest > 0 { notes.append("\(Self.entries(rest)) more ignored") }
    if contents.otherCount > 0 {
      let others = contents.others.map(PackedInput.shown)
      let rest = contents.otherCount - others.count
      notes.append(
        "\(Self.entries(contents.otherCount)) \(wanted.exclusion) and left out: \(others.joined(separator: ", "))"
          + (rest > 0 ? " and \(rest.grouped) more" : ""))
    }
    return notes
  }

  private static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry is" : "\(count.grouped) entries are"
  }

  /// Whether a name is that of a journal's file.
  fileprivate static func isJournalFile(_ name: String) -> Bool {
    let names = ["JOURNAL", "HEAD", "KEPT", "KEYFRAMES", "EXPORTED"]
    let isNumbered = [".seg", ".ckpt"].contains { JournalPath.isNumbered(ForeignName(name)?.original ?? name, $0) }
    return (names.contains(name) || isNumbered) && name.utf8.count <= 255 && !name.utf8.contains(0)
  }

  /// Whether a name is that of a file beside a journal's own that holds none of it: the lock, what finds the events of entities,
  /// what read models and subscriptions store, and a file that a writer had not yet given its name.
  fileprivate static func isLeftByWriter(_ name: String) -> Bool {
    ["LOCK", "STREAMS", "subscriptions.lock"].contains(name)
      || [".tmp", ".projection", ".base", ".subscription", ".subscription.lock"].contains { name.hasSuffix($0) }
  }

  /// Whether a name is that of a file which says something of an app: a property list, the executable, or what it was signed
  /// with.
  fileprivate static func isOfApp(_ name: String, in folders: [String]) -> Bool {
    guard folders.first != "__MACOSX", let folder = folders.last, let dot = folder.lastIndex(of: ".") else {
      return false
    }
    return switch folder[dot...] {
    // The property list says which file is the executable, and may follow it.
    case ".app", ".appex":
      name == "Info.plist" || name == folder[..<dot] || !name.contains(".") || name.hasSuffix(".xcent")
    case ".framework": name == "Info.plist" && folder.hasPrefix("IntuneMAM")
    default: false
    }
  }

  /// Whether a name is that of a log: by its ending, or by what the SDK names its files.
  fileprivate static func isLog(_ name: String) -> Bool {
    let name = name.lowercased()
    let isNamed = [".txt", ".log", ".json", ".ndjson"].contains { name.hasSuffix($0) } || name.contains("intune")
    return !name.hasPrefix(".") && isNamed
  }

  /// The folders that are journals, in the order of their names.
  package var journalFolders: [String] {
    journals.filter { JournalPath.isJournal($0.value.keys) }.keys.sorted()
  }

  /// The folder of the journal that is meant: the only one, or the one that was named after the file's name.
  ///
  /// - Parameters:
  ///   - wanted: What stands after the file's name, such as `2026/journal`; `.` for a journal in no folder.
  ///   - path: The file.
  ///   - typed: The whole path as it was typed.
  package func folder(_ wanted: String?, _ path: String, typed: String) throws(Failure) -> String {
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
    guard PackedInput.shown(folder) == folder else {
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
    let names = folders.prefix(10).map { $0.isEmpty ? ". (in no folder)" : PackedInput.shown($0) }
    return ": " + names.joined(separator: ", ") + (folders.count > 10 ? " and others" : "")
  }
}

/// Opens archives with the system's library.
package struct SystemArchives: ArchiveOpener {
  package init() {}

  package var endings: [String] { ArchiveInput.endings }

  package func mayBeArchive(_ beginning: [UInt8]) -> Bool { ArchiveInput.mayBeArchive(beginning) }

  package func journals(in bytes: [UInt8], _ path: String) throws(Failure) -> any ArchivedJournals {
    try ArchiveInput(bytes, path)
  }
}

extension Failure {
  /// An archive of which nothing counts.
  fileprivate init(_ error: ArchiveError, _ path: String, _ wanted: ArchiveInput.Content) {
    func failure(_ reason: String) -> Failure { Failure(.unreadable, "\(path): \(reason)", next: "pj help exports") }
    switch error {
    case .outOfMemory: self = failure("libarchive is out of memory")
    case .notAnArchive(let reason):
      let what = wanted == .journals ? "neither an export nor an archive of a journal" : "not an archive that is read"
      self = failure("this is \(what): \(TerminalText.visible(reason))")
    case .lacksCompression(let name):
      self = failure("this pj cannot decompress \(name), which its libarchive was built without; unpack it first")
    case .entries(let most):
      self = failure("the archive has more than \(most.grouped) entries")
    case .content(let most): self = failure("the \(wanted.rawValue) in the archive have more than \(most >> 20) MiB")
    case .stream(let most): self = failure("the archive unpacks to more than \(most >> 20) MiB")
    case .ratio(let most): self = failure("each byte of the archive unpacks to more than \(most)")
    }
  }
}
