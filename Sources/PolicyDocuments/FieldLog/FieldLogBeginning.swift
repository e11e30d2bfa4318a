import PlainText

/// What a log says about the year of its first line.
struct FieldLogBeginning {
  /// The first line with a time, where that has no year.
  private(set) var undated: String?
  /// The first time with a year, or with seconds since a date; `nil` where no line has one.
  private(set) var anchor: Int64?

  /// In nanoseconds.
  private static let day = CivilTime.secondsPerDay * CivilTime.nanosecondsPerSecond

  init(_ text: FieldLogText) {
    var lines = FieldLogLines(text.bytes)
    while let item = lines.next() {
      guard case .line(let line, _, _, _) = item, let time = FieldLogLine(line, year: nil).time else { continue }
      anchor = time.nanoseconds
      guard anchor == nil else { return }
      undated = undated ?? line
    }
  }

  /// The year in which the first line is nearest to a time.
  ///
  /// - Parameter reference: The log's own first time, after which the line does not come, or that of another file.
  func year(near reference: Int64) -> Int? {
    guard let undated else { return nil }
    let middle = CivilTime(nanoseconds: reference).year
    let choices = (middle - 1...middle + 1).compactMap { year in
      FieldLogLine(undated, year: year).time?.nanoseconds.map { (year: year, time: $0) }
    }
    // Lines of several processes may be a little out of order.
    let fitting = choices.filter { anchor == nil || $0.time <= reference + Self.day }
    return fitting.min { ($0.time - reference).magnitude < ($1.time - reference).magnitude }?.year
  }
}
