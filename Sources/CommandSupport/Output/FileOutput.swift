import CommandLineInterface
import Journal
import SystemCalls

/// Files that commands write: whole and durable, or not at all. None replaces another.
package enum FileOutput {
  /// Creates a file of these bytes.
  package static func create(_ path: String, _ bytes: [UInt8], _ fileSystem: any FileSystem) throws(Failure) {
    let file = try OutputFile(path)
    file.write(bytes)
    try file.finish()
    try keepName(of: path, fileSystem)
  }

  /// Makes the name of a file or folder durable, whose contents are.
  ///
  /// - Parameter option: The option that names it, or its folder.
  package static func keepName(
    of path: String, option: String = "output", _ fileSystem: any FileSystem
  ) throws(Failure) {
    // With a slash at its end, a folder's name would count as the folder that holds it.
    let name = path.reversed().drop { $0 == "/" }.reversed()
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(FileName.folder(of: String(name)))
    } catch {
      throw Failure(
        .unreadable,
        "--\(option) \(path): it is written, whole, but may not survive a power cut: \(Platform.message(ofError: error.code))",
        next: "sync")
    }
  }

  /// Why a file cannot be written.
  ///
  /// - Parameter option: The option that names it, or its folder.
  package static func failure(_ error: Int32, _ path: String, option: String = "output") -> Failure {
    let folder = FileName.folder(of: path)
    return Failure(
      .unreadable, "--\(option) \(path): \(Platform.message(ofError: error))",
      next: Platform.exists(folder) ? Failure.next(error, at: folder) : "mkdir -p \(folder.shellWord)")
  }
}

/// A file that is being written. Unless it is finished, nothing of it is left.
package final class OutputFile {
  private let path: String
  private let option: String
  private var file: Int32?
  private var failure: Int32?

  /// Creates the file, for its owner only, where nothing has its name.
  ///
  /// - Parameter option: The option that names it, or its folder.
  package init(_ path: String, option: String = "output") throws(Failure) {
    (self.path, self.option) = (path, option)
    let (file, error) = SystemCalls.open(path, .create)
    guard error == 0 else { throw FileOutput.failure(error, path, option: option) }
    self.file = file
  }

  deinit { discard() }

  /// Adds bytes; does nothing once that has failed.
  package func write(_ bytes: [UInt8]) {
    guard failure == nil, let file else { return }
    let error = bytes.withUnsafeBytes { SystemCalls.write($0, to: file) }
    if error != 0 { failure = error }
  }

  /// Makes the bytes durable; the name is so after ``FileOutput/keepName(of:_:)``.
  package func finish() throws(Failure) {
    guard let file else { return }
    if failure == nil { failure = Platform.finish(file) } else { SystemCalls.close(file) }
    self.file = nil
    guard let failure else { return }
    Platform.removeFile(path)
    throw FileOutput.failure(failure, path, option: option)
  }

  /// Removes the file, unless it is finished.
  package func discard() {
    guard let file else { return }
    self.file = nil
    SystemCalls.close(file)
    Platform.removeFile(path)
  }
}
