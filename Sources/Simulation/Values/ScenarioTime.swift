/// The points in time that a scenario may name.
enum ScenarioTime {
  /// The years 1678 to 2261, in nanoseconds since 1970: outside this range, times and intervals do not fit in 64 bits.
  static let range: Range<Int64> = -9_214_560_000_000_000_000..<9_214_646_400_000_000_000
}
