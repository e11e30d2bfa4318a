#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Platform {
  /// Runs a command with the shell and waits for it; its exit code, or `nil` when a signal ended it or it could not be
  /// started. What it prints goes to standard error, because standard output is for results.
  ///
  /// - Parameter variables: Environment variables that it finds beside those of this process.
  static func runShell(_ command: String, _ variables: [(name: String, value: String)]) -> Int32? {
    for variable in variables { setenv(variable.name, variable.value, 1) }
    defer { for variable in variables { unsetenv(variable.name) } }
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
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", &actions, nil, words + [nil], environ) == 0 else { return nil }
    return exitCode(of: process)
  }

  /// Waits for a process; its exit code, or `nil` when a signal ended it.
  static func exitCode(of process: Int32) -> Int32? {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
