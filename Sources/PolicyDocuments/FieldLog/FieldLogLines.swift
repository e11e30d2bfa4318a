/// The lines of a log as they were before mail wrapped and quoted them, and the blocks between them.
///
/// One pass; what is kept is one line or one block, both bounded.
struct FieldLogLines {
  /// What stands in the file.
  enum Item {
    /// A line, with the number of its first part and how many parts it was wrapped into; and as it is if they were broken
    /// within words.
    case line(String, number: Int, parts: Int, tight: String?)
    /// A block in brackets.
    case block(Block)
    /// A line that is not looked at, with the reason.
    case unread(String, number: Int)
  }

  /// A block in brackets: an object of a diagnostic file, between its lines.
  struct Block {
    /// Its text, from its name or its first bracket.
    var text: String
    /// The number of its first line.
    var number: Int
    /// The line that ends with its first bracket; empty if it begins with a line of its own.
    var opening = ""
    /// Whether a line of the log or the end of the file comes before its last bracket.
    var isCutShort = false
  }

  private let lines: [ArraySlice<UInt8>]
  private var index = 0
  private var pending: Block?

  /// The longest line that is looked at, in bytes.
  private static let longestLine = 64 << 10
  /// The longest block, in bytes.
  private static let longestBlock = 8 << 20
  /// The most parts that a line was wrapped into.
  private static let mostParts = 64
  /// Mail wraps lines between these lengths.
  private static let wrapping = 66...80
  /// Terminals break lines at these lengths, also within words.
  private static let breaking = [80, 100, 120, 132, 160]

  init(_ bytes: [UInt8]) { lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false) }

  /// Whether the last item ended the file.
  var isAtEnd: Bool { index >= lines.count && pending == nil }

  /// The next item; `nil` at the end.
  mutating func next() -> Item? {
    if let pending {
      self.pending = nil
      return .block(pending)
    }
    while index < lines.count {
      let number = index + 1
      guard lines[index].count <= Self.longestLine else {
        index += 1
        return .unread("the line is too long", number: number)
      }
      let line = FieldLogText.clean(lines[index])
      index += 1
      guard !line.isEmpty else { continue }
      if isBlock(line) { return .block(block(line, Block(text: "", number: number))) }
      let (text, parts, tight) = joined(line)
      if let bracket = text.utf8.last, bracket == UInt8(ascii: "{") || bracket == UInt8(ascii: "("),
        FieldLogLine(text, year: nil).isOfLog
      {
        pending = block(
          "\(Self.name(before: text.dropLast()))\(bracket == UInt8(ascii: "{") ? "{" : "(")",
          Block(text: "", number: number, opening: text))
      }
      return .line(text, number: number, parts: parts, tight: parts > 1 ? tight : nil)
    }
    return nil
  }

  // MARK: - Wrapped lines

  /// A line with the parts that follow it.
  private mutating func joined(_ first: String) -> (text: String, parts: Int, tight: String) {
    var (text, tight, last, parts) = (first, first, first, 1)
    while index < lines.count, parts < Self.mostParts, lines[index].count <= Self.longestLine,
      text.utf8.count <= Self.longestLine
    {
      let next = FieldLogText.clean(lines[index])
      guard continues(last, text, next) else { break }
      // A soft break of mail ends with an equals sign, which may stand within a word.
      if last.hasSuffix("=") { text = text.dropLast() + next } else { text += " " + next }
      tight += next
      last = next
      parts += 1
      index += 1
    }
    if parts > 1, text.contains("=3D") { text = text.replacing("=3D", with: "=") }
    if text.hasPrefix(FieldLogLine.mark), index < lines.count, lines[index].count <= Self.longestLine,
      let time = Self.timeBelow(FieldLogText.clean(lines[index]))
    {
      text = "\(time)\(text)"
      parts += 1
      index += 1
    }
    return (text, parts, tight)
  }

  /// Whether a line goes on with the next one: the first word of that one had no room on it, or only the text is missing.
  private func continues(_ line: String, _ whole: String, _ next: String) -> Bool {
    guard !next.isEmpty, !FieldLogLine.mayBeginWithTime(next), !isBlock(next) else { return false }
    if next.hasPrefix(FieldLogLine.mark) {
      let log = FieldLogLine(whole, year: nil)
      return log.time != nil && !log.isOfSDK
    }
    let length = line.utf8.count
    let word = next.utf8.prefix { $0 != 0x20 && $0 != 0x09 }.count
    // A word that is too long for a line stands on one of its own.
    let isOneWord = !line.utf8.contains(0x20) && !line.utf8.contains(0x09)
    let hadNoRoom =
      (length <= Self.wrapping.upperBound || isOneWord) && length + 1 + word > Self.wrapping.lowerBound
    let isSoft = line.hasSuffix("=") && length >= Self.wrapping.lowerBound
    guard hadNoRoom || isSoft || Self.breaking.contains(length) else { return false }
    return next.utf8.firstRange(of: FieldLogLine.mark.utf8) == nil && FieldLogLine(whole, year: nil).isOfLog
  }

  /// The time that Xcode writes below a line, between its type and its library; `nil` where the line is none of those.
  private static func timeBelow(_ line: String) -> Substring? {
    guard line.hasPrefix("Type: ") || line.hasPrefix("Timestamp: "), let range = line.firstRange(of: "Timestamp: ")
    else {
      return nil
    }
    return line[range.upperBound...].prefix { $0 != "|" }
  }

  // MARK: - Blocks

  /// Whether a line begins a block: with a bracket, or with the name of a known block.
  private func isBlock(_ line: String) -> Bool {
    switch line.utf8.first {
    case UInt8(ascii: "{"):
      return line.utf8.count == 1 || line.utf8.dropFirst().first.map { " \"}(".utf8.contains($0) } ?? true
    case UInt8(ascii: "("): return line.utf8.count == 1
    case UInt8(ascii: "["): return line.utf8.count == 1 || line.hasPrefix("[{")
    default: break
    }
    guard line.utf8.count < 256, let last = line.utf8.last, "{(=:".utf8.contains(last) else { return false }
    let bare = line.drop { "{(=: \t\"".contains($0) }.prefix { !"{(=: \t\"".contains($0) }
    guard line.utf8.allSatisfy({ $0 > 0x20 || $0 == 0x20 || $0 == 0x09 }), FieldLogBlock.named(String(bare)) != nil
    else {
      return false
    }
    if "{(".utf8.contains(last) { return true }
    let next = lines[index...].first { !$0.allSatisfy { $0 <= 0x20 } }
    return next.map { "{(".utf8.contains(FieldLogText.clean($0.prefix(256)).utf8.first ?? 0) } ?? false
  }

  /// The name in front of a bracket, as the beginning of a member; empty where no known block is named.
  private static func name(before text: Substring) -> String {
    let end = text.reversed().drop { " =:\t\"".contains($0) }
    let name = String(end.prefix { $0.isLetter || $0.isNumber || ".-_".contains($0) }.reversed())
    return FieldLogBlock.named(name) == nil ? "" : "\(name) = "
  }

  /// The block that begins with a text.
  private mutating func block(_ beginning: String, _ start: Block) -> Block {
    var block = start
    var brackets = Brackets()
    var part = beginning
    while true {
      let end = brackets.read(part)
      block.text += part[..<(end ?? part.endIndex)] + "\n"
      if end != nil { return block }
      guard index < lines.count, block.text.utf8.count + lines[index].count <= Self.longestBlock else { break }
      let next = FieldLogText.clean(lines[index])
      // What comes next is the log's again.
      guard !FieldLogLine(next, year: nil).isOfLog else { break }
      part = next
      index += 1
    }
    block.isCutShort = true
    block.text += brackets.closing
    return block
  }

  /// The brackets that are open, as far as a text was read.
  private struct Brackets {
    private var open: [UInt8] = []
    private var isQuoted = false
    private var isEscaped = false
    private static let most = 256

    /// What closes them.
    var closing: String { (isQuoted ? "\"" : "") + String(decoding: open.reversed(), as: UTF8.self) }

    /// Reads on; returns where the last bracket closes.
    mutating func read(_ text: String) -> String.Index? {
      for index in text.utf8.indices {
        let byte = text.utf8[index]
        if isQuoted {
          if isEscaped {
            isEscaped = false
          } else if byte == 0x5C {
            isEscaped = true
          } else if byte == 0x22 {
            isQuoted = false
          }
          continue
        }
        switch byte {
        case 0x22: isQuoted = true
        case UInt8(ascii: "{") where open.count < Self.most: open.append(UInt8(ascii: "}"))
        case UInt8(ascii: "(") where open.count < Self.most: open.append(UInt8(ascii: ")"))
        case UInt8(ascii: "[") where open.count < Self.most: open.append(UInt8(ascii: "]"))
        case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
          if open.last == byte { open.removeLast() }
          if open.isEmpty { return text.utf8.index(after: index) }
        default: break
        }
      }
      return nil
    }
  }
}
