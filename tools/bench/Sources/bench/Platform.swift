#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Synchronization

/// The operating system's calls that the benchmark uses.
enum Platform {
  /// Nanoseconds of wall time, from a clock that does not jump.
  static var wallNanoseconds: Int64 { nanoseconds(CLOCK_MONOTONIC) }

  /// Nanoseconds that this process's threads ran, and the processes that it started and that ended.
  static var processorNanoseconds: Int64 {
    var usage = rusage()
    // RUSAGE_CHILDREN, which C libraries declare with different types.
    getrusage(-1, &usage)
    let children = [usage.ru_utime, usage.ru_stime].reduce(Int64(0)) {
      $0 + Int64($1.tv_sec) * 1_000_000_000 + Int64($1.tv_usec) * 1_000
    }
    return nanoseconds(CLOCK_PROCESS_CPUTIME_ID) + children
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The name of an error number.
  static func describe(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Creates a directory that nobody else has, below `parent`.
  static func createTemporaryDirectory(below parent: String) throws -> String {
    var template = Array("\(parent)/bench.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure("no directory can be made below \(parent): \(describe(errno)); name another with --directory")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func createDirectory(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 else { throw Failure("\(path) cannot be made: \(describe(errno))") }
  }

  /// The names in a directory, in the order of their bytes.
  static func list(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a file, or a directory with everything in it.
  static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in list(path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  /// A file's bytes.
  static func contents(of path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Failure("\(path) cannot be opened: \(describe(errno))") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var step = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = read(file, &step, step.count)
      guard count >= 0 else { throw Failure("\(path) cannot be read: \(describe(errno))") }
      if count == 0 { return bytes }
      bytes += step[..<count]
    }
  }

  /// Writes text to standard output.
  static func print(_ text: String) {
    put(text + "\n", to: STDOUT_FILENO)
  }

  /// Writes text to standard error.
  static func note(_ text: String) {
    put(text, to: STDERR_FILENO)
  }

  private static func put(_ text: String, to file: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = write(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        // Nobody reads any more.
        if count <= 0 { return }
        done += count
      }
    }
  }

  /// Whether standard error is a terminal.
  static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  /// Ends the process with an exit code.
  static func end(_ code: Int32) -> Never {
    exit(code)
  }

  /// The number of processors that are online.
  static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// Runs something asynchronous to its end while this thread waits.
  static func waitForTask(_ body: @escaping @Sendable () async throws -> Void) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe can be made: \(describe(errno))") }
    defer { for end in ends { close(end) } }
    let (outcome, told) = (Outcome(), ends[1])
    Task.detached {
      do { try await body() } catch { outcome.failure.withLock { $0 = "\(error)" } }
      var byte: UInt8 = 0
      _ = write(told, &byte, 1)
    }
    var byte: UInt8 = 0
    while read(ends[0], &byte, 1) < 0 && errno == EINTR {}
    if let failure = outcome.failure.withLock({ $0 }) { throw Failure(failure) }
  }

  private final class Outcome: Sendable {
    let failure = Mutex<String?>(nil)
  }

  /// The folder that this program is in.
  static var folderOfProgram: String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    let path = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// Runs another program until it ends, or until it wrote its first line when that is all that is wanted.
  ///
  /// - Returns: its exit code; 0 when it was left alone after the first line.
  static func run(_ path: String, _ arguments: [String], untilFirstLine: Bool = false) throws -> Int32 {
    let (child, output) = try start(path, arguments)
    defer { close(output) }
    let sawLine = awaitLine(output, orEnd: !untilFirstLine)
    if untilFirstLine && sawLine { kill(child, SIGKILL) }
    let status = end(of: child)
    guard sawLine else { throw Failure("\(path) \(arguments.joined(separator: " ")) wrote nothing") }
    return untilFirstLine ? 0 : status >> 8 & 0xFF
  }

  /// Runs another program that reads commands, tells it one, and asks the system for its peak once the first line has come.
  ///
  /// What `wait4` says of a child counts the memory of the process that started it.
  ///
  /// - Returns: The most memory that was ever resident until then, in bytes, with its libraries.
  static func peakMemory(of path: String, _ arguments: [String], telling command: String) throws -> Int {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe can be made: \(describe(errno))") }
    let (child, output): (pid_t, Int32)
    do {
      defer { close(ends[0]) }
      (child, output) = try start(path, arguments, input: ends)
    } catch {
      close(ends[1])
      throw error
    }
    defer { close(output) }
    put(command + "\n", to: ends[1])
    let sawLine = awaitLine(output, orEnd: false)
    let status = Result { try contents(of: "/proc/\(child)/status") }
    close(ends[1])
    _ = awaitLine(output, orEnd: true)
    let code = end(of: child)
    guard sawLine, code == 0 else {
      throw Failure("\(path) \(command): wrote nothing, or ended with \(code >> 8 & 0xFF)")
    }
    let lines = String(decoding: try status.get(), as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }),
      let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else { throw Failure("/proc/\(child)/status has no VmHWM") }
    return kibibytes * 1024
  }

  /// Starts another program.
  ///
  /// - Parameter input: The two ends of the pipe that it reads; `nil` leaves it this program's input.
  /// - Returns: The process, and the end from which what it writes can be read.
  private static func start(
    _ path: String, _ arguments: [String], input: [Int32]? = nil
  ) throws -> (child: pid_t, output: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure("no pipe can be made: \(describe(errno))") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    if let input { posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO) }
    for end in ends + (input ?? []) { posix_spawn_file_actions_addclose(&actions, end) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, words, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw Failure("\(path) cannot be started: \(describe(code)); see --pj")
    }
    return (child, ends[0])
  }

  /// Reads until a line has come or, if that is wanted, until nothing more comes.
  ///
  /// - Returns: Whether there was a line.
  private static func awaitLine(_ output: Int32, orEnd: Bool) -> Bool {
    var step = [UInt8](repeating: 0, count: 64 << 10)
    var sawLine = false
    while !sawLine || orEnd {
      let count = read(output, &step, step.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      sawLine = sawLine || step[..<count].contains(UInt8(ascii: "\n"))
    }
    return sawLine
  }

  /// Waits for the end of a process.
  private static func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// Runs this program with other arguments and returns what it wrote to standard output.
  static func runAgain(_ arguments: [String], output path: String) throws -> String {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = (["bench"] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
    guard code == 0 else { throw Failure("this program cannot be started again: \(describe(code))") }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw Failure("bench \(arguments.joined(separator: " ")) failed with status \(status)") }
    return String(decoding: try contents(of: path), as: UTF8.self)
  }
}
