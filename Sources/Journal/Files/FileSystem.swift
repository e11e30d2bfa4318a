/// How a file is opened.
public enum OpenMode: Hashable, Sendable {
  /// For reading; the file must exist.
  case read
  /// For reading and writing; the file must exist.
  case update
  /// For reading and writing; created if missing, readable by its owner only.
  case createOrUpdate
  /// For reading and writing; emptied, or created if missing, readable by its owner only.
  case replace
}

/// An open file, as its ``FileSystem`` knows it. It means nothing to another file system.
public struct OpenFile: Hashable, Sendable {
  /// The number that the file system gave it; a file descriptor in ``PosixFileSystem``.
  public let number: Int32

  /// Wraps a file system's own number.
  public init(number: Int32) {
    self.number = number
  }
}

/// What a file system knows about the process that holds the lock on a file.
public enum LockHolder: Hashable, Sendable {
  /// Its number, as this process knows it.
  case process(Int32)
  /// This process cannot see the holder: it may be in another container, or have released the lock by now.
  case unseen
  /// The system does not say; the only source is what the holder wrote into the file.
  case untold
}

/// A call to the file system that failed.
public struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number, such as `ENOSPC`.
  public let code: Int32
  /// The call, such as `write`.
  public let operation: String

  /// Creates an error from the system's number for it.
  public init(_ code: Int32, during operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The call and the reason in words.
  public var description: String { "\(operation): \(OperatingSystem.describe(code))" }

  /// Whether the device is full, or as much of it as the owner may use.
  var meansNoRoom: Bool { code == OperatingSystem.noSpace || code == OperatingSystem.quotaExceeded }
}

/// Everything the journal asks of the operating system: the seam at which tests inject faults and simulate power cuts.
///
/// The journal makes no other call with an effect outside the process, and takes the time from nowhere else; only how long
/// a thread of its own sleeps is measured by the system. Implementations may be called from several threads at once. Paths are passed on as the caller of the journal gave them.
public protocol FileSystem: Sendable {
  /// Opens a file.
  func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile
  /// Closes a file, and releases its lock. Never fails: data that must be kept was synced before.
  func close(_ file: OpenFile)
  /// Reads at `offset` and returns the number of bytes read: fewer than requested when the call was cut short, zero
  /// only at the end of the file or for an empty buffer.
  func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(FileSystemError)
    -> Int
  /// Writes at `offset` and returns the number of bytes written, which may be fewer than given.
  func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int
  /// The file's length in bytes.
  func size(of file: OpenFile) throws(FileSystemError) -> UInt64
  /// The next offset, at or after `offset`, of a byte that may not be zero; `nil` when only zeros follow.
  ///
  /// A file that was extended without being written has ranges that take no room and read as zeros. A file system
  /// that knows them saves reading them; another returns `offset`.
  func nextData(in file: OpenFile, from offset: UInt64) -> UInt64?
  /// Asks the system to forget what it keeps of the file in memory, as far as it is synced, so that the next read asks the
  /// device. Where the system cannot, it does nothing.
  func forgetCached(_ file: OpenFile)
  /// Cuts the file, or extends it with zeros.
  func setSize(of file: OpenFile, to size: UInt64) throws(FileSystemError)
  /// Returns when the file's bytes and length survive a power cut.
  func sync(_ file: OpenFile) throws(FileSystemError)
  /// Returns when the names in a directory survive a power cut.
  func syncDirectory(_ path: String) throws(FileSystemError)
  /// Gives a file the permissions of another one.
  func copyMode(of file: OpenFile, to other: OpenFile) throws(FileSystemError)
  /// Moves a file over another name in the same directory, atomically.
  func rename(_ path: String, to newPath: String) throws(FileSystemError)
  /// Moves a file to a name in the same directory that nothing has. Fails with `EEXIST` when the name is taken.
  func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError)
  /// Whether a path leads to this open file now: another program may have removed it, or moved another one over it. A link
  /// leads nowhere.
  func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool
  /// Removes a file's name, or an empty directory.
  func remove(_ path: String) throws(FileSystemError)
  /// Creates a directory for its owner only. Fails with `EEXIST` when the name is taken.
  func createDirectory(_ path: String) throws(FileSystemError)
  /// The names in a directory, in any order, without `.` and `..`.
  func list(_ path: String) throws(FileSystemError) -> [String]
  /// A stamp of the names in a directory: while it stays the same, no name has been added, removed or given to another
  /// file since the stamp was first returned. `nil` where the system cannot tell; callers then list the names.
  func stampOfNames(in path: String) -> UInt64?
  /// Takes the exclusive lock on an open file, until the file is closed; `false` when another owner holds it.
  func lock(_ file: OpenFile) throws(FileSystemError) -> Bool
  /// Which process holds the lock on a file, for messages.
  ///
  /// - Parameters:
  ///   - file: The locked file, open in this process too.
  ///   - number: The process that the file itself names; it is believed where the system confirms it in part.
  func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder
  /// A text that is equal for two paths exactly when they lead to one directory, and that no other file system in this
  /// process uses.
  func identity(of path: String) throws(FileSystemError) -> String
  /// Nanoseconds by a clock that never goes back; its zero point is arbitrary.
  var monotonicNanoseconds: UInt64 { get }
  /// Lets this much time pass.
  func pause(nanoseconds: UInt64)
  /// Runs a function on a thread of its own, soon; `false`, without running it, when threads are not available.
  func startThread(_ body: @escaping @Sendable () -> Void) -> Bool
  /// Returns a watch that reports changes to a directory from this moment on; `nil` when the system offers none, and
  /// callers then poll every few milliseconds.
  func watch(_ path: String) -> (any DirectoryWatch)?
  /// The number of this process, for messages.
  var processIdentifier: Int32 { get }
}

extension FileSystem {
  /// Starts no threads: a journal then does all its work inside its callers' calls, always in the same order.
  public func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { false }

  /// Forgets nothing: what is read may come from memory.
  public func forgetCached(_ file: OpenFile) {}

  /// Returns `offset`: which ranges were never written is unknown.
  public func nextData(in file: OpenFile, from offset: UInt64) -> UInt64? { offset }

  /// Does nothing: the file system knows no permissions.
  public func copyMode(of file: OpenFile, to other: OpenFile) throws(FileSystemError) {}

  /// Looks whether the name is taken, and moves the file. Enough where no other program changes names.
  public func rename(_ path: String, toFreeName newPath: String) throws(FileSystemError) {
    if let taken = try? open(newPath, .read) {
      close(taken)
      throw FileSystemError(OperatingSystem.exists, during: "rename")
    }
    try rename(path, to: newPath)
  }

  /// Always: no other program changes names.
  public func isNamed(_ file: OpenFile, _ path: String) throws(FileSystemError) -> Bool { true }

  /// Nothing is known of names without listing them.
  public func stampOfNames(in path: String) -> UInt64? { nil }

  /// The system does not say.
  public func lockHolder(of file: OpenFile, stated number: Int32?) -> LockHolder { .untold }

  /// The system does not say.
  public func watch(_ path: String) -> (any DirectoryWatch)? { nil }
}

/// Reports when something in a directory changes: a file is written, or a name appears.
public protocol DirectoryWatch: Sendable {
  /// Returns when something has changed since the last call, after a call of ``wake()``, or when this much time has
  /// passed. May return for no reason.
  func wait(nanoseconds: UInt64)
  /// Releases every current waiter and every later one.
  func wake()
}
