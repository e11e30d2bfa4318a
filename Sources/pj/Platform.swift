#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the tool needs of the operating system: the one place that knows which one it is.
enum Platform {
  /// How a write ended.
  enum WriteResult {
    /// Everything was written.
    case written
    /// Whoever read the other end is gone.
    case readerIsGone
    /// The device refused, with this error number.
    case failed(Int32)
  }

  /// Writes all of `bytes`.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteResult {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, start, rest.count)
      #else
        let count = Glibc.write(descriptor, start, rest.count)
      #endif
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[min(count, rest.count)...])
      } else if errno == EPIPE {
        return .readerIsGone
      } else if errno != EINTR {
        return .failed(errno)
      }
    }
    return .written
  }

  /// Makes a write to a pipe that nobody reads end with an error instead of ending the process.
  static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The value of an environment variable; `nil` when it is not set.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Whether there is a file or directory at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// What an error number means, in the words of the system.
  static func message(ofError number: Int32) -> String {
    String(cString: strerror(number))
  }

  /// Ends the process.
  static func end(_ code: Int32) -> Never { exit(code) }
}
