import CommandLineInterface

/// Comma-separated values (RFC 4180).
package enum CSVText {
  /// A line without its end, in which control characters are escaped.
  package static func line(_ fields: [String]) -> String {
    fields.map { field(TerminalText.visible($0)) }.joined(separator: ",")
  }

  /// A field, in quotes where it needs them. A spreadsheet takes what begins with one of these signs for a formula, which a
  /// document could use to run something; an apostrophe before it makes it text.
  package static func field(_ text: String) -> String {
    let isFormula = text.unicodeScalars.first.map { "=+-@＝＋－＠\t\r\n|%".unicodeScalars.contains($0) } ?? false
    let text = isFormula ? "'" + text : text
    let needsQuotes = text.unicodeScalars.contains { ",\"\r\n'".unicodeScalars.contains($0) }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }
}
