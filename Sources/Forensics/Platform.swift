#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What questions about a history need of the operating system: regular expressions of POSIX.
enum Platform {
  /// A compiled extended regular expression of POSIX.1-2017, XBD 9.4. It belongs to one thread at a time.
  final class Expression {
    private let compiled: UnsafeMutablePointer<regex_t>

    /// Compiles an expression; `nil` when it is none. A dot and a bracket with `^` stop at the end of a line, and `^` and
    /// `$` find both ends of every line.
    init?(_ pattern: String) {
      let place = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
      place.initialize(to: regex_t())
      guard regcomp(place, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE) == 0 else {
        // After a failure there is nothing to free but the place itself; deinit does not run, as nothing is stored yet.
        place.deallocate()
        return nil
      }
      compiled = place
    }

    deinit {
      regfree(compiled)
      compiled.deallocate()
    }

    /// Whether the expression is found in the bytes, among which zero is a byte like others.
    func isFound(in bytes: UnsafeBufferPointer<CChar>) -> Bool {
      guard let start = bytes.baseAddress else { return regexec(compiled, "", 0, nil, 0) == 0 }
      // REG_STARTEND takes the extent from the first place for a match, so that no end mark is needed behind the bytes.
      var extent = regmatch_t()
      extent.rm_so = 0
      extent.rm_eo = regoff_t(clamping: bytes.count)
      return regexec(compiled, start, 1, &extent, REG_STARTEND) == 0
    }
  }
}
