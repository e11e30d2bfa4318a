#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

/// What the app asks of its system.
enum AppProcess {
  /// The error number of a file that is too large.
  static let fileTooLarge = EFBIG

  /// Ends the process.
  static func end(_ code: Int32) -> Never { exit(code) }

  /// Shows a line at once: who reads along sees what was done when it was done.
  static func show(_ line: String) {
    // Where the output is gone, an error has no reader.
    _ = Array((line + "\n").utf8).withUnsafeBytes { SystemCalls.write($0, to: 1) }
  }
}
