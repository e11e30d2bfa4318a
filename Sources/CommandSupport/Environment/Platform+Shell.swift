#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// How a command ended.
  package enum ShellResult: Equatable {
    /// With this exit code.
    case exited(Int32)
    /// By this signal.
    case killed(Int32)
    /// It did not begin, with this error number.
    case notStarted(Int32)
  }

  /// Runs a command with the shell and waits for it. What it prints goes to standard error, because standard output is for
  /// results.
  ///
  /// - Parameter variables: Environment variables that it finds beside those of this process.
  package static func runShell(_ command: String, _ variables: [(name: String, value: String)]) -> ShellResult {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    let words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in strdup(word) }
    defer { for word in words { free(word) } }
    var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.name)=\($0.value)") }
    defer { for entry in entries.prefix(variables.count) { free(entry) } }
    // Those of this process, unless they are given: of two, shells take the last one, and other programs the first.
    var inherited: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let entry = inherited?.pointee {
      let isGiven = variables.contains { strncmp(entry, "\($0.name)=", $0.name.utf8.count + 1) == 0 }
      if !isGiven { entries.append(entry) }
      inherited = inherited?.advanced(by: 1)
    }
    var process: pid_t = 0
    let error = posix_spawn(&process, "/bin/sh", &actions, nil, words + [nil], entries + [nil])
    guard error == 0 else { return .notStarted(error) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .notStarted(errno) }
    }
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(status & 0x7F)
  }

  /// A signal as people name it: `9 (Killed)`.
  package static func name(ofSignal number: Int32) -> String {
    strsignal(number).map { "\(number) (\(String(cString: $0)))" } ?? "\(number)"
  }

  /// Waits for a process; its exit code, or `nil` when a signal ended it.
  package static func exitCode(of process: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
