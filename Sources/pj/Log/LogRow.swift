import Forensics
import PlainText

/// One line of a log with the notes under it, as text or as a JSON record.
struct LogRow {
  /// The line, or several, without the last one's end, in UTF-8.
  var text: [UInt8]
  /// Whether it is an event that matched: what `-n` counts.
  var isMatch = false
  /// When an event was written that is printed as text; a heading tells the year, or the day, where that changes.
  var time: CivilTime?

  /// Whether it is not printed.
  private(set) var isOmitted = false

  /// Nothing: the format has no line for it.
  static var omitted: LogRow {
    var row = LogRow([], isMatch: false)
    row.isOmitted = true
    return row
  }

  /// A line.
  init(text: String, isMatch: Bool = false) {
    self.init(Array(text.utf8), isMatch: isMatch)
  }

  /// A line in UTF-8.
  init(_ text: [UInt8], isMatch: Bool, time: CivilTime? = nil) {
    self.text = text
    self.isMatch = isMatch
    self.time = time
  }
}
