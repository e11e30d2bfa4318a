#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operating system's services for querying a history: POSIX regular expressions.
enum PatternMatching {
  /// Whether bytes occur within others.
  static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var rest = text
    while rest.count >= part.count, let start = rest.baseAddress,
      let found = memchr(start, Int32(first), rest.count - part.count + 1)
    {
      if memcmp(found, part, part.count) == 0 { return true }
      rest = UnsafeBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1)...])
    }
    return false
  }

  /// A compiled extended regular expression (POSIX.1-2017, XBD 9.4).
  ///
  /// Unchecked because of the pointer: it is set once, freed with the object, and given only to `regexec`, which does
  /// not change the expression and may be called from any thread (POSIX.1-2017, XSH 2.9.1).
  final class Expression: @unchecked Sendable {
    private let compiled: UnsafeMutablePointer<regex_t>

    /// Compiles an expression; `nil` if it is malformed. A dot or a bracket with `^` does not match a line end, and `^`
    /// and `$` match at both ends of every line.
    init?(_ pattern: String) {
      let place = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
      place.initialize(to: regex_t())
      guard regcomp(place, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) == 0 else {
        // A failed compilation leaves only the allocated place to free; deinit does not run, because nothing is stored
        // yet.
        place.deallocate()
        return nil
      }
      compiled = place
    }

    deinit {
      regfree(compiled)
      compiled.deallocate()
    }

    /// Whether the bytes contain a match. A zero byte has no special meaning.
    func isFound(in bytes: UnsafeBufferPointer<CChar>) -> Bool {
      guard let start = bytes.baseAddress else { return regexec(compiled, "", 0, nil, 0) == 0 }
      // REG_STARTEND takes the extent from the first match's place, so the bytes need no terminator.
      var extent = regmatch_t()
      extent.rm_so = 0
      extent.rm_eo = regoff_t(clamping: bytes.count)
      return regexec(compiled, start, 1, &extent, REG_STARTEND) == 0
    }
  }
}
