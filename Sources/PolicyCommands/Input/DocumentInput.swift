import CommandSupport
import Forensics
import Journal
import ProtectionSupport

/// A document as a command names it: a file, standard input, or one of the documents in a folder or an archive.
struct DocumentInput {
  /// Its name as it was typed, with its path in the folder or the archive.
  let name: String
  /// The name as it is shown, without names of people.
  let shownName: String
  /// Its path in the folder or the archive that brought it; `nil` for one that was named itself.
  let path: String?
  /// What standard input or an archive held; `nil` for a file.
  private let content: [UInt8]?
  /// Why it is not read; `nil` for every document that can be.
  private let refusal: String?

  /// Whether a folder or an archive brought it, in which much else may be.
  var isFromExport: Bool { path != nil }

  /// What a word names: a file, or a journal with a policy.
  init(word: String, _ context: CommandContext) { self.init(name: word, path: nil, context) }

  /// A journal with a policy, and perhaps a position after an @.
  init(journal word: String) {
    (name, shownName, path, content, refusal) = (word, word, nil, nil, nil)
  }

  private init(
    name: String, path: String?, content: [UInt8]? = nil, refusal: String? = nil, _ context: CommandContext
  ) {
    (self.name, self.path, self.content, self.refusal) = (name, path, content, refusal)
    shownName = context.redaction.shown(path: name)
  }

  /// The longest archive that is read, in bytes.
  static let longestArchive = 512 << 20

  /// The documents that a word names, in the order of their paths.
  static func all(_ word: String, _ context: CommandContext) throws(Failure) -> [DocumentInput] {
    switch Platform.kind(of: word) {
    case .folder, .linkToFolder:
      guard !JournalPath.isJournal(word) else { return [DocumentInput(journal: word)] }
      let paths = try FolderInput.documents(in: word)
      if paths.isEmpty { context.note("\(word): the folder holds no document. Next: ls \(word.shellWord)") }
      return paths.map { path in
        let below = path.dropFirst(word.count).drop { $0 == "/" }
        return DocumentInput(name: path, path: String(below), context)
      }
    case .file, .other, nil: break
    }
    guard word != "-" else {
      let bytes = try FileInput.bytes(of: word, context, limit: longestArchive)
      guard !ArchiveInput.mayBeArchive(bytes) else { return try archive(bytes, word, context) }
      return [DocumentInput(name: word, path: nil, content: try FileInput.expectDocument(bytes, word), context)]
    }
    guard let beginning = Platform.beginning(of: word, count: 512), ArchiveInput.mayBeArchive(beginning) else {
      return [DocumentInput(word: word, context)]
    }
    // An export of a journal is compressed as well.
    guard !isJournal(beginning, word) else { return [DocumentInput(journal: word)] }
    return try archive(try FileInput.bytes(of: word, context, limit: longestArchive), word, context)
  }

  private static func isJournal(_ beginning: [UInt8], _ word: String) -> Bool {
    guard ExportReader.mayBeExport(beginning), let file = try? PackedInput.file(word, SystemArchives()) else {
      return false
    }
    return (try? PackedInput.history(file.bytes, word)) != nil
  }

  private static func archive(
    _ bytes: [UInt8], _ word: String, _ context: CommandContext
  ) throws(Failure) -> [DocumentInput] {
    let archive = try ArchiveInput(bytes, word, for: .documents)
    for note in archive.notes { context.note("\(word): \(note)") }
    var documents =
      archive.documents.map { DocumentInput(name: "\(word)/\($0.path)", path: $0.path, content: $0.bytes, context) }
      + archive.refused.map {
        DocumentInput(
          name: "\(word)/\($0.path)", path: $0.path, refusal: "\($0.reason), so this one is not read", context)
      }
    if let loss = archive.loss {
      documents.append(
        DocumentInput(name: word, path: "", refusal: "\(loss); what follows is not read", context))
    }
    guard !documents.isEmpty else {
      throw Failure(.unreadable, "\(word): the archive holds no document", next: "pj help policy")
    }
    return documents
  }

  /// The document's bytes.
  func bytes(_ context: CommandContext) throws(Failure) -> [UInt8] {
    if let refusal {
      throw Failure(.unreadable, "\(shownName): \(refusal)", next: "pj help policy")
    }
    if let content { return content }
    return try FileInput.bytes(of: name, context)
  }
}
