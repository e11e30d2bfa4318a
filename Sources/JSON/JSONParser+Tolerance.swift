/// What a tolerant parser reads besides JSON: comments, commas before closing brackets, texts and names in single quotes or
/// none, other forms of numbers, other words, odd escapes, and members that occur twice. All of it is noted.
extension JSONParser {
  /// The most oddities that are noted apart.
  private static let mostOddities = 100

  /// What stands for a value that cannot be known: a text that no document has.
  private static let noValue: Unicode.Scalar = "\u{7F}"

  /// Notes what was passed over; a strict parser, or one that found too much, throws it.
  mutating func note(_ error: JSONError, _ outcome: JSONOddity.Outcome) throws(JSONError) {
    guard isTolerant else { throw error }
    let oddity = JSONOddity(error: error, outcome: outcome)
    let known = oddities.firstIndex { $0.error.code == error.code && $0.error.remedy == error.remedy }
    if oddity.isAboutText, let known {
      oddities[known].count += 1
      return
    }
    guard oddities.count < Self.mostOddities else { throw error }
    oddities.append(oddity)
  }

  // MARK: White space

  /// Passes over a comment up to the end of its line, or of its own.
  mutating func skipComment() throws(JSONError) {
    let mark = byte(at: index + 1)
    guard mark == UInt8(ascii: "/") || mark == UInt8(ascii: "*") else {
      throw error(.unexpectedCharacter, "a slash does not begin a comment here", remedy: "remove it")
    }
    try note(error(.comment, "a comment is no part of JSON", remedy: "remove it"), .passedOver)
    index += 2
    if mark == UInt8(ascii: "/") {
      while index < bytes.count, next != 0x0A, next != 0x0D { index += 1 }
    } else {
      while index < bytes.count, !(next == UInt8(ascii: "*") && byte(at: index + 1) == UInt8(ascii: "/")) { index += 1 }
      index = min(index + 2, bytes.count)
    }
  }

  // MARK: Values and names

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-._$".utf8.contains(byte)
  }

  private mutating func word(_ isPart: (UInt8) -> Bool) -> String {
    let start = index
    while index < bytes.count, isPart(next) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private static let singleQuote = UInt8(ascii: "'")

  /// A text in single quotes, a number, or a word; `nil` where none of them begins.
  mutating func oddValue() throws(JSONError) -> JSONValue.Content? {
    if next == Self.singleQuote {
      try noteQuotes()
      return .string(try string())
    }
    let place = position()
    let word = word(Self.isPartOfWord)
    guard !word.isEmpty else { return nil }
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    if let number = JSONNumber(text: word) { return .number(number) }
    let taken = Self.meaning(of: word)
    if let taken {
      let phrase = JSONExcerpt.phrase(JSONValue(taken))
      try note(
        JSONError(
          .invalidNumber, at: place, path: path, message: "\(JSONExcerpt.quoted(word)) is not a value of JSON",
          remedy: "write \(JSONValue(taken).description)"), .taken(phrase))
    }
    // The reader of the member says that its value is unknown.
    return taken ?? .string("\(Self.noValue)the word \(JSONExcerpt.quoted(word)) is not a value of JSON")
  }

  /// What a word of another language certainly stands for.
  private static func meaning(of word: String) -> JSONValue.Content? {
    switch word.lowercased() {
    case "true", "$true": return .bool(true)
    case "false", "$false": return .bool(false)
    case "null", "$null", "none": return .null
    default: break
    }
    let isNegative = word.first == "-"
    let digits = isNegative || word.first == "+" ? word.dropFirst() : word[...]
    let sign = isNegative ? "-" : ""
    if digits.lowercased().hasPrefix("0x") {
      return UInt32(digits.dropFirst(2), radix: 16).flatMap { JSONNumber(text: "\(sign)\($0)") }.map { .number($0) }
    }
    let whole = digits.first == "." ? "0\(digits)" : String(digits)
    let parts = whole.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return JSONNumber(text: sign + (parts.last?.isEmpty == true ? String(parts[0]) : whole)).map { .number($0) }
  }

  /// A member's name in single quotes or none; `nil` where neither begins.
  mutating func oddName() throws(JSONError) -> String? {
    if next == Self.singleQuote {
      try noteQuotes()
      return try string()
    }
    let place = position()
    let name = word { Self.isPartOfWord($0) || $0 == UInt8(ascii: "@") }
    guard !name.isEmpty else { return nil }
    try note(
      JSONError(
        .unexpectedCharacter, at: place, path: path, message: "a member's name has no quotes",
        remedy: "write the name in double quotes"), .taken("the word"))
    return name
  }

  private mutating func noteQuotes() throws(JSONError) {
    try note(
      error(.unexpectedCharacter, "a text is in single quotes", remedy: "write straight double quotes"),
      .taken("the text"))
  }

  /// Adds a member whose name the object has already. Values that differ say nothing certain, except that the last
  /// annotation counts, as with other parsers.
  mutating func merge(_ member: JSONObject.Member, into members: inout [JSONObject.Member]) throws(JSONError) {
    guard let known = members.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) }) else { return }
    let isAnnotation = member.name.contains("@")
    if isAnnotation || members[known].value == member.value {
      try note(duplicate(member.name, at: member.position), isAnnotation ? .taken("the last value") : .passedOver)
      members[known].value = member.value
    } else {
      let reason = "the member \(JSONExcerpt.quoted(member.name)) occurs twice in one object, with different values"
      members[known].value = JSONValue(.string("\(Self.noValue)\(reason)"), at: member.value.position)
    }
  }

  // MARK: Escapes

  /// The character for an escape that is none.
  mutating func oddEscape(_ error: JSONError, from start: Int) throws(JSONError) -> Unicode.Scalar {
    if isTolerant, error.code == .invalidEscape {
      if byte(at: start + 1) == Self.singleQuote {
        index = start + 2
        return "'"
      }
      try note(error, .taken("the backslash itself"))
      index = start + 1
      return "\\"
    }
    guard error.code == .loneSurrogate else { throw error }
    try note(error, .lost)
    index = start + 6
    return "\u{FFFD}"
  }
}
