#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system's clocks.
enum Platform {
  /// The clock that people set.
  static var wallNanoseconds: Int64 { nanoseconds(CLOCK_REALTIME) }

  /// The clock that starts with the device and keeps running during sleep.
  static var uptimeNanoseconds: Int64 {
    #if canImport(Darwin)
      nanoseconds(CLOCK_MONOTONIC)
    #else
      nanoseconds(CLOCK_BOOTTIME)
    #endif
  }

  /// Local time minus UTC; `nil` if the system does not know.
  static func utcOffset(atSecond second: Int64) -> Int64? {
    tzset()
    var time = time_t(second)
    var local = tm()
    guard localtime_r(&time, &local) != nil else { return nil }
    return Int64(local.tm_gmtoff) &* 1_000_000_000
  }

  /// Zero for a clock that the system does not have.
  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
