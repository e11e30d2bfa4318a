import Journal
import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's services that the tool uses. Only this type knows which system it is.
package enum Platform {
  /// How a write ended.
  package enum WriteResult {
    /// Everything was written.
    case written
    /// The reader of the other end is gone.
    case readerIsGone
    /// The device refused, with this error number.
    case failed(Int32)
  }

  /// Writes all of `bytes`.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteResult {
    switch SystemCalls.write(bytes, to: descriptor) {
    case 0: .written
    case EPIPE: .readerIsGone
    case let error: .failed(error)
    }
  }

  /// How reading a file ended.
  package enum ReadResult {
    /// All of it was read.
    case bytes([UInt8])
    /// It exceeds the limit.
    case tooLong
    /// It is a directory, a device, a socket, or a pipe into which no process writes.
    case notAFile
    /// The system refused, with this error number.
    case failed(Int32)
  }

  /// Reads a whole regular file of at most `limit` bytes, or a pipe up to its end. Never waits for a process that may open
  /// a pipe later.
  package static func contents(of path: String, limit: Int) -> ReadResult {
    switch SystemCalls.contents(of: path, limit: limit, acceptsPipes: true) {
    case .bytes(let bytes, _): .bytes(bytes)
    case .tooLong: .tooLong
    case .notAFile: .notAFile
    case .failed(let error): .failed(error)
    }
  }

  /// Whether a path names a pipe, such as one that a shell makes of `<(command)`.
  static func isPipe(_ path: String) -> Bool { SystemCalls.status(of: path).status?.kind == .pipe }

  /// The first bytes of a regular file, at most `count`; `nil` where it cannot be read.
  package static func beginning(of path: String, count: Int) -> [UInt8]? { bytes(of: path, at: 0, count: count) }

  /// The bytes of a regular file from an offset on, at most `count`; `nil` where they cannot be read.
  package static func bytes(of path: String, at offset: Int, count: Int) -> [UInt8]? {
    let (file, error) = SystemCalls.open(path, .read)
    guard error == 0 else { return nil }
    defer { SystemCalls.close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { SystemCalls.read(file, $0, at: Int64(offset)) }
    return got.error == 0 ? Array(bytes[..<got.count]) : nil
  }

  /// Makes a file durable and closes it; returns the error number, or `nil`.
  package static func finish(_ file: Int32) -> Int32? {
    let errors = [SystemCalls.syncAll(file), SystemCalls.close(file)]
    return errors.first { $0 != 0 }
  }

  /// Removes a file's name.
  static func removeFile(_ path: String) {
    _ = SystemCalls.removeFile(path)
  }

  /// Reads at most `limit` bytes of standard input, until its end.
  static func standardInput(limit: Int) -> ReadResult {
    let (bytes, error) = SystemCalls.rest(of: 0, limit: limit)
    return error == 0 ? bytes.map { .bytes($0) } ?? .tooLong : .failed(error)
  }

  /// Makes a write to a pipe without a reader fail with an error instead of ending the process.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Makes a write beyond the limit for file sizes end with an error instead of ending the process.
  package static func ignoreFileSizeLimit() {
    _ = signal(SIGXFSZ, SIG_IGN)
  }

  /// Whether a descriptor is a pipe whose reader is gone.
  package static func isReaderGone(_ descriptor: Int32) -> Bool {
    var file = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&file, 1, 0) > 0 && file.revents & Int16(POLLERR) != 0
  }

  /// Runs an action at the first interrupt (SIGINT) instead of ending; the second one ends the process at once. A process
  /// started to ignore interrupts keeps ignoring them.
  ///
  /// Call it while only one thread runs: threads started later do not take the signal either.
  static func onInterrupt(_ body: @escaping @Sendable () -> Void) {
    var former = sigaction()
    sigaction(SIGINT, nil, &former)
    #if canImport(Darwin)
      let handler = former.__sigaction_u.__sa_handler
    #else
      let handler = former.__sigaction_handler.sa_handler
    #endif
    // SIG_IGN, the address 1, cannot be compared as a function.
    guard unsafeBitCast(handler, to: Int.self) != 1 else { return }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let awaited = signals
    _ = PosixFileSystem().startThread {
      var signals = awaited
      var number: Int32 = 0
      sigwait(&signals, &number)
      body()
      sigwait(&signals, &number)
      _exit(ExitCode.interrupted.rawValue)
    }
  }

  /// Columns and rows of a terminal; `nil` where it does not say.
  package static func size(ofTerminal descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether a program of this name exists in one of the folders of `PATH`.
  static func findsProgram(_ name: String) -> Bool {
    (variable("PATH") ?? "").split(separator: ":").contains {
      SystemCalls.mayAccess("\($0)/\(name)", .execute)
    }
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The value of an environment variable; `nil` when it is not set.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether a file or directory exists at `path`.
  package static func exists(_ path: String) -> Bool { SystemCalls.mayAccess(path, .find) }

  /// The kind of entry at a path.
  package enum PathKind {
    /// A regular file, or a link to one.
    case file
    /// A folder.
    case folder
    /// A link to a folder.
    case linkToFolder
    /// Something else.
    case other
  }

  /// The kind of entry at a path; `nil` when it is missing or cannot be examined.
  package static func kind(of path: String) -> PathKind? {
    guard let status = SystemCalls.status(of: path).status else { return nil }
    switch status.kind {
    case .file: return .file
    case .folder: return isLink(path) ? .linkToFolder : .folder
    case .link, .pipe, .other: return .other
    }
  }

  /// The names in a folder, without those that begin with a dot if hidden ones are skipped, sorted by their bytes, or more than
  /// `limit` of them when the folder has more; `nil` when it cannot be read to its end.
  package static func names(in folder: String, limit: Int, skipsHidden: Bool = true) -> [String]? {
    let (names, error) = SystemCalls.names(in: folder, limit: limit, skipsHidden: skipsHidden)
    return error == 0 ? names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : nil
  }

  /// Whether `path` is a dangling symbolic link.
  package static func isLinkToNothing(_ path: String) -> Bool { isLink(path) && !exists(path) }

  /// Whether a path is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    SystemCalls.status(of: path, followsLinks: false).status?.kind == .link
  }

  /// The bytes of every argument, without the tool's own name.
  package static func arguments() -> [[UInt8]] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().map { word in
      word.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
    }
  }

  /// Whether a device is full, or as much of it as the owner may use.
  static func meansNoRoom(_ error: Int32) -> Bool { error == ENOSPC || error == EDQUOT }

  /// What an error number means, in the words of the system.
  package static func message(ofError number: Int32) -> String {
    String(cString: strerror(number))
  }

  /// Ends the process.
  package static func end(_ code: Int32) -> Never { exit(code) }
}

extension Platform {
  /// What the system keeps of a file besides its bytes. Times are nanoseconds since 1970.
  package struct FileStatus: Equatable {
    /// Its number on its device.
    var number: UInt64
    /// Its length in bytes.
    package var size: Int64
    /// When its bytes were last changed, as programs may set it.
    package var modified: Int64
    /// When anything about it was last changed, which no program sets.
    package var changed: Int64
  }

  /// The status of a file or folder; `nil` where it cannot be examined.
  package static func fileStatus(of path: String) -> FileStatus? {
    SystemCalls.status(of: path).status.map { status in
      FileStatus(number: status.inode, size: status.size, modified: status.modified, changed: status.changed)
    }
  }

  /// What a file is, whatever its name.
  package struct FileIdentity: Hashable {
    /// Its device.
    var device: UInt64
    /// Its number on the device.
    var number: UInt64
  }

  /// The identity of a file, or of what a link leads to; `nil` where it cannot be examined.
  package static func identity(of path: String) -> FileIdentity? {
    SystemCalls.status(of: path).status.map { FileIdentity(device: $0.device, number: $0.inode) }
  }

  /// The first path that names a file or folder for the second time, with the path that named it before, which may be
  /// another spelling or another link.
  package static func repetition(in paths: [String]) -> (path: String, first: String)? {
    var names: Set<String> = []
    var files: [FileIdentity: String] = [:]
    for path in paths {
      guard names.insert(path).inserted else { return (path, path) }
      // Standard input.
      guard let file = path == "-" ? nil : identity(of: path) else { continue }
      if let first = files.updateValue(path, forKey: file) { return (path, first) }
    }
    return nil
  }

  /// The file that this program runs from, where the system shows it.
  package static let ownFile = "/proc/self/exe"
}
