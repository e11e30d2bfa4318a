import Forensics

/// Prints the rows of a log: as they come, the last ones only, or newest first.
final class LogPrinter {
  private let output: TextOutput
  private let text: LogText?
  private var period: String?
  /// The number of matches printed.
  private(set) var shown: UInt64 = 0

  init(_ output: TextOutput, _ text: LogText?) {
    self.output = output
    self.text = text
  }

  /// Whether the reader of the output is gone.
  var isClosed: Bool { output.isClosed }

  /// Flushes the output.
  func flush() {
    output.flush()
  }

  /// Prints a row; `false` when the reader of the output is gone.
  func print(_ row: LogRow) -> Bool {
    guard !row.isOmitted else { return !output.isClosed }
    if let text {
      if let next = row.time.map(text.period), next != period {
        if period == nil { output.line(text.header(next)) }
        if period != nil || text.isNarrow { output.line(text.periodLine(next)) }
        period = next
      }
    }
    output.line(utf8: row.text, hanging: LogText.hanging)
    if row.isMatch { shown += 1 }
    return !output.isClosed
  }
}
