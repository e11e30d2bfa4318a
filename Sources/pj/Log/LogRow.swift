import Forensics

/// One line of a log with the notes under it, as text or as a JSON record.
struct LogRow {
  /// The line, or several, without the last one's end.
  var text: String
  /// Whether it is an event that matched: what `-n` counts.
  var isMatch = false
  /// When an event was written that is printed as text; a heading tells the year, or the day, where that changes.
  var time: CivilTime?
}
