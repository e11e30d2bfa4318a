/// The files of a service folder at one moment.
///
/// An editor may be writing while the folder is read. The files and their stamps are read twice; where they differ, the
/// reader tries again, so that no mixture of an old and a new file is taken for what the administrator wants.
struct FolderSnapshot {
  /// The longest file, in bytes.
  static let maximumFileLength = 4 << 20
  /// The most bytes in all files together.
  static let maximumLength = 64 << 20
  /// The most names in one folder.
  static let maximumCount = 1_000
  /// The folders that hold documents.
  static let folders = ["configurations", "policies"]

  /// The contents by their paths below the folder, in the order of the paths.
  private(set) var files: [(path: String, bytes: [UInt8])] = []
  /// The folders below the folder.
  private(set) var folders: [String] = []
  /// What cannot be read.
  private(set) var mistakes: [ServiceFolderMistake] = []

  /// Reads a folder.
  ///
  /// - Throws: ``ServiceFolderMistake`` where the folder cannot be listed or changes meanwhile.
  init(of folder: String) throws(ServiceFolderMistake) {
    let names = try Self.names(in: folder)
    var stamps: [(path: String, stamp: FolderReader.Stamp)] = []
    var length = 0
    for path in names.files {
      let contents: (bytes: [UInt8], stamp: FolderReader.Stamp)
      do throws(FolderReader.Failure) {
        contents = try FolderReader.contents(of: "\(folder)/\(path)", limit: Self.maximumFileLength)
      } catch {
        mistakes.append(Self.mistake(error, in: path))
        continue
      }
      length += contents.bytes.count
      guard length <= Self.maximumLength else {
        throw ServiceFolderMistake(
          .tooLarge, path, "the files are longer than \(Self.maximumLength >> 20) MiB together",
          remedy: "remove documents that nothing assigns")
      }
      files.append((path, contents.bytes))
      stamps.append((path, contents.stamp))
    }
    folders = names.folders
    // A file that was replaced meanwhile, and one that came or went.
    let later = try Self.names(in: folder)
    let isStable =
      later == names && stamps.allSatisfy { file in (try? FolderReader.stamp("\(folder)/\(file.path)")) == file.stamp }
    guard isStable else {
      throw ServiceFolderMistake(
        .unreadable, "", "the folder changes while it is read", remedy: "ask again when its editor has saved")
    }
  }

  private struct Names: Equatable {
    var files: [String]
    var folders: [String]
  }

  /// The paths of every file that counts: a name that ends in `.json`, in the folder or one of the two for documents.
  private static func names(in folder: String) throws(ServiceFolderMistake) -> Names {
    var names = Names(files: [], folders: [])
    for entry in try entries(of: folder, named: "") {
      if entry.isFolder {
        names.folders.append(entry.name)
      } else if isRead(entry.name) {
        names.files.append(entry.name)
      }
    }
    for name in Self.folders where names.folders.contains(name) {
      names.files += try entries(of: "\(folder)/\(name)", named: name).filter { !$0.isFolder && isRead($0.name) }
        .map { "\(name)/\($0.name)" }
    }
    return names
  }

  /// Names of editors' own files do not end like this.
  private static func isRead(_ name: String) -> Bool { name.hasSuffix(".json") && !name.hasPrefix("#") }

  private static func entries(
    of folder: String, named name: String
  ) throws(ServiceFolderMistake) -> [(name: String, isFolder: Bool)] {
    do throws(FolderReader.Failure) {
      return try FolderReader.entries(of: folder, limit: maximumCount)
    } catch {
      throw mistake(error, in: name)
    }
  }

  private static func mistake(_ failure: FolderReader.Failure, in path: String) -> ServiceFolderMistake {
    switch failure {
    case .missing:
      ServiceFolderMistake(
        .missing, path, "\(path.isEmpty ? "the service folder" : "the file") does not exist",
        remedy: "check the name, or create it")
    case .notAFile:
      ServiceFolderMistake(.unreadable, path, "this is not a regular file", remedy: "replace it by a file")
    case .tooLong:
      ServiceFolderMistake(
        .tooLarge, path,
        path.hasSuffix(".json")
          ? "the file is longer than \(maximumFileLength >> 20) MiB"
          : "the folder has more than \(maximumCount) entries",
        remedy: "keep only what is assigned")
    case .changed:
      ServiceFolderMistake(
        .unreadable, path, "the file changes while it is read", remedy: "ask again when its editor has saved")
    case .system(let reason):
      ServiceFolderMistake(.unreadable, path, "the system says: \(reason)", remedy: "check the permissions")
    }
  }
}
