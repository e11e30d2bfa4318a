import JSON
import PlainText

/// Documents as comma-separated values (RFC 4180): a line for each value, with the number of its document, the path to it, and
/// the value.
///
/// ```
/// policy,member,value
/// "1","/apps/[0]/mobileAppIdentifier/bundleId","com.microsoft.Office.Outlook"
/// "1","/minimumPinLength","6"
/// "1","/minimumRequiredOsVersion","""17.4"""
/// ```
///
/// A path has the names of members and, in brackets, the places of elements. In a name, `~0`, `~1` and `~2` stand for a tilde, a
/// slash, and a bracket at its beginning. A value is JSON; a text stands without quotation marks unless it is something else in
/// JSON, or may be a formula for a spreadsheet.
enum DocumentTable {
  static let heading = ["policy", "member", "value"]
  /// The most steps of a path.
  private static let greatestDepth = 64

  // MARK: Writing

  /// The documents as a table.
  static func text(of documents: [JSONValue]) -> String {
    var text = heading.joined(separator: ",") + "\r\n"
    func add(_ value: JSONValue, _ path: String, _ number: Int) {
      switch value.content {
      case .object(let object) where object.count > 0:
        for member in object.members { add(member.value, "\(path)/\(escaped(member.name))", number) }
      case .array(let elements) where !elements.isEmpty:
        for (index, element) in elements.enumerated() { add(element, "\(path)/[\(index)]", number) }
      case .object, .array, .string, .number, .bool, .null:
        text += [String(number), path, cell(of: value)].map(quoted).joined(separator: ",") + "\r\n"
      }
    }
    for (index, document) in documents.enumerated() { add(document, "", index + 1) }
    return text
  }

  private static func quoted(_ text: String) -> String {
    // By code point: a mark that combines with a quotation mark leaves it one.
    "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      case "[" where index == 0: text += "~2"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func cell(of value: JSONValue) -> String {
    guard let text = value.string, value == self.value(of: text, at: .none) else { return value.description }
    // A sign in full width may count as the narrow one where texts are typed so.
    let isFormula = text.unicodeScalars.first.map { "=+-@|%'＝＋－＠".unicodeScalars.contains($0) } ?? false
    let isPlain = !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    return isFormula || !isPlain ? value.description : text
  }

  // MARK: Reading

  private struct Row {
    let number: String
    let path: [JSONPath.Component]
    let value: JSONValue
    let position: JSONPosition
  }

  /// The documents of a table, in the order of their first lines.
  static func read(_ text: ExportText) throws(PolicyDocumentError) -> JSONValue {
    let records: [(fields: [String], line: Int)]
    do throws(CSVRecords.Problem) {
      records = try CSVRecords.read(text.text(0..<text.scalars.count)).filter { $0.fields != [""] }
    } catch {
      throw self.error(error.line, error.reason)
    }
    guard records.first?.fields == heading else {
      throw error(1, "the table does not begin with \(heading.joined(separator: ","))")
    }
    var rows: [Row] = []
    for record in records.dropFirst() {
      guard record.fields.count == heading.count else {
        throw error(record.line, "a line has \(record.fields.count) fields, and \(heading.count) are needed")
      }
      let position = JSONPosition(line: record.line, column: 1, offset: 0)
      rows.append(
        Row(
          number: record.fields[0], path: try path(record.fields[1], record.line),
          value: value(of: record.fields[2], at: position), position: position))
    }
    var documents: [JSONValue] = []
    var seen: Set<String> = []
    for part in parts(rows[...], by: \.number) {
      guard seen.insert(part.key).inserted else {
        throw error(part.rows[part.rows.startIndex].position.line, "the lines of policy \(part.key) are not together")
      }
      documents.append(try value(of: part.rows, 0))
    }
    return JSONValue(.array(documents), at: documents.first?.position ?? .none)
  }

  private static func error(_ line: Int, _ message: String) -> PolicyDocumentError {
    PolicyDocumentError(
      .table, at: JSONPosition(line: line, column: 1, offset: 0), path: JSONPath(), message: message,
      remedy: "give a table that pj policy convert wrote")
  }

  /// What a cell says: JSON, or else a text.
  private static func value(of cell: String, at position: JSONPosition) -> JSONValue {
    guard let first = cell.utf8.first, !" \t\r\n".utf8.contains(first),
      var value = try? JSONDocument.parse(Array(cell.utf8)).value
    else { return JSONValue(.string(cell), at: position) }
    value.position = position
    return value
  }

  private static func path(_ text: String, _ line: Int) throws(PolicyDocumentError) -> [JSONPath.Component] {
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts.removeFirst().isEmpty, parts.count <= greatestDepth else {
      throw error(line, "a path begins with a slash and has \(greatestDepth) steps at most")
    }
    var path: [JSONPath.Component] = []
    for part in parts {
      guard part.hasPrefix("[") else {
        path.append(.member(try unescaped(part, line)))
        continue
      }
      guard part.hasSuffix("]"), let index = Int(part.dropFirst().dropLast()), "[\(index)]" == part, index >= 0 else {
        throw error(line, "the place of an element is a number in brackets, from 0")
      }
      path.append(.element(index))
    }
    return path
  }

  private static func unescaped(_ part: Substring, _ line: Int) throws(PolicyDocumentError) -> String {
    var name = String.UnicodeScalarView()
    var scalars = part.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      guard scalar == "~" else {
        name.append(scalar)
        continue
      }
      switch scalars.popFirst() {
      case "0": name.append("~")
      case "1": name.append("/")
      case "2": name.append("[")
      case _: throw error(line, "in a name, ~0, ~1 or ~2 is needed after a tilde")
      }
    }
    return String(name)
  }

  /// Lines that follow one another and have the same key.
  private static func parts<Key: Hashable>(
    _ rows: ArraySlice<Row>, by key: (Row) -> Key
  ) -> [(key: Key, rows: ArraySlice<Row>)] {
    var parts: [(key: Key, rows: ArraySlice<Row>)] = []
    var rest = rows
    while let first = rest.first.map(key) {
      let end = rest.firstIndex { key($0) != first } ?? rest.endIndex
      parts.append((first, rest[..<end]))
      rest = rest[end...]
    }
    return parts
  }

  /// The value whose lines have a path of `depth` steps in common.
  private static func value(of rows: ArraySlice<Row>, _ depth: Int) throws(PolicyDocumentError) -> JSONValue {
    guard let first = rows.first else { return .null }
    if rows.count == 1, first.path.count == depth { return first.value }
    if let row = rows.first(where: { $0.path.count <= depth }) {
      throw error(row.position.line, "the member has a value and members, or two values")
    }
    // Names are the same only code point by code point.
    let parts = parts(rows) { row in
      switch row.path[depth] {
      case .element(let index): "[\(index)]".utf8.map { $0 }
      case .member(let name): [0] + name.utf8
      }
    }
    var members: [JSONObject.Member] = []
    var elements: [JSONValue] = []
    var seen: Set<[UInt8]> = []
    for (key, rows) in parts {
      let row = rows[rows.startIndex]
      guard seen.insert(key).inserted else {
        throw error(row.position.line, "the member is there twice, with others between")
      }
      let value = try value(of: rows, depth + 1)
      switch row.path[depth] {
      case .member(let name): members.append(JSONObject.Member(name, value, at: row.position))
      case .element(let index):
        guard index == elements.count else {
          throw error(row.position.line, "element \(elements.count) is missing, or not in its place")
        }
        elements.append(value)
      }
    }
    guard members.isEmpty || elements.isEmpty else {
      throw error(first.position.line, "the member has both members and elements")
    }
    return JSONValue(
      elements.isEmpty ? .object(JSONObject(members)) : .array(elements), at: first.position)
  }
}
