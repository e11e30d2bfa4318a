import CommandLineInterface
import Journal
import SystemCalls

/// Files that commands write whole. None replaces another.
enum FileOutput {
  /// Fails where a file, a folder or a link has the name already, before any work is done for it.
  static func refuseExisting(_ path: String, of command: String) throws(Failure) {
    guard Platform.exists(path) || Platform.isLinkToNothing(path) else { return }
    throw Failure(
      .wrongUse, "--output \(path): this exists and is not replaced; name a new file", next: "pj help \(command)")
  }

  /// Creates a file; removes it again where it cannot be written whole.
  static func create(_ path: String, _ bytes: [UInt8]) throws(Failure) {
    guard let error = bytes.withUnsafeBytes({ Platform.create(path, $0) }) else { return }
    throw failure(error, path)
  }

  /// Why a file cannot be written.
  static func failure(_ error: Int32, _ path: String) -> Failure {
    let folder = FileName.folder(of: path)
    return Failure(
      .unreadable, "--output \(path): \(Platform.message(ofError: error))",
      next: Platform.exists(folder) ? Failure.next(error, at: folder) : "mkdir -p \(folder.shellWord)")
  }
}
