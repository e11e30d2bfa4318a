import Forensics
import Journal
import JSON

/// Journals that are packed in one file: exports and archives.
package enum PackedInput {
  /// How much of an export is read.
  package static let limits = ExportFormat.Limits()

  /// How much of an export is put together in memory, where a line of 40 bytes could ask for 16 million frames of lost events.
  static let limitsInMemory = ExportFormat.Limits(lostEvents: 1 << 20)

  /// A file that may hold a journal.
  package struct File {
    /// The file's path.
    var path: String
    /// The journal's folder in the archive, where the path goes on after the file's name.
    var folder: String?
    /// Its bytes.
    package var bytes: [UInt8]
  }

  /// The file that a path names, or whose name it begins with; `nil` for everything that is not an export or an archive.
  package static func file(_ path: String, _ archives: (any ArchiveOpener)?) throws(Failure) -> File? {
    // A pipe cannot be read twice, and holds nothing else that could be opened.
    if Platform.isPipe(path) {
      return File(path: path, bytes: try bytes(Platform.contents(of: path, limit: limits.fileBytes), path))
    }
    guard let (name, folder) = split(path), let beginning = Platform.beginning(of: name, count: 512),
      ExportReader.mayBeExport(beginning) || archives?.mayBeArchive(beginning) ?? false
    else { return nil }
    return File(
      path: name, folder: folder, bytes: try bytes(Platform.contents(of: name, limit: limits.fileBytes), name))
  }

  /// The file at a path, or at the beginning of one.
  private static func split(_ path: String) -> (file: String, folder: String?)? {
    // Completions of shells end names with a slash.
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return split(whole: String(path))
  }

  private static func split(whole path: String) -> (file: String, folder: String?)? {
    if let kind = Platform.kind(of: path) { return kind == .file ? (path, nil) : nil }
    var name = path[...]
    while let slash = name.lastIndex(of: "/"), slash != name.startIndex {
      name = name[..<slash]
      guard let kind = Platform.kind(of: String(name)) else { continue }
      return kind == .file ? (String(name), String(path[path.index(after: slash)...])) : nil
    }
    return nil
  }

  /// What reading a file gave.
  package static func bytes(_ result: Platform.ReadResult, _ path: String) throws(Failure) -> [UInt8] {
    switch result {
    case .bytes(let bytes): return bytes
    case .tooLong:
      throw Failure(
        .unreadable, "\(path): the file is longer than \(limits.fileBytes >> 20) MiB", next: "\(Tool.name) help exports"
      )
    case .notAFile:
      let reason = Platform.isPipe(path) ? "no process writes into this pipe" : "this is not a regular file"
      throw Failure(.unreadable, "\(path): \(reason)", next: "ls -ld \(path.shellWord)")
    case .failed(let number):
      throw Failure(.unreadable, "\(path): \(Platform.message(ofError: number))", next: "ls -ld \(path.shellWord)")
    }
  }

  /// Reads an export.
  package static func history(_ bytes: [UInt8], _ path: String) throws(Failure) -> ExportedHistory {
    do throws(ExchangeError) {
      return try ExportReader.read(bytes, limits: limits)
    } catch {
      throw Failure(error, path)
    }
  }

  /// Puts the journal of a file together in memory, in a folder of the path's name.
  static func unpack(
    _ file: File, _ path: String, _ archives: (any ArchiveOpener)?, into memory: MemoryFiles
  ) throws(Failure) -> MountedJournals.Mount {
    if ExportReader.mayBeExport(file.bytes), file.folder == nil {
      do throws(ExchangeError) {
        return try unpack(try ExportReader.read(file.bytes, limits: limitsInMemory), path, into: memory)
      } catch {
        // A compressed tar file begins as an export does.
        guard error.code == .notAnExport, archives?.mayBeArchive(file.bytes) ?? false else {
          throw Failure(error, path)
        }
      }
    }
    let archive = try journals(in: file, archives)
    let folder = try archive.folder(file.folder, file.path, typed: path)
    for (name, bytes) in archive.journals[folder] ?? [:] {
      memory.set(path.hasSuffix("/") ? path + name : "\(path)/\(name)", bytes)
    }
    // A journal in a folder of its own, at the top, is what the file's name already says.
    let opened =
      file.folder == nil && folder.contains("/") ? ["the journal in it is \(shown(folder))"] : []
    return MountedJournals.Mount(
      .archive, loss: archive.loss, ignored: opened + archive.notes,
      unpacking: path == "-" ? nil : unpacking(file))
  }

  /// Puts every journal of a file together in memory: one alone in a folder of the path's name, several in folders below it.
  ///
  /// - Returns: The journals, and what was left in the archive of several.
  static func unpackAll(
    _ file: File, _ path: String, _ archives: (any ArchiveOpener)?, into memory: MemoryFiles
  ) throws(Failure) -> (journals: [(path: String, mount: MountedJournals.Mount)], ignored: [String]) {
    guard file.folder == nil, !ExportReader.mayBeExport(file.bytes) || isArchive(file.bytes, path, archives) else {
      return ([(path, try unpack(file, path, archives, into: memory))], [])
    }
    let archive = try journals(in: file, archives)
    let folders = archive.journalFolders
    guard folders.count > 1 else { return ([(path, try unpack(file, path, archives, into: memory))], []) }
    let journals = folders.map { folder in
      let place = folder.isEmpty ? "\(file.path)/." : "\(file.path)/\(folder)"
      for (name, bytes) in archive.journals[folder] ?? [:] { memory.set("\(place)/\(name)", bytes) }
      return (place, MountedJournals.Mount(.archive, loss: archive.loss))
    }
    return (journals, archive.notes)
  }

  /// Whether a file that is not an export is an archive that holds a journal.
  package static func isArchive(_ bytes: [UInt8], _ path: String, _ archives: (any ArchiveOpener)?) -> Bool {
    guard let archives, archives.mayBeArchive(bytes), let archive = try? archives.journals(in: bytes, path) else {
      return false
    }
    return !archive.journals.isEmpty
  }

  private static func journals(
    in file: File, _ archives: (any ArchiveOpener)?
  ) throws(Failure) -> any ArchivedJournals {
    guard let archives else {
      throw Failure(
        .unreadable, "\(file.path): this tool reads no archives; unpack it first", next: unpacking(file))
    }
    return try archives.journals(in: file.bytes, file.path)
  }

  /// A name in an archive as messages have it. None was typed: it is withheld like any other text.
  package static func shown(_ name: String) -> String {
    (JSONExcerpt.showsPersons ? Redaction.revealing : .on).shown(path: name)
  }

  /// The command that unpacks an archive into the current folder.
  static func unpacking(_ file: File) -> String {
    (file.bytes.starts(with: [0x50, 0x4B]) ? "unzip " : "tar -xf ") + file.path.shellWord
  }

  private static func unpack(
    _ history: ExportedHistory, _ path: String, into memory: MemoryFiles
  ) throws(ExchangeError) -> MountedJournals.Mount {
    do throws(JournalError) {
      try history.write(to: path, memory)
    } catch {
      throw ExchangeError(.damaged, error.message, remedy: error.remedy)
    }
    return MountedJournals.Mount(.export, loss: loss(history))
  }

  /// What is missing of an export; `nil` if nothing is.
  package static func loss(_ history: ExportedHistory) -> String? {
    guard case .cut(_, let reason) = history.ending else { return nil }
    return "\(reason); "
      + (history.eventCount == 0
        ? "no event precedes that" : "only what precedes that is known, up to event \(history.lastSequence)")
  }
}

extension Failure {
  /// A file that is not what it should be.
  package init(_ error: ExchangeError, _ path: String) {
    switch error.code {
    case .needsNewerProgram: self.init(.needsNewerTool, "\(path): \(error)", next: "\(Tool.name) version")
    case .notAnExport, .tooLarge, .damaged:
      self.init(.unreadable, "\(path): \(error)", next: "\(Tool.name) help exports")
    }
  }
}
