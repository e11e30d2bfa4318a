import JSON
import Journal
import SystemCalls

/// What was found in an earlier run, so that what is unchanged since need not be examined again.
///
/// The file has a line with a checksum for each row, in the order of the walk; a file in which several journals are packed has
/// several. A run reads the file of the run before it and writes its own beside it, with `.new` after the name; at its end, that
/// takes the place of the other, at once. A run that was killed leaves its `.new`: the next one goes on with it. Only what one file
/// or folder holds is in memory.
///
/// An entry counts only for the program that wrote it, and only while the stamp of its files is the same.
public final class FleetLedger {
  /// What names a run.
  public struct Head: Equatable, Sendable {
    /// The program and its rules; entries of another one do not count.
    public var program: String
    /// The files and folders that were named.
    public var folders: [String]

    /// A run of a program over files and folders.
    public init(program: String, folders: [String]) { (self.program, self.folders) = (program, folders) }
  }

  /// Whether entries of another program were passed over.
  public private(set) var isOutdated = false
  /// Whether a file was passed over whose first line, which names its run, is damaged.
  public private(set) var isDamaged = false

  private let path: String
  private let head: Head
  private let fileSystem: any FileSystem
  private let file: OpenFile
  /// The entries of the run before, and the one that was read last.
  private var old: FleetLedgerReader?
  private var candidate: FleetLedgerEntry?
  private var pending: [UInt8] = []
  private var end: UInt64 = 0
  private static let bufferSize = 64 << 10

  /// Opens the file of the run before, if there is one, and begins one of its own.
  ///
  /// - Throws: ``FleetLedgerError`` if the file is another, is in use, or cannot be read or written, or if the names of the files
  ///   and folders are more than a later run would read.
  public init(_ path: String, _ head: Head, on fileSystem: any FileSystem = PosixFileSystem()) throws(FleetLedgerError)
  {
    (self.path, self.head, self.fileSystem) = (path, head, fileSystem)
    guard FleetLedgerEntry.line(of: head).count < FleetLedgerEntry.longestLine else {
      throw FleetLedgerError(
        .tooLarge, path, "the names of the \(head.folders.count) files and folders have more than 8 MiB together")
    }
    file = try Self.open(path + ".new", .createOrUpdate, fileSystem)
    // From here on all of it is set, so that an error runs `deinit`, which closes the files.
    guard try Self.attempt(path, { () throws(FileSystemError) in try fileSystem.lock(file) }) else {
      throw FleetLedgerError(.inUse, path, "another program writes it")
    }
    do throws(FleetLedgerError) {
      try mergeUnfinished()
      old = try reader(of: path)
      candidate = try old?.next()
      try Self.attempt(path) { () throws(FileSystemError) in try fileSystem.setSize(of: file, to: 0) }
      pending = FleetLedgerEntry.line(of: head)
    } catch {
      // Beside a file that is refused, nothing is left.
      if let size = try? fileSystem.size(of: file), size == 0 { try? fileSystem.remove(path + ".new") }
      throw error
    }
  }

  deinit {
    if let old { fileSystem.close(old.file) }
    fileSystem.close(file)
  }

  /// What was found at a place in the run before; `nil` if nothing is known, or something has changed since. Ask in the order
  /// of the walk.
  public func rows(at place: FleetPlace, stamp: String) throws(FleetLedgerError) -> [FleetRow]? {
    while let found = candidate, found.place < place { candidate = try old?.next() }
    guard let found = candidate, found.place == place, found.stamp == stamp else { return nil }
    return found.rows
  }

  /// Adds what was found at a place. Add in the order of the walk.
  ///
  /// - Parameter stamp: The stamp of its files when they were read; `nil` if they may have changed meanwhile.
  public func add(_ rows: [FleetRow], at place: FleetPlace, stamp: String?) throws(FleetLedgerError) {
    pending += FleetLedgerEntry(place: place, stamp: stamp, rows: rows).lines
    if pending.count >= Self.bufferSize { try flush() }
  }

  /// Puts this run in the place of the one before.
  public func finish() throws(FleetLedgerError) {
    try flush()
    try Self.attempt(path) { () throws(FileSystemError) in
      try fileSystem.sync(file)
      try fileSystem.rename(path + ".new", to: path)
      try fileSystem.syncDirectory(FileName.folder(of: path))
    }
  }

  private func flush() throws(FleetLedgerError) {
    try Self.write(pending, to: file, at: &end, path, fileSystem)
    pending.removeAll(keepingCapacity: true)
  }

  // MARK: The runs before

  /// Opens a file of entries, if it exists and is of this program and these folders.
  ///
  /// - Parameter isUnfinished: Whether a run may have been killed before its first line was written.
  private func reader(of path: String, isUnfinished: Bool = false) throws(FleetLedgerError) -> FleetLedgerReader? {
    let file: OpenFile
    do throws(FileSystemError) {
      file = try fileSystem.open(path, .read)
    } catch {
      if error.code == FleetLedgerError.missing { return nil }
      throw FleetLedgerError(.fileSystem, path, "\(error)")
    }
    var reader = FleetLedgerReader(file, path, fileSystem)
    do throws(FleetLedgerError) {
      guard let found = try reader.head() else {
        // What a run wrote may be damaged, and is replaced; any other file is left alone.
        guard try reader.isLedger(isUnfinished: isUnfinished) else {
          throw FleetLedgerError(.foreign, path, "no fleet run wrote this file")
        }
        if !isUnfinished { isDamaged = true }
        fileSystem.close(file)
        return nil
      }
      guard found.folders == head.folders else {
        throw FleetLedgerError(
          .otherFleet, path, "this file is about \(found.folders.joined(separator: ", "))")
      }
      guard found.program == head.program else {
        isOutdated = true
        fileSystem.close(file)
        return nil
      }
    } catch {
      fileSystem.close(file)
      throw error
    }
    return reader
  }

  /// Puts what a killed run found before what the run before it found after that.
  private func mergeUnfinished() throws(FleetLedgerError) {
    guard var new = try reader(of: path + ".new", isUnfinished: true) else { return }
    defer { fileSystem.close(new.file) }
    guard var entry = try new.next() else { return }
    let merged = path + ".merged"
    let target = try Self.open(merged, .replace, fileSystem)
    defer { fileSystem.close(target) }
    var offset: UInt64 = 0
    var bytes = FleetLedgerEntry.line(of: head)
    func put(_ entry: FleetLedgerEntry) throws(FleetLedgerError) {
      bytes += entry.lines
      guard bytes.count >= Self.bufferSize else { return }
      try Self.write(bytes, to: target, at: &offset, merged, fileSystem)
      bytes.removeAll(keepingCapacity: true)
    }
    try put(entry)
    while let next = try new.next() {
      entry = next
      try put(next)
    }
    if var old = try reader(of: path) {
      defer { fileSystem.close(old.file) }
      while let next = try old.next() { if entry.place < next.place { try put(next) } }
    }
    try Self.write(bytes, to: target, at: &offset, merged, fileSystem)
    try Self.attempt(merged) { () throws(FileSystemError) in
      try fileSystem.sync(target)
      try fileSystem.rename(merged, to: path)
      try fileSystem.syncDirectory(FileName.folder(of: path))
    }
  }

  // MARK: Calls

  private static func open(
    _ path: String, _ mode: OpenMode, _ fileSystem: any FileSystem
  ) throws(FleetLedgerError) -> OpenFile {
    try attempt(path) { () throws(FileSystemError) in try fileSystem.open(path, mode) }
  }

  private static func write(
    _ bytes: [UInt8], to file: OpenFile, at offset: inout UInt64, _ path: String, _ fileSystem: any FileSystem
  ) throws(FleetLedgerError) {
    try attempt(path) { () throws(FileSystemError) in try fileSystem.writeAll(file, bytes, at: offset) }
    offset += UInt64(bytes.count)
  }

  private static func attempt<Value>(
    _ path: String, _ body: () throws(FileSystemError) -> Value
  ) throws(FleetLedgerError) -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw FleetLedgerError(.fileSystem, path, "\(error)")
    }
  }
}

/// Why a run cannot be resumed, or not be kept.
public struct FleetLedgerError: Error, Equatable, Sendable {
  /// What is wrong.
  public enum Code: Sendable {
    /// The file is none of a fleet's.
    case foreign
    /// It is about other files or folders.
    case otherFleet
    /// Another program writes it.
    case inUse
    /// The run names more files and folders than a later run would read.
    case tooLarge
    /// It cannot be read or written.
    case fileSystem
  }

  /// What is wrong.
  public let code: Code
  /// The file.
  public let path: String
  /// The reason, in one sentence without a full stop.
  public let reason: String

  init(_ code: Code, _ path: String, _ reason: String) { (self.code, self.path, self.reason) = (code, path, reason) }

  /// The system's number for a file that does not exist: `ENOENT`.
  static let missing: Int32 = 2
}
