#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import SystemCalls

/// The system's clocks.
enum SystemTime {
  /// The clock that people set.
  static var wallNanoseconds: Int64 { SystemCalls.nanoseconds(.wall) }

  /// The clock that starts with the device and keeps running during sleep.
  static var uptimeNanoseconds: Int64 { SystemCalls.nanoseconds(.uptime) }

  /// Local time minus UTC; `nil` if the system does not know.
  static func utcOffset(atSecond second: Int64) -> Int64? {
    tzset()
    var time = time_t(second)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return nil }
    return Int64(local.tm_gmtoff) &* 1_000_000_000
  }
}
