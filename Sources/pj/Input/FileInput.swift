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
    path == "-" ? try bytes(context.environment.readStandardInput(longest), path) : try bytes(of: path)
  }

  private static func bytes(_ result: Platform.ReadResult, _ path: String) throws(Failure) -> [UInt8] {
    switch result {
    case .bytes(let bytes): return bytes
    case .tooLong:
      throw Failure(.unreadable, "\(path): it is longer than \(longest >> 20) MiB", next: "ls -l \(path)")
    case .notAFile:
      throw Failure(
        .unreadable, "\(path): it is no regular file; what a pipe gives has to be put into a file first",
        next: "ls -ld \(path)")
    case .failed(let number):
      throw Failure(.unreadable, "\(path): \(Platform.message(ofError: number))", next: "ls -ld \(path)")
    }
  }
}
