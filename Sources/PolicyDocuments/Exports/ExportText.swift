import JSON

/// The characters of a text that is not JSON, with their places.
struct ExportText {
  /// The characters, without a byte order mark.
  let scalars: [Unicode.Scalar]
  /// Where each line begins, and where it ends before its line break.
  let lines: [Range<Int>]
  /// The encoding of the text as received.
  let encoding: JSONDocument.Encoding

  /// Decodes UTF-8 or UTF-16, with or without a byte order mark.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` at the first bytes that are not characters.
  init(_ bytes: [UInt8]) throws(PolicyDocumentError) {
    let source = try PolicyDocumentError.translate { () throws(JSONError) in try JSONSource(bytes) }
    encoding = source.encoding
    scalars = Array(String(decoding: source.bytes, as: UTF8.self).unicodeScalars)
    var lines: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() {
      let isBreak = scalar == "\n" || scalar == "\r"
      guard isBreak else { continue }
      // The line already ended at the CR of a CR LF.
      if scalar == "\n", index > 0, scalars[index - 1] == "\r" {
        start = index + 1
        continue
      }
      lines.append(start..<index)
      start = index + 1
    }
    lines.append(start..<scalars.count)
    self.lines = lines
  }

  /// The character at an index; U+0000 after the end, which is a character of no text that is read here.
  func scalar(at index: Int) -> Unicode.Scalar {
    scalars.indices.contains(index) ? scalars[index] : "\0"
  }

  /// The text between two indexes.
  func text(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[range.clamped(to: 0..<scalars.count)])
    return text
  }

  /// The line and column of a character. Its offset counts characters.
  func position(of index: Int) -> JSONPosition {
    var (low, high) = (0, lines.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lines[middle].lowerBound <= index { low = middle } else { high = middle }
    }
    return JSONPosition(line: low + 1, column: index - lines[low].lowerBound + 1, offset: index)
  }

  /// An error at a character.
  func error(
    _ code: PolicyDocumentError.Code, at index: Int, _ message: String, remedy: String
  ) -> PolicyDocumentError {
    PolicyDocumentError(code, at: position(of: index), path: JSONPath(), message: message, remedy: remedy)
  }
}
