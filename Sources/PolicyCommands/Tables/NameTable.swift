import PlainText

/// The names of apps and groups by their identifiers, from a table with two columns (RFC 4180).
struct NameTable {
  private var names: [String: String] = [:]

  var isEmpty: Bool { names.isEmpty }

  /// No names.
  init() {}

  /// Reads a table. A first line with `id` and `name` is its heading; further columns are passed over.
  init(_ bytes: [UInt8]) throws(CSVRecords.Problem) {
    guard var text = String(validating: bytes, as: UTF8.self) else {
      throw CSVRecords.Problem(line: 1, reason: "the table is not UTF-8; save it as UTF-8")
    }
    if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
    for (number, record) in try CSVRecords.read(text).enumerated() where record.fields != [""] {
      let (fields, line) = record
      guard fields.count > 1 else {
        throw CSVRecords.Problem(line: line, reason: "a line needs an identifier and a name, with a comma between them")
      }
      if number == 0, fields[0].lowercased() == "id" { continue }
      guard !fields[0].isEmpty, fields[0].unicodeScalars.allSatisfy(Self.isPart) else {
        throw CSVRecords.Problem(
          line: line, reason: "an identifier has letters, digits, dots, hyphens and underscores alone")
      }
      guard names.updateValue(fields[1], forKey: fields[0].lowercased()) == nil else {
        throw CSVRecords.Problem(line: line, reason: "the identifier \(fields[0]) stands there twice")
      }
    }
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      || "._-".unicodeScalars.contains(scalar)
  }

  /// A text with the name before each identifier that has one: `Outlook (com.microsoft.Office.Outlook)`.
  func naming(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let word = rest.prefix(while: Self.isPart)
      guard !word.isEmpty else {
        result.append(first)
        rest = rest.dropFirst()
        continue
      }
      let identifier = String(word)
      if let name = names[identifier.lowercased()] {
        result.append(contentsOf: "\(name) (\(identifier))".unicodeScalars)
      } else {
        result.append(contentsOf: word)
      }
      rest = rest[word.endIndex...]
    }
    return String(result)
  }
}
