#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names as UTF-8, whatever the user's locale is: libarchive gives no name that the locale cannot spell.
enum UnicodeNames {
  /// Carries out `body` where texts of the C library are UTF-8. It holds for this thread alone.
  static func use<Result>(_ body: () -> Result) -> Result {
    guard let unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil) else {
      return body()
    }
    let earlier = uselocale(unicode)
    defer {
      uselocale(earlier)
      freelocale(unicode)
    }
    return body()
  }
}
