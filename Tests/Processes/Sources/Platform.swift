import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's calls that start, end and watch processes.
package enum Platform {
  /// The clock that bounds a run.
  package static var monotonicNanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Lets time pass.
  package static func pause(microseconds: UInt64) {
    var time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    _ = nanosleep(&time, nil)
  }

  /// Ends the process.
  package static func end(_ code: Int32) -> Never { exit(code) }

  /// The number of this process.
  package static var processIdentifier: Int32 { getpid() }

  /// A writer whose reader died gets an error instead of being ended.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Writes a whole line at once, so that a process that is killed leaves no half of it; `false` when nobody reads.
  @discardableResult
  package static func tell(_ line: String, to descriptor: Int32 = 1) -> Bool {
    let bytes = Array((line + "\n").utf8)
    return bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
  }

  /// A directory of its own below the one for temporary files; `nil` when there can be none.
  package static func temporaryDirectory(_ name: String) -> String? {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
  }

  /// Lets a name lead to another file; a name that is taken stays as it is.
  package static func link(_ target: String, at path: String) { symlink(target, path) }

  /// Passes the path of each regular file below a folder to `body`. Links are not followed.
  package static func forEachFile(below folder: String, _ body: (String) -> Void) {
    for path in paths(in: folder) {
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { forEachFile(below: path, body) }
      if status.st_mode & S_IFMT == S_IFREG { body(path) }
    }
  }

  /// Removes a folder and everything in it. Links are removed, not followed.
  package static func removeTree(_ path: String) {
    for entry in paths(in: path) where unlink(entry) != 0 { removeTree(entry) }
    rmdir(path)
  }

  /// The paths of what is in a folder; none where there is no folder.
  private static func paths(in folder: String) -> [String] {
    SystemCalls.names(in: folder).names.map { "\(folder)/\($0)" }
  }

  /// Starts a program with pipes for its input and output; its messages go where ours go.
  static func spawn(_ path: String, _ arguments: [String]) -> (pid: Int32, input: Int32, output: Int32)? {
    var inward: [Int32] = [-1, -1]
    var outward: [Int32] = [-1, -1]
    guard pipe(&inward) == 0, pipe(&outward) == 0 else { return nil }
    for descriptor in inward + outward { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inward[0], 0)
    posix_spawn_file_actions_adddup2(&actions, outward[1], 1)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, words, environ)
    close(inward[0])
    close(outward[1])
    guard code == 0 else {
      close(inward[1])
      close(outward[0])
      return nil
    }
    return (pid, inward[1], outward[0])
  }

  static func kill(_ pid: Int32) {
    #if canImport(Darwin)
      _ = Darwin.kill(pid, SIGKILL)
    #else
      _ = Glibc.kill(pid, SIGKILL)
    #endif
  }

  /// Waits for a child to end: its exit code, or minus the signal that ended it.
  static func wait(_ pid: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      if errno != EINTR { return -127 }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  static func shut(_ descriptor: Int32) { close(descriptor) }

  /// Up to 64 KiB from a pipe; empty at its end, `nil` when nothing came in time.
  package static func receive(from descriptor: Int32, withinMicroseconds limit: UInt64) -> [UInt8]? {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Rounded up: a wait of less than a millisecond must not become a busy loop.
    guard poll(&query, 1, Int32(clamping: (limit + 999) / 1000)) > 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count >= 0 { return Array(buffer[..<count]) }
      if errno != EINTR { return [] }
    }
  }
}
