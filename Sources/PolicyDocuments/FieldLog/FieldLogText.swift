import JSON

/// A file's text in UTF-8, whatever it was written in.
struct FieldLogText {
  /// The text.
  let bytes: [UInt8]

  init(_ file: [UInt8]) { bytes = JSONSource.text(of: file) }

  /// A line without what mail, terminals and web pages put around it: the marks of a quotation, the codes of colours, a
  /// carriage return, a byte order mark, spaces that do not break, and the mark of code in Markdown.
  static func clean(_ line: ArraySlice<UInt8>) -> String {
    guard line.contains(where: { $0 >= 0x80 || $0 == 0x1B || $0 == 0x0D }) else {
      return String(decoding: unquoted(line), as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(line.count)
    var index = line.startIndex
    while index < line.endIndex {
      let rest = line[index...]
      if let length = escape(rest) {
        index += length
      } else if rest.starts(with: [0xC2, 0xA0]) {
        bytes.append(0x20)
        index += 2
      } else if rest.starts(with: [0xEF, 0xBB, 0xBF]) || rest.starts(with: [0xE2, 0x80, 0x8B]) {
        index += 3
      } else if rest.starts(with: [0xE2, 0x80, 0x99]) {
        bytes.append(UInt8(ascii: "'"))
        index += 3
      } else {
        if line[index] != 0x0D { bytes.append(line[index]) }
        index += 1
      }
    }
    return String(decoding: unquoted(bytes[...]), as: UTF8.self)
  }

  /// The length of an escape sequence of a terminal at the beginning; `nil` if none stands there.
  private static func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == 0x1B, let kind = bytes.dropFirst().first else { return nil }
    guard kind == UInt8(ascii: "[") else { return 2 }
    let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
    return end.map { $0 - bytes.startIndex + 1 } ?? bytes.count
  }

  /// The text after the marks of a quotation, nested or not, and without white space and marks of code around it.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes.drop(while: isSpace)
    while let first = rest.first, first == UInt8(ascii: ">") || first == UInt8(ascii: "|") || first == UInt8(ascii: "`")
    {
      rest = rest.dropFirst().drop(while: isSpace)
    }
    while let last = rest.last, isSpace(last) || last == UInt8(ascii: "`") { rest = rest.dropLast() }
    return rest
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
