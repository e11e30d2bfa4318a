/// The records of comma-separated values (RFC 4180).
package enum CSVRecords {
  /// Why a table cannot be used.
  package struct Problem: Error, Equatable {
    /// The line, from 1.
    package let line: Int
    /// One sentence without a full stop.
    package let reason: String

    package init(line: Int, reason: String) {
      (self.line, self.reason) = (line, reason)
    }
  }

  /// The records of a table, each with the line on which it begins. A line ends with LF, CR LF or CR.
  package static func read(_ text: String) throws(Problem) -> [(fields: [String], line: Int)] {
    var records: [(fields: [String], line: Int)] = []
    var fields: [String] = []
    var field = String.UnicodeScalarView()
    var (line, start) = (1, 1)
    var isQuoted = false
    var isPastQuotes = false
    var isPastReturn = false
    func endField() {
      fields.append(String(field))
      (field, isPastQuotes) = (String.UnicodeScalarView(), false)
    }
    for scalar in text.unicodeScalars {
      // CR LF is one end of a line.
      let endsReturn = scalar == "\n" && isPastReturn
      isPastReturn = scalar == "\r"
      let isNewline = scalar == "\n" || scalar == "\r"
      if isNewline, !endsReturn { line += 1 }
      switch scalar {
      case "\"" where isQuoted: (isQuoted, isPastQuotes) = (false, true)
      case "\"" where isPastQuotes:
        // Two quotation marks are one in the text.
        field.append("\"")
        (isQuoted, isPastQuotes) = (true, false)
      case "\"" where field.isEmpty: isQuoted = true
      case _ where isQuoted: field.append(scalar)
      case ",": endField()
      case _ where isNewline:
        if endsReturn { continue }
        endField()
        records.append((fields, start))
        (fields, start) = ([], line)
      case _ where isPastQuotes:
        throw Problem(line: line, reason: "something follows the quotation mark that closes a field")
      default: field.append(scalar)
      }
    }
    guard !isQuoted else { throw Problem(line: start, reason: "a quotation mark is not closed") }
    if !field.isEmpty || !fields.isEmpty || isPastQuotes {
      endField()
      records.append((fields, start))
    }
    return records
  }
}
