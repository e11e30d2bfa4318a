#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the app asks of its system.
enum Platform {
  /// The error number of a file that is too large.
  static let fileTooLarge = EFBIG

  /// Ends the process.
  static func end(_ code: Int32) -> Never { exit(code) }

  /// Shows a line at once: who reads along sees what was done when it was done.
  static func show(_ line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { Darwin.write(1, $0.baseAddress, $0.count) }
      #else
        let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      #endif
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
