import Journal
import SystemCalls

@testable import CommandSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What tests do with files, by system calls.
enum TestFiles {
  /// Makes a folder the working directory of this process.
  static func enter(_ folder: String) -> Bool { chdir(folder) == 0 }

  /// Gives a folder of its own to `body` and removes it afterwards.
  static func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = try temporaryFolder()
    defer { remove(path) }
    return try body(path)
  }

  /// The same, on the actor of the caller.
  static func withTemporaryFolder<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let path = try temporaryFolder()
    defer { remove(path) }
    return try await body(path)
  }

  private static func temporaryFolder() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/pj-tests-\(String(repeating: "X", count: 6))".utf8CString)
    guard let path = mkdtemp(&template).map({ String(cString: $0) }) else { throw Failed("mkdtemp") }
    return path
  }

  /// The bytes of a file.
  static func read(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw Failed("fopen \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Where the frame of an event begins in its segment.
  static func offset(ofEvent sequence: UInt64, in journal: String) throws -> Int {
    var cursor = try JournalReader(path: journal).cursor(after: sequence - 1)
    guard case .event(let event)? = try cursor.next() else { throw Failed("event \(sequence)") }
    return Int(event.offset)
  }

  /// Whether a text contains another, by the C library: many times as fast as `contains` in a debug build.
  static func isFound(_ part: String, in text: String) -> Bool { strstr(text, part) != nil }

  /// Whether tests try all of what they usually try a share of: with `EVERY_BIT=1` in the environment, as `.ci/run` sets it for
  /// suites about damage.
  static let triesEverything = environment("EVERY_BIT") == "1"

  /// A variable of the environment.
  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Every fourth case, or all of them.
  static func share<Case>(of cases: [Case]) -> [Case] {
    stride(from: 0, to: cases.count, by: triesEverything ? 1 : 4).map { cases[$0] }
  }

  /// Creates or replaces a file.
  static func write(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failed("fopen \(path)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failed("fwrite \(path)") }
  }

  /// Appends to a file, which is never shorter than it was: somebody may be following it.
  static func append(_ bytes: [UInt8], to path: String) throws {
    guard let file = fopen(path, "a") else { throw Failed("fopen \(path)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failed("fwrite \(path)") }
  }

  /// The names in a folder, sorted.
  static func names(in folder: String) throws -> [String] {
    let (names, error) = SystemCalls.names(in: folder)
    guard error == 0 else { throw Failed("list \(folder)") }
    return names.sorted()
  }

  /// Every name in a folder with its bytes, its identity and when it was last changed, and the folder's own.
  static func stamps(of folder: String) throws -> [String] {
    try ([""] + names(in: folder)).map { name in
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { throw Failed("stat \(folder)/\(name)") }
      #if canImport(Darwin)
        let times = [status.st_mtimespec, status.st_ctimespec]
      #else
        let times = [status.st_mtim, status.st_ctim]
      #endif
      let bytes = name.isEmpty ? [] : try read("\(folder)/\(name)")
      return "\(name) \(status.st_ino) \(status.st_mode) \(times.map { "\($0.tv_sec).\($0.tv_nsec)" }) \(bytes)"
    }
  }

  /// Copies the files of a folder into a new one.
  static func copy(_ folder: String, to target: String) throws {
    guard mkdir(target, 0o700) == 0 else { throw Failed("mkdir \(target)") }
    for name in try names(in: folder) { try write(try read("\(folder)/\(name)"), to: "\(target)/\(name)") }
  }

  /// Creates a folder, or a pipe that nobody writes into.
  static func create(_ kind: Kind, _ path: String) throws {
    guard (kind == .folder ? mkdir(path, 0o700) : mkfifo(path, 0o600)) == 0 else { throw Failed("create \(path)") }
  }

  /// What else there may be where a file is wanted.
  enum Kind: CaseIterable { case folder, pipe }

  /// Removes a file.
  static func removeFile(_ path: String) throws {
    guard unlink(path) == 0 else { throw Failed("unlink \(path)") }
  }

  /// Takes all permissions away from a file or folder, or gives the owner's back.
  static func setReadable(_ path: String, _ isReadable: Bool) {
    _ = chmod(path, isReadable ? 0o700 : 0)
  }

  /// Whether this process may read everything whatever the permissions say.
  static var isSuperuser: Bool { geteuid() == 0 }

  private static func remove(_ path: String) {
    if let names = try? names(in: path) {
      for name in names { remove("\(path)/\(name)") }
      _ = rmdir(path)
    } else {
      _ = unlink(path)
    }
  }

  /// A system call failed.
  struct Failed: Error {
    let call: String
    let number = errno
    init(_ call: String) { self.call = call }
  }
}

extension TestFiles {
  /// Runs a command line in a shell; gives its exit status.
  static func shell(_ line: String) -> Int32 {
    let status = system(line)
    return status >> 8 & 0xFF
  }
}

extension TestFiles {
  /// Gives `body` the path of a pipe into which a thread writes these bytes.
  static func piping<Answer>(_ bytes: [UInt8], _ body: (_ path: String) throws -> Answer) throws -> Answer {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failed("pipe") }
    let (reading, writing) = (ends[0], ends[1])
    defer { _ = close(reading) }
    // A command that another test starts must not keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let hasStarted = PosixFileSystem().startThread {
      _ = bytes.withUnsafeBytes { Platform.write($0, to: writing) }
      _ = close(writing)
    }
    guard hasStarted else { throw Failed("pthread_create") }
    return try body("/dev/fd/\(reading)")
  }
}

extension TestFiles {
  /// What to write to as to a pipe that nobody reads. Of a pipe the reading end would have to be closed, and a process that
  /// another test is just starting may have a copy of it.
  static func brokenPipe() throws -> Int32 {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0, shutdown(ends[1], Int32(SHUT_WR)) == 0 else {
      throw Failed("socketpair")
    }
    _ = close(ends[0])
    return ends[1]
  }

  private static var streamSocket: Int32 {
    #if canImport(Darwin)
      SOCK_STREAM
    #else
      Int32(SOCK_STREAM.rawValue)
    #endif
  }

  /// A new file to write to.
  static func create(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failed("open \(path)") }
    return descriptor
  }

  /// Lets others run until a file holds a text.
  static func waitUntil(_ path: String, holds text: String) throws {
    struct NeverHeld: Error { var path, text: String }
    // What never comes is a failure, and not a test that never ends.
    let end = ContinuousClock.now + .seconds(600)
    while !String(decoding: try read(path), as: UTF8.self).contains(text) {
      guard ContinuousClock.now < end else { throw NeverHeld(path: path, text: text) }
      sched_yield()
    }
  }

  /// A device on which every write fails for lack of room; `nil` where the system has none.
  static func fullDevice() -> Int32? {
    let descriptor = open("/dev/full", O_WRONLY)
    return descriptor < 0 ? nil : descriptor
  }
}
