/// Scans the markup of an XML text: tags, and the text between them. Supports only as much of XML 1.0 as property lists
/// need and rejects the rest, in particular all entity declarations.
struct XMLScanner {
  /// What stands between two angle brackets.
  struct Tag {
    enum Kind { case opening, closing, empty }
    var name: String
    var kind: Kind
    /// The index of its `<`.
    var start: Int
  }

  private let bytes: [UInt8]
  private var tracker = XMLPositionTracker()
  /// The next byte to read.
  private(set) var index = 0
  /// The path of the value being read, for errors.
  var path = PropertyListPath()
  /// Whether ``origins`` are noted.
  var notesOrigins = false
  /// Where each byte of the last text came from.
  private(set) var origins: [Int] = []
  /// Where the closing tag of the last text begins.
  private(set) var textEnd = 0

  init(_ source: XMLSource) {
    bytes = source.bytes
  }

  var isAtEnd: Bool { index >= bytes.count }

  private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func stands(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes.count - index >= $0.count && bytes[index..<index + $0.count].elementsEqual($0) }
  }

  mutating func position(of index: Int) -> PropertyListPosition { tracker.position(of: index, in: bytes) }

  mutating func error(
    _ code: PropertyListError.Code, at index: Int, _ message: String, remedy: String
  ) -> PropertyListError {
    PropertyListError(code, at: position(of: index), path: path, message, remedy: remedy)
  }

  mutating func endedEarly(_ what: String) -> PropertyListError {
    error(
      .unexpectedEnd, at: bytes.count, "expected \(what), but the file ends",
      remedy: "the file was probably cut off: get it again")
  }

  // MARK: Between the values

  /// Skips white space, comments and processing instructions.
  mutating func skipMiscellany() throws(PropertyListError) {
    while !isAtEnd {
      if XMLSource.isWhitespace(byte(index)) {
        index += 1
      } else if stands("<!--") {
        _ = try through("-->", startingAfter: 4, of: "a comment")
      } else if stands("<?") {
        try processingInstruction()
      } else {
        return
      }
    }
  }

  /// Skips everything before the first value. A document type is accepted if it contains no declarations: nested
  /// entities would let a small file fill memory.
  mutating func skipProlog() throws(PropertyListError) {
    try skipMiscellany()
    guard stands("<!DOCTYPE") else { return }
    let start = index
    var quote: UInt8?
    while true {
      guard !isAtEnd else { throw endedEarly("the end of the document type") }
      let byte = byte(index)
      index += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        throw error(
          .ownDeclarations, at: start, "the document type contains declarations",
          remedy: "remove everything in [ ]: a property list needs no declarations")
      } else if byte == UInt8(ascii: ">") {
        break
      }
    }
    try skipMiscellany()
  }

  /// Rejects a file that the C preprocessor must process before it is a property list (Xcode build setting
  /// INFOPLIST_PREPROCESS).
  mutating func refuseDirective() throws(PropertyListError) {
    guard let directive else { return }
    throw error(
      .preprocessed, at: index, "#\(directive) is a C preprocessor directive; the preprocessor has not run yet",
      remedy: "give the Info.plist of the built app, or run it first: cc -E -P -x c -traditional-cpp FILE")
  }

  /// The preprocessor directive at this place, or after white space.
  var directive: String? {
    let text = bytes[min(index, bytes.count)...].drop(while: XMLSource.isWhitespace)
    guard text.first == UInt8(ascii: "#") else { return nil }
    let word = text.dropFirst().drop(while: XMLSource.isWhitespace).prefix { (0x61...0x7A).contains($0) }
    let name = String(decoding: word, as: UTF8.self)
    let known = [
      "define", "elif", "else", "endif", "error", "if", "ifdef", "ifndef", "import", "include", "line", "pragma",
      "undef", "warning",
    ]
    return known.contains(name) ? name : nil
  }

  private mutating func processingInstruction() throws(PropertyListError) {
    let start = index
    let isDeclaration = stands("<?xml ")
    let text = try through("?>", startingAfter: 2, of: "an instruction")
    guard isDeclaration, let found = Self.encoding(in: text) else { return }
    let known = ["utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be"]
    guard known.contains(found.lowercased()) else {
      throw error(
        .unsupportedEncoding, at: start, "the file declares its encoding as \(PropertyListExcerpt.quoted(found))",
        remedy: "save it as UTF-8")
    }
  }

  /// The encoding named in an XML declaration.
  private static func encoding(in declaration: String) -> String? {
    let words = declaration.split { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace }
    guard let place = words.firstIndex(of: "encoding"), place + 1 < words.endIndex else { return nil }
    return String(words[place + 1])
  }

  /// Moves past the next `end` and returns the text before it.
  private mutating func through(
    _ end: StaticString, startingAfter skipped: Int, of what: String
  ) throws(PropertyListError) -> String {
    let start = index
    index += skipped
    let first = min(index, bytes.count)
    while !isAtEnd {
      if stands(end) {
        let text = String(decoding: bytes[first..<index], as: UTF8.self)
        index += end.utf8CodeUnitCount
        return text
      }
      index += 1
    }
    throw error(
      .unexpectedEnd, at: start, "\(what) that begins here is not closed", remedy: "write \(end) where it ends")
  }

  // MARK: Tags

  /// Reads the next tag, skipping what is allowed between tags.
  ///
  /// - Parameter expected: What the error names if something else comes.
  mutating func nextTag(_ expected: String) throws(PropertyListError) -> Tag {
    try skipMiscellany()
    guard !isAtEnd else { throw endedEarly(expected) }
    guard byte(index) == UInt8(ascii: "<") else {
      try refuseDirective()
      throw error(
        .unexpectedText, at: index, "expected \(expected), found text",
        remedy: "put it into <string>, or remove it")
    }
    return try tag()
  }

  private mutating func tag() throws(PropertyListError) -> Tag {
    let start = index
    index += 1
    var tag = Tag(name: "", kind: .opening, start: start)
    if byte(index) == UInt8(ascii: "/") {
      tag.kind = .closing
      index += 1
    }
    tag.name = name()
    guard !tag.name.isEmpty else { throw malformed(start, "a tag has no name", remedy: "write &lt; for a < in text") }
    while true {
      let isParted = skipWhitespace()
      switch byte(index) {
      case UInt8(ascii: ">"):
        index += 1
        return tag
      case UInt8(ascii: "/") where byte(index + 1) == UInt8(ascii: ">") && tag.kind == .opening:
        tag.kind = .empty
        index += 2
        return tag
      default:
        guard !isAtEnd else { throw endedEarly("the end of a tag") }
        guard isParted, tag.kind == .opening, skipAttribute() else {
          throw malformed(
            start, "the tag \(PropertyListExcerpt.quoted(tag.name)) is not well formed", remedy: "write <name>")
        }
      }
    }
  }

  private mutating func malformed(_ index: Int, _ message: String, remedy: String) -> PropertyListError {
    error(.malformedMarkup, at: index, message, remedy: remedy)
  }

  private mutating func name() -> String {
    let start = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): index += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9") where index > start: index += 1
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"):
        guard index > start else { return "" }
        index += 1
      default: return String(decoding: bytes[start..<index], as: UTF8.self)
      }
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func skipWhitespace() -> Bool {
    let start = index
    while XMLSource.isWhitespace(byte(index)) { index += 1 }
    return index > start
  }

  /// Skips `name="value"`, which has no meaning in a property list.
  private mutating func skipAttribute() -> Bool {
    guard !name().isEmpty else { return false }
    _ = skipWhitespace()
    guard byte(index) == UInt8(ascii: "=") else { return false }
    index += 1
    _ = skipWhitespace()
    let quote = byte(index)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return false }
    index += 1
    while !isAtEnd, byte(index) != quote, byte(index) != UInt8(ascii: "<") { index += 1 }
    guard byte(index) == quote else { return false }
    index += 1
    return true
  }

  // MARK: Text

  /// Reads the text up to the closing tag of `tag`, resolving entities and converting line ends to LF (XML 1.0, 2.11).
  mutating func text(of tag: Tag) throws(PropertyListError) -> String {
    origins.removeAll(keepingCapacity: true)
    textEnd = index
    guard tag.kind == .opening else { return "" }
    var text: [UInt8] = []
    var start = index
    while !isAtEnd {
      if notesOrigins {
        while origins.count < text.count { origins.append(start) }
        start = index
      }
      if byte(index) == UInt8(ascii: "&") {
        text.append(contentsOf: try reference().utf8)
      } else if byte(index) != UInt8(ascii: "<") {
        try character(into: &text)
      } else if stands("<!--") {
        _ = try through("-->", startingAfter: 4, of: "a comment")
      } else if stands("<![CDATA[") {
        let start = index + 9
        _ = try through("]]>", startingAfter: 9, of: "a CDATA section")
        let end = index - 3
        index = start
        while index < end {
          let place = index
          try character(into: &text)
          while notesOrigins, origins.count < text.count { origins.append(place) }
        }
        index = end + 3
      } else {
        let closing = try self.tag()
        textEnd = closing.start
        guard closing.kind == .closing, closing.name == tag.name else {
          throw error(
            .unexpectedTag, at: closing.start,
            "the tag \(PropertyListExcerpt.quoted(closing.name)) is inside <\(tag.name)>",
            remedy: "write </\(tag.name)> before it, or &lt; for a < in text")
        }
        return String(decoding: text, as: UTF8.self)
      }
    }
    throw endedEarly("</\(tag.name)>")
  }

  private mutating func character(into text: inout [UInt8]) throws(PropertyListError) {
    let byte = byte(index)
    guard byte >= 0x20 || XMLSource.isWhitespace(byte) else { throw notACharacter(UInt32(byte), at: index) }
    index += 1
    guard byte == 0x0D else {
      text.append(byte)
      return
    }
    // Both bytes are one character, which begins at the first of them.
    if self.byte(index) == 0x0A { index += 1 }
    text.append(0x0A)
  }

  private mutating func notACharacter(_ number: UInt32, at index: Int) -> PropertyListError {
    error(
      .invalidCharacter, at: index, "U+\(String(number, radix: 16, uppercase: true)) is not allowed in XML",
      remedy: "remove it")
  }

  /// Reads `&name;`, `&#10;` or `&#xA;`, where a name must be one of the five predefined in XML.
  private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
    let start = index
    // The longest reference is &#1114111; writers do not pad numbers with zeros.
    let limit = min(start + 12, bytes.count)
    guard let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: ";")) else {
      throw error(.unknownEntity, at: start, "an & does not begin a reference", remedy: "write &amp; for an & in text")
    }
    let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    index = end + 1
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
    guard name.hasPrefix("#"), digits.utf8.first != UInt8(ascii: "+"), digits.utf8.first != UInt8(ascii: "-"),
      let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10)
    else {
      throw error(
        .unknownEntity, at: start, "the reference \(PropertyListExcerpt.quoted("&\(name);")) does not name a character",
        remedy: "write the character itself, or its number as in &#65;")
    }
    guard let scalar = Unicode.Scalar(number), XMLSource.isCharacter(scalar) else {
      throw notACharacter(number, at: start)
    }
    return scalar
  }
}
