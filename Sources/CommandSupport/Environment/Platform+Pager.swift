#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Synchronization

/// The pager that runs and the pipe to it, for the handler of interrupts, which may touch nothing but such numbers.
private let runningPager = Atomic<Int32>(0)
private let pagerPipe = Atomic<Int32>(-1)

extension Platform {
  /// Starts a pager with the shell; returns its process and the pipe that it reads, or `nil` when the system cannot.
  ///
  /// An interrupt from the keyboard reaches both processes. This one then closes the pipe, waits until the pager is
  /// left, and ends with 130.
  static func startPager(_ command: String) -> (process: Int32, descriptor: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    // As Git sets it: leave when all fits, show colors, and let what was shown stand.
    setenv("LESS", "FRX", 0)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    // The pager must not inherit the signals that this process ignores.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGINT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in strdup(word) }
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, "/bin/sh", &actions, &attributes, words + [nil], environ)
    close(ends[0])
    guard code == 0 else {
      close(ends[1])
      return nil
    }
    pagerPipe.store(ends[1], ordering: .sequentiallyConsistent)
    runningPager.store(process, ordering: .sequentiallyConsistent)
    _ = signal(SIGINT) { _ in
      // close, waitpid and _exit may be called here, and so may the loads of two numbers.
      close(pagerPipe.load(ordering: .sequentiallyConsistent))
      var status: Int32 = 0
      while waitpid(runningPager.load(ordering: .sequentiallyConsistent), &status, 0) < 0, errno == EINTR {}
      _exit(ExitCode.interrupted.rawValue)
    }
    return (process, ends[1])
  }

  /// Ends the pager's input and waits until it is left; its exit code, or `nil` when a signal ended it.
  static func finishPager(_ process: Int32, _ descriptor: Int32) -> Int32? {
    close(descriptor)
    return exitCode(of: process)
  }
}
