/// A file that a command reads as a whole.
enum FileInput {
  /// The longest file that is read, in bytes.
  static let longest = 16 << 20

  /// The content of a file.
  static func bytes(of path: String) throws(Failure) -> [UInt8] {
    guard !path.isEmpty else { throw Failure(.unreadable, "a file's name is empty", next: "pj help commands") }
    switch Platform.contents(of: path, limit: longest) {
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
