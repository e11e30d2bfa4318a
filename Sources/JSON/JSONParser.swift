/// Parses one JSON text by recursive descent (RFC 8259). The depth limit bounds the recursion.
///
/// A tolerant parser also reads what people and programs write for JSON: see `JSONParser+Tolerance.swift`.
struct JSONParser {
  private let source: JSONSource
  private let depthLimit: Int
  /// The member of the outermost object whose elements are checked and not kept; `nil` to keep everything.
  private let streamed: String?
  /// Whether what is no JSON, and has one meaning or none, is passed over and noted.
  let isTolerant: Bool
  /// What a tolerant parser passed over.
  var oddities: [JSONOddity] = []
  /// The elements that were not kept.
  private(set) var elements: JSONElements?
  private var tracker: JSONPositionTracker
  private(set) var path = JSONPath()
  private var depth = 0
  /// The place of the last comma: if nothing follows it, that of the error.
  private var comma = JSONPosition.none
  /// The next byte to read.
  var index = 0

  init(_ source: JSONSource, depthLimit: Int, streaming member: String? = nil, isTolerant: Bool = false) {
    self.source = source
    self.depthLimit = depthLimit
    self.isTolerant = isTolerant
    streamed = member
    tracker = JSONPositionTracker(encoding: source.encoding, markLength: source.markLength)
  }

  /// A parser after the opening bracket of these elements.
  init(at elements: JSONElements) {
    self.init(elements.source, depthLimit: elements.depthLimit)
    path = elements.path
    depth = elements.depth
    index = elements.start
  }

  var bytes: [UInt8] { source.bytes }

  /// The next byte; at the end 0, which is not valid anywhere.
  var next: UInt8 { byte(at: index) }

  func byte(at index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  mutating func document() throws(JSONError) -> JSONValue {
    try skipWhitespace()
    guard index < bytes.count else {
      throw error(.empty, "the text contains no JSON value", remedy: "check that the right file was given")
    }
    let value = try value()
    try skipWhitespace()
    guard index == bytes.count else {
      throw misplaced(
        .trailingContent, expected: "the end of the text", remedy: "keep one value, or put several into an array")
    }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSONError) -> JSONValue {
    let start = position()
    switch next {
    case UInt8(ascii: "{"): return JSONValue(.object(JSONObject(unique: try object())), at: start)
    case UInt8(ascii: "["): return JSONValue(.array(try array()), at: start)
    case UInt8(ascii: "\""): return JSONValue(.string(try string()), at: start)
    case _ where isTolerant:
      if let content = try oddValue() { return JSONValue(content, at: start) }
      throw misplaced(.unexpectedCharacter, expected: "a value", remedy: Self.valueRemedy)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONValue(.number(try number()), at: start)
    default:
      for (word, content) in [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
        as [(StaticString, JSONValue.Content)]
      {
        if consume(word) { return JSONValue(content, at: start) }
      }
      throw misplaced(.unexpectedCharacter, expected: "a value", remedy: Self.valueRemedy)
    }
  }

  static let valueRemedy = "write an object, an array, a number, true, false, null or text in double quotes"

  private mutating func array() throws(JSONError) -> [JSONValue] {
    try enter()
    var kept: [JSONValue] = []
    if let streamed, path.components == [.member(streamed)] {
      var elements = JSONElements(source, depthLimit: depthLimit, depth: depth, path: path, start: index)
      while try element(elements.count) != nil { elements.count += 1 }
      self.elements = elements
    } else {
      while let element = try element(kept.count) { kept.append(element) }
    }
    leave()
    return kept
  }

  /// The element with this number of the innermost array, from 0; `nil` at the closing bracket, which is not consumed.
  mutating func element(_ number: Int) throws(JSONError) -> JSONValue? {
    if number > 0, try isEnd(UInt8(ascii: "]"), "]", after: "an element") { return nil }
    try skipWhitespace()
    if next == UInt8(ascii: "]") {
      if number > 0 { try note(trailingComma(before: "]"), .passedOver) }
      return nil
    }
    path.push(.element(number))
    let value = try value()
    path.pop()
    return value
  }

  private mutating func object() throws(JSONError) -> [JSONObject.Member] {
    try enter()
    var members: [JSONObject.Member] = []
    var names: Set<ExactName> = []
    while true {
      try skipWhitespace()
      if next == UInt8(ascii: "}") {
        if !members.isEmpty { try note(trailingComma(before: "}"), .passedOver) }
        break
      }
      let start = position()
      let name = try self.name()
      path.push(.member(name))
      let isNew = names.insert(ExactName(text: name)).inserted
      if !isNew, !isTolerant { throw duplicate(name, at: start) }
      try skipWhitespace()
      guard next == UInt8(ascii: ":") else {
        throw misplaced(.missingColon, expected: "a colon after the member's name", remedy: "write name: value")
      }
      index += 1
      try skipWhitespace()
      let member = JSONObject.Member(name, try value(), at: start)
      if isNew { members.append(member) } else { try merge(member, into: &members) }
      path.pop()
      if try isEnd(UInt8(ascii: "}"), "}", after: "a member") { break }
    }
    leave()
    return members
  }

  private mutating func name() throws(JSONError) -> String {
    if next == UInt8(ascii: "\"") { return try string() }
    if isTolerant, let name = try oddName() { return name }
    throw misplaced(.unexpectedCharacter, expected: "a member's name", remedy: "write the name in double quotes")
  }

  func duplicate(_ name: String, at position: JSONPosition) -> JSONError {
    JSONError(
      .duplicateMember, at: position, path: path,
      message: "the member \(JSONExcerpt.quoted(name)) occurs twice in one object", remedy: "remove one of them")
  }

  /// Enters a container, consuming its opening bracket.
  private mutating func enter() throws(JSONError) {
    guard depth < depthLimit else {
      throw error(
        .tooDeep, "values are nested deeper than \(depthLimit) levels", remedy: "flatten the document")
    }
    depth += 1
    index += 1
  }

  /// Leaves a container, consuming its closing bracket.
  private mutating func leave() {
    depth -= 1
    index += 1
  }

  /// Reads what follows a member or an element: a comma, or the closing bracket, which is not consumed.
  private mutating func isEnd(
    _ closing: UInt8, _ bracket: Character, after what: String
  ) throws(JSONError) -> Bool {
    try skipWhitespace()
    switch next {
    case closing: return true
    case UInt8(ascii: ","):
      comma = position()
      index += 1
      return false
    default:
      let startsValue =
        "\"{[-".utf8.contains(next) || (0x30...0x39).contains(next) || (0x61...0x7A).contains(next)
      throw misplaced(
        startsValue ? .missingComma : .unexpectedCharacter, expected: "a comma or \(bracket) after \(what)",
        remedy: startsValue ? "write a comma before it" : "write a comma or \(bracket)")
    }
  }

  private func trailingComma(before bracket: Character) -> JSONError {
    JSONError(
      .trailingComma, at: comma, path: path,
      message: "a trailing comma precedes \(bracket)", remedy: "remove the comma")
  }

  // MARK: Numbers and words

  private mutating func number() throws(JSONError) -> JSONNumber {
    switch JSONNumber.scan(bytes, from: index) {
    case .success(let end):
      let text = String(decoding: bytes[index..<end], as: UTF8.self)
      index = end
      return JSONNumber(checked: text)
    case .failure(let failure):
      index = failure.index
      guard index < bytes.count else { throw endedEarly(expected: "a digit") }
      throw error(.invalidNumber, failure.message, remedy: failure.remedy)
    }
  }

  /// Consumes a word that is next and is not part of a longer one.
  private mutating func consume(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    let stands = word.withUTF8Buffer { letters in
      bytes.count - index >= length && bytes[index..<index + length].elementsEqual(letters)
    }
    guard stands, !Self.isWordCharacter(byte(at: index + length)) else { return false }
    index += length
    return true
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
  }

  // MARK: Strings

  /// Reads a string in double quotes, or in those that begin here.
  mutating func string() throws(JSONError) -> String {
    let quote = next
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      switch bytes[index] {
      case quote:
        index += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        let start = index
        do throws(JSONError) {
          text.append(contentsOf: try escape().utf8)
        } catch {
          text.append(contentsOf: try oddEscape(error, from: start).utf8)
        }
      case let byte where byte < 0x20:
        let name = JSONExcerpt.character(Unicode.Scalar(byte))
        try note(
          error(
            .controlCharacter, "the control character \(name) in a string is not escaped",
            remedy: "close the string before it, or write it as an escape"), .taken("it"))
        text.append(byte)
        index += 1
      case let byte:
        text.append(byte)
        index += 1
      }
    }
    throw endedEarly(expected: "the double quote that ends the string")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = index
    let letter = byte(at: index + 1)
    index += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      guard start + 1 < bytes.count else { throw endedEarly(expected: "the rest of an escape") }
      index = start
      throw error(
        .invalidEscape, "a backslash is not followed by one of \" \\ / b f n r t u",
        remedy: "write \\\\ for a backslash")
    }
    let high = try fourDigits(of: start)
    if let scalar = Unicode.Scalar(high) { return scalar }
    if high < 0xDC00, byte(at: index) == UInt8(ascii: "\\"), byte(at: index + 1) == UInt8(ascii: "u") {
      let second = index
      index += 2
      let low = try fourDigits(of: second)
      if (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
      {
        return scalar
      }
    }
    index = start
    throw error(
      .loneSurrogate, "half of a surrogate pair is not a character on its own",
      remedy: "write both halves, or the character itself")
  }

  /// Reads the four digits of the escape that begins at `start`.
  private mutating func fourDigits(of start: Int) throws(JSONError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard index < bytes.count else { throw endedEarly(expected: "the rest of an escape") }
      guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else {
        index = start
        throw error(
          .invalidEscape, "an escape \\u is not followed by four hexadecimal digits", remedy: "write four digits")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }

  // MARK: Places and errors

  private mutating func skipWhitespace() throws(JSONError) {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "/") where isTolerant: try skipComment()
      default: return
      }
    }
  }

  mutating func position() -> JSONPosition { tracker.position(of: index, in: bytes) }

  mutating func error(_ code: JSONError.Code, _ message: String, remedy: String) -> JSONError {
    JSONError(code, at: position(), path: path, message: message, remedy: remedy)
  }

  private mutating func endedEarly(expected: String) -> JSONError {
    index = bytes.count
    return error(
      .unexpectedEnd, "expected \(expected), but the text ends", remedy: "check whether the file is complete")
  }

  /// The error for the next character, depending on what it probably is.
  private mutating func misplaced(_ code: JSONError.Code, expected: String, remedy: String) -> JSONError {
    guard index < bytes.count else { return endedEarly(expected: expected) }
    let rest = bytes[index..<min(index + 4, bytes.count)]
    let scalar = String(decoding: rest, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    if scalar == "/" || scalar == "#" {
      return error(.comment, "this looks like a comment, which JSON does not allow", remedy: "remove it")
    }
    if scalar == "'" || ("\u{2018}"..."\u{201F}").contains(scalar) {
      return error(
        .unexpectedCharacter, "expected \(expected), found \(JSONExcerpt.character(scalar))",
        remedy: "write straight double quotes")
    }
    return error(code, "expected \(expected), found \(JSONExcerpt.character(scalar))", remedy: remedy)
  }
}
