import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// One row of a table as a line of JSON. Its values are appended in the order of the table's columns.
struct TableRow {
  /// What precedes each value: its name, and the comma or brace before it.
  private let names: [[UInt8]]
  private var place = 0
  private(set) var bytes: [UInt8] = []

  init(of table: JournalTable, in domain: AnyDomain) {
    names = table.columns(in: domain).enumerated().map { index, column in
      var bytes: [UInt8] = [UInt8(ascii: index == 0 ? "{" : ",")]
      JSONEscaping.append(column.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      return bytes
    }
  }

  /// Begins the next row.
  mutating func begin() {
    place = 0
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends it.
  mutating func end() {
    assert(place == names.count, "a row has a value for each column")
    bytes.append(literal: "}\n")
  }

  mutating func append(_ value: (inout [UInt8]) -> Void) {
    bytes.append(contentsOf: names[place])
    place += 1
    value(&bytes)
  }

  mutating func appendNull() { append { $0.append(literal: "null") } }

  mutating func append(_ text: String?) {
    guard let text else { return appendNull() }
    append { JSONEscaping.append(text, to: &$0) }
  }

  mutating func append(texts: [String?]) {
    for text in texts { append(text) }
  }

  mutating func append(_ flag: Bool) { append { $0.append(literal: flag ? "true" : "false") } }

  /// A number that no column can hold is no number of an event, and left out.
  mutating func append(_ number: (some FixedWidthInteger)?) {
    guard let number = number.flatMap({ Int64(exactly: $0) }) else { return appendNull() }
    append { $0.append(number) }
  }

  mutating func append(time nanoseconds: Int64?) {
    guard let nanoseconds else { return appendNull() }
    append { ValueJSON(.on).append(.time(nanoseconds), to: &$0) }
  }

  mutating func append<Element>(list elements: [Element], _ element: (Element, inout [UInt8]) -> Void) {
    append { bytes in
      bytes.append(UInt8(ascii: "["))
      for (index, value) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element(value, &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }
}
