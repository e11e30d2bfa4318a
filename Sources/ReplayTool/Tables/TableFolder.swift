import CommandSupport
import Journal
import SystemCalls

/// Tables in the making. They take their place all at once, when every row of them is durable: no reader, and no crash, finds
/// part of one under its final name.
final class TableFolder {
  /// Where the tables will be.
  let target: String
  private let fileSystem: any FileSystem
  /// Where they are made.
  private let part: String
  private var files: [JournalTable: TableFile] = [:]
  /// What was created, the innermost last.
  private var folders: [String] = []

  /// Begins the tables.
  init(_ target: String, _ fileSystem: any FileSystem) throws(Failure) {
    var name = target[...]
    while name.utf8.count > 1, name.hasSuffix("/") { name = name.dropLast() }
    self.target = String(name)
    self.fileSystem = fileSystem
    part = self.target + ".part"
    if Platform.exists(part) || Platform.isLinkToNothing(part) {
      throw Failure(
        .wrongUse,
        "\(part): this exists: other tables are being written, or that ended before it was done; remove what is left of it",
        next: "rm -r \(part.shellWord)")
    }
    do throws(FileSystemError) {
      try create(part)
      for table in JournalTable.allCases {
        let folder = "\(part)/\(table.rawValue)"
        try create(folder)
        files[table] = TableFile(folder, fileSystem)
      }
    } catch {
      discard()
      throw FileOutput.failure(error.code, self.target)
    }
  }

  private func create(_ folder: String) throws(FileSystemError) {
    try fileSystem.createDirectory(folder)
    folders.append(folder)
  }

  /// Writes a row.
  func write(_ row: TableRow, to table: JournalTable) { files[table]?.write(row.bytes) }

  /// The number of rows of a table.
  func rows(of table: JournalTable) -> UInt64 { files[table]?.rows ?? 0 }

  /// Whether writing has no effect any more.
  var hasFailed: Bool { failure != nil }

  private var failure: FileSystemError? {
    JournalTable.allCases.lazy.compactMap { self.files[$0]?.failure }.first
  }

  /// Puts the tables in their place; nothing is left of them where that fails.
  func finish() throws(Failure) {
    for table in JournalTable.allCases { files[table]?.finish() }
    do throws(FileSystemError) {
      if let failure { throw failure }
      try fileSystem.syncDirectory(part)
      let made = try fileSystem.identity(of: part)
      do throws(FileSystemError) {
        // A folder that appeared there meanwhile stays, unless it is empty.
        try fileSystem.rename(part, to: target)
      } catch {
        // A file system on another machine may report an error for what it has done.
        guard (try? fileSystem.identity(of: target)) == made else { throw error }
      }
    } catch {
      discard()
      throw FileOutput.failure(error.code, target)
    }
    try FileOutput.keepName(of: target, fileSystem)
  }

  /// Removes what was written.
  func discard() {
    for path in files.values.flatMap(\.paths) { try? fileSystem.remove(path) }
    for folder in folders.reversed() { try? fileSystem.remove(folder) }
    (files, folders) = ([:], [])
  }
}
