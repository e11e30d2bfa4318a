/// A file that a command reads as a whole.
package enum FileInput {
  /// The longest file that is read, in bytes.
  package static let longest = 16 << 20

  /// The content of a file.
  package static func bytes(of path: String, limit: Int = longest) throws(Failure) -> [UInt8] {
    guard !path.isEmpty else {
      throw Failure(.unreadable, "a file's name is empty", next: "\(Tool.name) help commands")
    }
    return try bytes(Platform.contents(of: path, limit: limit), path, limit)
  }

  /// The content of a file, or of standard input when its name is `-`.
  ///
  /// - Parameter limit: The most bytes that are read.
  package static func bytes(
    of path: String, _ context: CommandContext, limit: Int = longest
  ) throws(Failure) -> [UInt8] {
    guard path == "-" else { return try bytes(of: path, limit: limit) }
    let bytes = try bytes(context.environment.readStandardInput(limit), path, limit)
    guard !bytes.isEmpty else {
      throw Failure(
        .unreadable, "-: standard input is empty", next: "\(Tool.name) help \(context.arguments.command.name)")
    }
    return bytes
  }

  /// Refuses what is too long for a document, though not for an archive.
  package static func expectDocument(_ bytes: [UInt8], _ path: String) throws(Failure) -> [UInt8] {
    guard bytes.count <= longest else { throw tooLong(path, longest) }
    return bytes
  }

  private static func tooLong(_ path: String, _ limit: Int) -> Failure {
    Failure(.unreadable, "\(path): the file is longer than \(limit >> 20) MiB", next: "ls -l \(path.shellWord)")
  }

  private static func bytes(
    _ result: Platform.ReadResult, _ path: String, _ limit: Int
  ) throws(Failure) -> [UInt8] {
    switch result {
    case .bytes(let bytes): return bytes
    case .tooLong: throw tooLong(path, limit)
    case .notAFile: throw notAFile(path)
    case .failed(let number):
      throw Failure(.unreadable, "\(path): \(Platform.message(ofError: number))", next: "ls -ld \(path.shellWord)")
    }
  }

  private static func notAFile(_ path: String) -> Failure {
    switch Platform.kind(of: path) {
    case .folder, .linkToFolder:
      JournalPath.isJournal(path)
        ? Failure(
          .unreadable, "\(path): this is a journal; a file is needed", next: "\(Tool.name) log \(path.shellWord)")
        : Failure(.unreadable, "\(path): this is a folder; a file is needed", next: "ls \(path.shellWord)")
    case .file, .other, nil:
      Failure(
        .unreadable, "\(path): this is not a regular file; write a pipe's output to a file first",
        next: "ls -ld \(path.shellWord)")
    }
  }
}
