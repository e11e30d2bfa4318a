import JSON

/// A text that would be JSON without comments, without commas before closing brackets, and with values in place of words such as
/// `NaN`. All that is replaced keeps its length, so that every place stays what it is.
struct MendedText {
  private var bytes: [UInt8]
  private var comments: [Int] = []
  private var commas: [Int] = []

  /// Whether a text begins with a comment, which JSON does not.
  static func beginsWithComment(_ bytes: [UInt8]) -> Bool {
    // In UTF-16, every other byte of such a beginning is 0.
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
    let rest = bytes.lazy.filter { !marks.contains($0) }.prefix(2)
    return rest.elementsEqual("//".utf8) || rest.elementsEqual("/*".utf8)
  }

  /// Reads JSON, or else what is JSON once it is mended, with lint's findings about that.
  ///
  /// - Throws: Why the text as it came is no JSON, if it is none once mended either.
  static func parse(
    _ bytes: [UInt8], file: String?
  ) throws(JSONError) -> (value: JSONValue, encoding: JSONDocument.Encoding, findings: [PolicyFinding]) {
    let failure: JSONError
    do throws(JSONError) {
      let json = try JSONDocument.parse(bytes)
      return (json.value, json.encoding, [])
    } catch {
      failure = error
    }
    guard failure.code != .tooLong, let source = try? JSONSource(bytes) else { throw failure }
    var text = MendedText(bytes: source.bytes)
    text.mend()
    guard text.bytes != source.bytes, let json = try? JSONDocument.parse(text.bytes) else { throw failure }
    return (json.value, source.encoding, text.findings(in: file))
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func mend() {
    var index = 0
    // The last comma, as long as only white space and comments follow it.
    var comma: Int?
    while index < bytes.count {
      switch byte(index) {
      case UInt8(ascii: "/") where byte(index + 1) == UInt8(ascii: "/") || byte(index + 1) == UInt8(ascii: "*"):
        comments.append(index)
        index = blankComment(from: index)
        continue
      case UInt8(ascii: ","): comma = index
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let comma {
          commas.append(comma)
          bytes[comma] = 0x20
        }
        comma = nil
      case 0x20, 0x09, 0x0A, 0x0D: break
      case UInt8(ascii: "\""):
        comma = nil
        index += 1
        while index < bytes.count, byte(index) != UInt8(ascii: "\"") {
          index += byte(index) == UInt8(ascii: "\\") ? 2 : 1
        }
      case _:
        comma = nil
        replaceWord(at: &index)
        continue
      }
      index += 1
    }
  }

  /// Replaces a comment by blanks, and leaves its line breaks.
  private mutating func blankComment(from start: Int) -> Int {
    let isLine = byte(start + 1) == UInt8(ascii: "/")
    var end = start + 2
    if isLine {
      while end < bytes.count, byte(end) != 0x0A, byte(end) != 0x0D { end += 1 }
    } else {
      while end < bytes.count, !(byte(end) == UInt8(ascii: "*") && byte(end + 1) == UInt8(ascii: "/")) { end += 1 }
      end = min(end + 2, bytes.count)
    }
    for index in start..<end where byte(index) != 0x0A && byte(index) != 0x0D { bytes[index] = 0x20 }
    return end
  }

  private static let words = ["NaN", "Infinity", "-Infinity", "+Infinity", "undefined"].map { Array($0.utf8) }

  /// Passes over a word or a number, and replaces a word that is no value.
  private mutating func replaceWord(at index: inout Int) {
    let start = index
    func isPart(_ byte: UInt8) -> Bool {
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-._$".utf8.contains(byte)
    }
    while index < bytes.count, isPart(byte(index)) { index += 1 }
    if index == start { index += 1 }
    guard Self.words.contains(Array(bytes[start..<index])) else { return }
    // A text that no document has: its reader says that the value is unknown.
    for place in start..<index { bytes[place] = 0x7F }
    bytes[start] = UInt8(ascii: "\"")
    bytes[index - 1] = UInt8(ascii: "\"")
  }

  // MARK: Findings

  private func findings(in file: String?) -> [PolicyFinding] {
    [
      finding("a comment is no part of JSON", at: comments, remedy: "remove it", file),
      finding("a comma precedes a closing bracket", at: commas, remedy: "remove the comma", file),
    ].compactMap(\.self)
  }

  private func finding(_ message: String, at places: [Int], remedy: String, _ file: String?) -> PolicyFinding? {
    guard let first = places.first else { return nil }
    var (line, column) = (1, 1)
    for index in 0..<first {
      let isBreak = bytes[index] == 0x0A || bytes[index] == 0x0D && byte(index + 1) != 0x0A
      // Only the first byte of a character counts.
      (line, column) = isBreak ? (line + 1, 1) : (line, column + (bytes[index] & 0xC0 == 0x80 ? 0 : 1))
    }
    let more = places.count > 1 ? ", as in \(places.count - 1) more places" : ""
    var finding = PolicyFinding(
      .notJSON, "JSON", at: .text(line: line, column: column), message + more + ", and was passed over", remedy: remedy)
    finding.file = file
    return finding
  }
}
