import Forensics
import Journal

/// A document as a command names it: a file, standard input, or one of the documents in a folder or an archive.
struct DocumentInput {
  /// Its name, as it was typed, with its path in the folder or the archive.
  let name: String
  /// Its path in the folder or the archive that brought it; `nil` for one that was named itself.
  let path: String?
  /// What standard input or an archive held; `nil` for a file.
  private let content: [UInt8]?
  /// Why an archive's document is not read; `nil` for every other one.
  private let refusal: String?

  /// Whether a folder or an archive brought it, in which much else may be.
  var isFromExport: Bool { path != nil }

  /// One of the words that name policies in journals.
  init(word: String) {
    (name, path, content, refusal) = (word, nil, nil, nil)
  }

  private init(name: String, path: String?, content: [UInt8]? = nil, refusal: String? = nil) {
    (self.name, self.path, self.content, self.refusal) = (name, path, content, refusal)
  }

  /// The longest archive that is read, in bytes.
  private static let longestArchive = 512 << 20

  /// The documents that a word names, in the order of their paths.
  static func all(_ word: String, _ context: CommandContext) throws(Failure) -> [DocumentInput] {
    switch Platform.kind(of: word) {
    case .folder, .linkToFolder:
      guard !JournalPath.isJournal(word) else { return [DocumentInput(word: word)] }
      let paths = try FolderInput.documents(in: word)
      if paths.isEmpty { context.note("\(word): the folder holds no document. Next: ls \(word.shellWord)") }
      return paths.map { path in
        let below = path.dropFirst(word.count).drop { $0 == "/" }
        return DocumentInput(name: path, path: String(below))
      }
    case .file, .other, nil: break
    }
    guard word != "-" else {
      let bytes = try FileInput.bytes(of: word, context, limit: longestArchive)
      guard !ArchiveInput.mayBeArchive(bytes) else { return try archive(bytes, word, context) }
      return [DocumentInput(name: word, path: nil, content: try FileInput.expectDocument(bytes, word))]
    }
    guard let beginning = Platform.beginning(of: word, count: 512), ArchiveInput.mayBeArchive(beginning) else {
      return [DocumentInput(word: word)]
    }
    // An export of a journal is compressed as well.
    guard !isJournal(beginning, word) else { return [DocumentInput(word: word)] }
    return try archive(try FileInput.bytes(of: word, context, limit: longestArchive), word, context)
  }

  private static func isJournal(_ beginning: [UInt8], _ word: String) -> Bool {
    guard ExportReader.mayBeExport(beginning), let file = try? PackedInput.file(word) else { return false }
    return (try? PackedInput.history(file.bytes, word)) != nil
  }

  private static func archive(
    _ bytes: [UInt8], _ word: String, _ context: CommandContext
  ) throws(Failure) -> [DocumentInput] {
    let archive = try ArchiveInput(bytes, word, for: .documents)
    for note in archive.notes { context.note("\(word): \(note)") }
    if let loss = archive.loss { throw Failure(.unreadable, "\(word): \(loss)", next: "pj help policy") }
    let documents =
      archive.documents.map { DocumentInput(name: "\(word)/\($0.path)", path: $0.path, content: $0.bytes) }
      + archive.refused.map { DocumentInput(name: "\(word)/\($0.path)", path: $0.path, refusal: $0.reason) }
    guard !documents.isEmpty else {
      throw Failure(.unreadable, "\(word): the archive holds no document", next: "pj help policy")
    }
    return documents
  }

  /// The document's bytes.
  func bytes(_ context: CommandContext) throws(Failure) -> [UInt8] {
    if let refusal {
      throw Failure(.unreadable, "\(name): \(refusal), so this one is not read", next: "pj help policy")
    }
    if let content { return content }
    return try FileInput.bytes(of: name, context)
  }
}
