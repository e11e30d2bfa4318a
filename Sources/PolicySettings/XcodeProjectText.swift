import PropertyList

/// Reads the text of a `project.pbxproj`: dictionaries in braces, lists in parentheses, words and texts in quotes, and comments.
struct XcodeProjectText {
  /// A value.
  indirect enum Value {
    case text(String, PropertyListPosition)
    case list([Value])
    case table([String: Value])

    var text: String? { if case .text(let text, _) = self { text } else { nil } }
    var list: [Value] { if case .list(let values) = self { values } else { [] } }
    var table: [String: Value] { if case .table(let values) = self { values } else { [:] } }
  }

  private let bytes: [UInt8]
  private var place = 0
  private var (line, lineStart) = (1, 0)
  private var values = 0

  private static let deepest = 64
  private static let mostValues = 2_000_000

  /// Reads a whole file.
  static func value(of bytes: [UInt8]) throws(XcodeProjectError) -> Value {
    var reader = XcodeProjectText(bytes: bytes)
    // A byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.place = 3 }
    reader.skipSpace()
    if reader.next == UInt8(ascii: "<") {
      throw reader.error(
        "this project is a property list in XML, which Xcode does not write; save the project in Xcode again")
    }
    guard reader.next == UInt8(ascii: "{") else {
      throw reader.error("this does not begin as the project of Xcode does")
    }
    let value = try reader.value(1)
    reader.skipSpace()
    guard reader.next == nil else { throw reader.error("something follows the end of the project") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }
  private var position: PropertyListPosition { .text(line: line, column: place - lineStart + 1) }

  private func error(_ reason: String) -> XcodeProjectError { XcodeProjectError(position: position, reason: reason) }

  private mutating func advance() {
    if bytes[place] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, place + 1) }
    place += 1
  }

  /// Passes over white space and comments.
  private mutating func skipSpace() {
    while let byte = next {
      let follower = place + 1 < bytes.count ? bytes[place + 1] : 0
      if byte == UInt8(ascii: "/"), follower == UInt8(ascii: "/") {
        while let byte = next, byte != UInt8(ascii: "\n") { advance() }
      } else if byte == UInt8(ascii: "/"), follower == UInt8(ascii: "*") {
        place += 2
        if place < bytes.count { advance() }
        while place < bytes.count, !(bytes[place] == UInt8(ascii: "/") && bytes[place - 1] == UInt8(ascii: "*")) {
          advance()
        }
        if place < bytes.count { advance() }
      } else if byte == 0x20 || (0x09...0x0D).contains(byte) {
        advance()
      } else {
        return
      }
    }
  }

  private mutating func value(_ depth: Int) throws(XcodeProjectError) -> Value {
    values += 1
    guard depth <= Self.deepest else { throw error("values are nested more than \(Self.deepest) deep") }
    guard values <= Self.mostValues else { throw error("the project has more than \(Self.mostValues) values") }
    switch next {
    case UInt8(ascii: "{"): return .table(try table(depth))
    case UInt8(ascii: "("): return .list(try list(depth))
    default:
      let position = position
      return .text(try text(), position)
    }
  }

  private mutating func table(_ depth: Int) throws(XcodeProjectError) -> [String: Value] {
    var table: [String: Value] = [:]
    advance()
    while true {
      skipSpace()
      if next == UInt8(ascii: "}") { break }
      let key = try text()
      try pass(UInt8(ascii: "="), "an equals sign")
      skipSpace()
      let value = try value(depth + 1)
      guard table.updateValue(value, forKey: key) == nil else { throw error("a key occurs twice") }
      try pass(UInt8(ascii: ";"), "a semicolon")
    }
    advance()
    return table
  }

  private mutating func list(_ depth: Int) throws(XcodeProjectError) -> [Value] {
    var list: [Value] = []
    advance()
    while true {
      skipSpace()
      if next == UInt8(ascii: ")") { break }
      list.append(try value(depth + 1))
      skipSpace()
      if next != UInt8(ascii: ")") { try pass(UInt8(ascii: ","), "a comma") }
    }
    advance()
    return list
  }

  private mutating func pass(_ byte: UInt8, _ name: String) throws(XcodeProjectError) {
    skipSpace()
    guard next == byte else { throw error("\(name) is missing here") }
    advance()
  }

  private mutating func text() throws(XcodeProjectError) -> String {
    guard let quote = next else { throw error("the project ends too early") }
    var text: [UInt8] = []
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      advance()
      while let byte = next, byte != quote {
        advance()
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        guard let escaped = next else { break }
        advance()
        switch escaped {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        default: text.append(escaped)
        }
      }
      guard next != nil else { throw error("a text in quotes does not end") }
      advance()
    } else {
      while let byte = next, Self.isWord(byte) {
        text.append(byte)
        advance()
      }
      guard !text.isEmpty else { throw error("a word or a text in quotes is missing here") }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber || "_$/:.-".contains(character))
  }
}

/// Why the project of Xcode cannot be read.
public struct XcodeProjectError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place in the file.
  public let position: PropertyListPosition
  /// One sentence without a full stop.
  public let reason: String

  /// `line 3, column 5: …`
  public var description: String { "\(position): \(reason)" }
}
