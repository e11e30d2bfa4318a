import PlainText

/// The files to search: those that were named, and all below the directories that were named.
enum SalvageInputs {
  /// The nesting depth below which directories are not searched.
  static let maximumDepth = 16
  static let maximumFiles = 1 << 20

  /// The files that are searched, and the ones that are not.
  struct Contents {
    /// The paths of the files in a fixed order: as they were named, and in directories by name.
    var files: [String] = []
    /// Directories that are not searched, and why.
    var skipped: [(path: String, cause: String)] = []
    /// The directories, by their identity in the file system.
    fileprivate(set) var directories: Set<String> = []
    fileprivate var visited: Set<String> = []
  }

  static func contents(of inputs: [String], _ fileSystem: any FileSystem) throws(JournalError) -> Contents {
    var contents = Contents()
    for input in inputs { try add(input, depth: 0, fileSystem, &contents) }
    return contents
  }

  private static func add(
    _ path: String, depth: Int, _ fileSystem: any FileSystem, _ contents: inout Contents
  ) throws(JournalError) {
    var names: [String] = []
    do throws(FileSystemError) {
      names = try fileSystem.list(path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      if depth == 0, error.code == OperatingSystem.noEntry {
        throw JournalError(
          .notAJournal, "there is no such file or directory", remedy: "check the path", file: path,
          errorNumber: error.code)
      }
      if error.code != OperatingSystem.notADirectory, error.code != OperatingSystem.noEntry {
        let refusal = JournalError.system(error, file: path)
        guard depth > 0 else { throw refusal }
        // A link to itself is a file that cannot be opened.
        guard OperatingSystem.isOfOtherKind(error.code) else {
          contents.skipped.append((path, refusal.message))
          return
        }
      }
    }
    guard !names.isEmpty else {
      guard contents.files.count < maximumFiles else {
        throw JournalError(
          .tooLarge, "there are more than \(UInt64(maximumFiles).grouped) files", remedy: "salvage fewer at a time",
          file: path)
      }
      if contents.visited.insert("file " + path).inserted { contents.files.append(path) }
      return
    }
    // A link that leads back up must not cause an endless loop.
    let identity = (try? fileSystem.identity(of: path)) ?? path
    guard contents.directories.insert(identity).inserted else { return }
    guard depth <= maximumDepth else {
      contents.skipped.append((path, "not searched, because it is more than \(maximumDepth) directories deep"))
      return
    }
    for name in names {
      try add(path.hasSuffix("/") ? path + name : path + "/" + name, depth: depth + 1, fileSystem, &contents)
    }
  }
}
