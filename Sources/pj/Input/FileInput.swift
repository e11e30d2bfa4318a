/// A file that a command reads as a whole.
enum FileInput {
  /// The longest file that is read, in bytes.
  static let longest = 16 << 20

  /// The content of a file.
  static func bytes(of path: String) throws(Failure) -> [UInt8] {
    guard !path.isEmpty else { throw Failure(.unreadable, "a file's name is empty", next: "pj help commands") }
    return try bytes(Platform.contents(of: path, limit: longest), path)
  }

  /// The content of a file, or of standard input when its name is `-`.
  static func bytes(of path: String, _ context: CommandContext) throws(Failure) -> [UInt8] {
    guard path == "-" else { return try bytes(of: path) }
    let bytes = try bytes(context.environment.readStandardInput(longest), path)
    guard !bytes.isEmpty else {
      throw Failure(
        .unreadable, "-: standard input is empty", next: "pj help \(context.arguments.command.name)")
    }
    return bytes
  }

  private static func bytes(_ result: Platform.ReadResult, _ path: String) throws(Failure) -> [UInt8] {
    switch result {
    case .bytes(let bytes): return bytes
    case .tooLong:
      throw Failure(
        .unreadable, "\(path): the file is longer than \(longest >> 20) MiB", next: "ls -l \(path.shellWord)")
    case .notAFile: throw notAFile(path)
    case .failed(let number):
      throw Failure(.unreadable, "\(path): \(Platform.message(ofError: number))", next: "ls -ld \(path.shellWord)")
    }
  }

  private static func notAFile(_ path: String) -> Failure {
    switch Platform.kind(of: path) {
    case .folder, .linkToFolder:
      JournalPath.isJournal(path)
        ? Failure(.unreadable, "\(path): this is a journal; a file is needed", next: "pj log \(path.shellWord)")
        : Failure(.unreadable, "\(path): this is a folder; a file is needed", next: "ls \(path.shellWord)")
    case .file, .other, nil:
      Failure(
        .unreadable, "\(path): this is not a regular file; write a pipe's output to a file first",
        next: "ls -ld \(path.shellWord)")
    }
  }
}
