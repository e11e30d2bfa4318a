/// One line of a log, as text or as a JSON record.
struct LogRow {
  /// The line without its end.
  var text: String
  /// Whether it is an event that was asked for: what `-n` counts.
  var isMatch = false
  /// The year of an event that is printed as text; a heading tells it where it changes.
  var year: Int?
}
