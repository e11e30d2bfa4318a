import JSON

/// Reads the part of YAML that IntuneCD writes, as JSON values with their places: block mappings and block sequences; plain,
/// quoted, literal and folded texts; `null`, `true`, `false` and decimal numbers; `[]` and `{}`; lines of comments.
///
/// Everything else is refused with its place: anchors, tags, other flow collections, complex keys, several documents, and
/// plain words that versions of YAML read differently, such as `yes` and `010`.
struct YAMLReader {
  /// A line as the parser sees it.
  private struct Line {
    /// Where the line begins.
    let origin: Int
    /// Where what is left to be read of it begins.
    var start: Int
    /// Where it ends.
    let end: Int

    /// How far what is left is indented.
    var indent: Int { start - origin }
    var isBlank: Bool { start >= end }
  }

  private let text: ExportText
  private var lines: [Line]
  /// The line to be read next.
  private var current = 0
  private var depth = 0
  private static let deepest = 64

  /// Reads a document.
  ///
  /// - Throws: `PolicyDocumentError` with the place of the first character that is not of this part of YAML.
  static func read(_ text: ExportText) throws(PolicyDocumentError) -> JSONValue {
    var reader = YAMLReader(text)
    return try reader.document()
  }

  private init(_ text: ExportText) {
    self.text = text
    lines = text.lines.map { range in
      var start = range.lowerBound
      while start < range.upperBound, text.scalars[start] == " " { start += 1 }
      return Line(origin: range.lowerBound, start: start, end: range.upperBound)
    }
  }

  private var line: Line { lines[current] }

  /// Whether every line was read.
  private var isAtEnd: Bool { current >= lines.count }

  // MARK: Structure

  private mutating func document() throws(PolicyDocumentError) -> JSONValue {
    try skipBlankLines()
    if !isAtEnd, isMarker("---") {
      current += 1
      try skipBlankLines()
    }
    let isBlock = isAtEnd ? false : isEntry(line) ? true : try key() != nil
    guard isBlock else {
      let place = isAtEnd ? max(0, text.scalars.count - 1) : line.start
      throw error(at: place, "a mapping or a sequence is needed here", "give a policy as IntuneCD writes it")
    }
    let value = try node()
    try skipBlankLines()
    guard isAtEnd else {
      throw isMarker("---") || isMarker("...")
        ? error(at: line.start, "a second document begins here", "keep one document in a file")
        : error(at: line.start, "the line is indented differently from those before it", "align it with them")
    }
    return value
  }

  private func isMarker(_ marker: String) -> Bool {
    line.indent == 0 && text.text(line.start..<line.end).hasPrefix(marker)
  }

  /// Passes over empty lines and lines of comments.
  private mutating func skipBlankLines() throws(PolicyDocumentError) {
    while !isAtEnd, line.isBlank || text.scalars[line.start] == "#" { current += 1 }
    guard !isAtEnd, text.scalars[line.start] == "\t" else { return }
    throw error(at: line.start, "a line is indented with a tab", "indent with blanks")
  }

  private mutating func enter() throws(PolicyDocumentError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw error(
        at: line.start, "values are nested deeper than \(Self.deepest) levels", "give a policy as IntuneCD writes it")
    }
  }

  /// The value that begins at the current line, which is not blank.
  private mutating func node() throws(PolicyDocumentError) -> JSONValue {
    if isEntry(line) { return try sequence() }
    if try key() != nil { return try mapping() }
    return try inline(at: line.start, in: line.indent - 1)
  }

  /// Whether a line begins with the hyphen of a sequence.
  private func isEntry(_ line: Line) -> Bool {
    !line.isBlank && text.scalars[line.start] == "-" && isBlank(line.start + 1, before: line.end)
  }

  private func isBlank(_ index: Int, before end: Int) -> Bool {
    index >= end || text.scalars[index] == " " || text.scalars[index] == "\t"
  }

  private mutating func sequence() throws(PolicyDocumentError) -> JSONValue {
    try enter()
    let (indent, place) = (line.indent, position(line.start))
    var elements: [JSONValue] = []
    while true {
      try skipBlankLines()
      guard !isAtEnd, line.indent == indent, isEntry(line) else { break }
      let rest = nextCharacter(from: line.start + 1)
      guard rest < line.end, text.scalars[rest] != "#" else {
        elements.append(try valueBelow(indent, allowsSequence: false, at: line.start))
        continue
      }
      // What follows the hyphen may be the first line of a mapping or of another sequence.
      lines[current].start = rest
      if isEntry(line) {
        elements.append(try sequence())
      } else if try key() != nil {
        elements.append(try mapping())
      } else {
        elements.append(try inline(at: rest, in: indent))
      }
    }
    depth -= 1
    return JSONValue(.array(elements), at: place)
  }

  private mutating func mapping() throws(PolicyDocumentError) -> JSONValue {
    try enter()
    let (indent, place) = (line.indent, position(line.start))
    var members: [JSONObject.Member] = []
    var names: Set<[UInt8]> = []
    while true {
      try skipBlankLines()
      guard !isAtEnd, line.indent == indent, !isEntry(line), !isMarker("---"), !isMarker("...") else { break }
      guard let key = try key() else {
        throw error(at: line.start, "a name with a colon is needed here", "write name: value")
      }
      let start = line.start
      guard names.insert(Array(key.name.utf8)).inserted else {
        throw error(
          at: start, "the member \(JSONExcerpt.quoted(key.name)) occurs twice in one mapping", "remove one of them")
      }
      let rest = nextCharacter(from: key.end)
      let isEmpty = rest >= line.end || (text.scalars[rest] == "#" && rest > key.end)
      let value =
        isEmpty ? try valueBelow(indent, allowsSequence: true, at: start) : try inline(at: rest, in: indent)
      members.append(JSONObject.Member(key.name, value, at: position(start)))
    }
    depth -= 1
    return JSONValue(.object(JSONObject(members)), at: place)
  }

  /// The value on the lines below the current one: `null` if they are not indented deeper.
  private mutating func valueBelow(
    _ indent: Int, allowsSequence: Bool, at start: Int
  ) throws(PolicyDocumentError) -> JSONValue {
    current += 1
    try skipBlankLines()
    guard !isAtEnd else { return JSONValue(.null, at: position(start)) }
    if line.indent > indent { return try node() }
    // A mapping's sequence need not be indented deeper than its name.
    if allowsSequence, line.indent == indent, isEntry(line) { return try sequence() }
    return JSONValue(.null, at: position(start))
  }

  /// The name at the beginning of the current line, and the index after its colon; `nil` if the line has none.
  private func key() throws(PolicyDocumentError) -> (name: String, end: Int)? {
    let line = line
    let first = text.scalars[line.start]
    if first == "'" || first == "\"" {
      var quoted = QuotedText(text, at: line.start)
      guard try quoted.readOnOneLine(before: line.end), text.scalar(at: quoted.end) == ":",
        isBlank(quoted.end + 1, before: line.end)
      else { return nil }
      return (quoted.value, quoted.end + 1)
    }
    guard let end = colon(from: line.start, before: line.end) else { return nil }
    try expectPlain(at: line.start)
    return (text.text(line.start..<end).trimmingBlanks, end + 1)
  }

  /// The colon that ends a plain name; `nil` if a comment or the line's end comes first.
  private func colon(from start: Int, before end: Int) -> Int? {
    for index in start..<end {
      if text.scalars[index] == "#", index > start, isBlank(index - 1, before: end) { return nil }
      if text.scalars[index] == ":", isBlank(index + 1, before: end) { return index }
    }
    return nil
  }

  /// The index of the first character that is not a blank, or the line's end.
  private func nextCharacter(from index: Int) -> Int {
    var index = index
    while index < line.end, isBlank(index, before: line.end) { index += 1 }
    return index
  }

  // MARK: Single values

  /// The value that begins at an index of the current line. What continues it is indented deeper than `indent`.
  private mutating func inline(at start: Int, in indent: Int) throws(PolicyDocumentError) -> JSONValue {
    let content: JSONValue.Content
    switch text.scalars[start] {
    case "|", ">": content = .string(try block(at: start, in: indent))
    case "'", "\"": content = .string(try quoted(at: start))
    case "[":
      try expectEmpty(at: start, closing: "]")
      content = .array([])
    case "{":
      try expectEmpty(at: start, closing: "}")
      content = .object(JSONObject())
    case _: content = try plain(at: start, in: indent)
    }
    return JSONValue(content, at: position(start))
  }

  /// Reads `[]` and `{}`.
  private mutating func expectEmpty(at start: Int, closing: Unicode.Scalar) throws(PolicyDocumentError) {
    let end = nextCharacter(from: start + 1)
    guard text.scalar(at: end) == closing, end < line.end else {
      throw error(
        at: start, "a list or mapping in brackets is not empty", "write each element on a line of its own")
    }
    try expectLineEnd(at: end + 1)
    current += 1
  }

  private mutating func quoted(at start: Int) throws(PolicyDocumentError) -> String {
    var quoted = QuotedText(text, at: start)
    let breaks = try quoted.read()
    current += breaks
    guard !isAtEnd else { return quoted.value }
    try expectLineEnd(at: quoted.end)
    current += 1
    return quoted.value
  }

  private func expectLineEnd(at index: Int) throws(PolicyDocumentError) {
    let rest = nextCharacter(from: index)
    guard rest < line.end, !(text.scalars[rest] == "#" && rest > index) else { return }
    throw error(at: rest, "something follows the value", "write one value on a line")
  }

  /// Refuses what only looks like plain text.
  private func expectPlain(at start: Int) throws(PolicyDocumentError) {
    let (message, remedy): (String, String)
    switch text.scalars[start] {
    case "&", "*":
      (message, remedy) = ("anchors and aliases are not read", "write the value out in both places")
    case "!": (message, remedy) = ("tags are not read", "remove the tag")
    case "%": (message, remedy) = ("directives are not read", "remove the line")
    case "@", "`", ",", "]", "}", "[", "{", "|", ">", "#", "'", "\"":
      (message, remedy) = ("plain text cannot begin with this character", "put the text into quotes")
    case "-", "?", ":":
      guard isBlank(start + 1, before: line.end) else { return }
      (message, remedy) = ("a complex key or a sequence cannot begin here", "begin it on a line of its own")
    case "<":
      guard text.scalar(at: start + 1) == "<", text.scalar(at: start + 2) == ":" else { return }
      (message, remedy) = ("merge keys are not read", "write the members out")
    case _: return
    }
    throw error(at: start, message, remedy)
  }

  /// A plain value, which may go on over several lines.
  private mutating func plain(at start: Int, in indent: Int) throws(PolicyDocumentError) -> JSONValue.Content {
    try expectPlain(at: start)
    var (value, isOver) = try plainPart(from: start)
    var isLong = false
    current += 1
    while !isOver {
      var next = current
      while next < lines.count, lines[next].isBlank { next += 1 }
      guard next < lines.count, lines[next].indent > indent, text.scalars[lines[next].start] != "#" else { break }
      let breaks = next - current
      current = next
      guard text.scalars[line.start] != "\t" else {
        throw error(at: line.start, "a line is indented with a tab", "indent with blanks")
      }
      let part: String
      (part, isOver) = try plainPart(from: line.start)
      value += (breaks == 0 ? " " : String(repeating: "\n", count: breaks)) + part
      isLong = true
      current += 1
    }
    return isLong ? .string(value) : resolve(value)
  }

  /// One line of a plain value, and whether a comment ends it.
  private func plainPart(from start: Int) throws(PolicyDocumentError) -> (String, isOver: Bool) {
    if let colon = colon(from: start, before: line.end) {
      throw error(at: colon, "a colon with a blank cannot stand in plain text", "put the text into quotes")
    }
    var end = line.end
    var index = start
    while index < line.end {
      if text.scalars[index] == "#", index > start, isBlank(index - 1, before: line.end) {
        end = index
        break
      }
      index += 1
    }
    return (text.text(start..<end).trimmingBlanks, end < line.end)
  }

  /// What a plain value of one line means.
  private func resolve(_ word: String) -> JSONValue.Content {
    switch word {
    case "null", "Null", "NULL", "~": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    // A truth value to some programs, and text to others.
    case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "y", "Y", "n", "N":
      return .string(word)
    case _: break
    }
    let digits = word.utf8.first == UInt8(ascii: "-") ? word.dropFirst() : word[...]
    let isDecimal = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    guard isDecimal, let first = digits.utf8.first, (0x30...0x39).contains(first),
      digits.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 2
    else { return .string(word) }
    // Needless zeros: a number to some programs, and text to others.
    return JSONNumber(text: word).map { .number($0) } ?? .string(word)
  }

  /// A literal or folded text.
  private mutating func block(at start: Int, in parent: Int) throws(PolicyDocumentError) -> String {
    let isFolded = text.scalars[start] == ">"
    var (keep, strip, given) = (false, false, Int?.none)
    var index = start + 1
    while index < line.end, !isBlank(index, before: line.end) {
      switch text.scalars[index] {
      case "+": keep = true
      case "-": strip = true
      case "1"..."9": given = Int(text.scalars[index].value) - 0x30
      case _:
        throw error(at: index, "the header of a text in lines has an unknown character", "write |, |-, > or >-")
      }
      index += 1
    }
    try expectLineEnd(at: index)
    current += 1
    var body: [(indent: Int, range: Range<Int>)] = []
    var indent = given.map { max(parent, 0) + $0 }
    while !isAtEnd {
      let width = line.indent
      if !line.isBlank {
        let least = indent ?? (width > parent ? width : nil)
        guard let least, width >= least else { break }
        indent = least
      }
      body.append((width, line.origin..<line.end))
      current += 1
    }
    let column = indent ?? 0
    let texts = body.map { text.text(min($0.range.lowerBound + column, $0.range.upperBound)..<$0.range.upperBound) }
    let last = texts.lastIndex { !$0.isEmpty }
    guard let last else { return keep ? String(repeating: "\n", count: texts.count) : "" }
    let content = isFolded ? Self.folded(texts[...last]) : texts[...last].joined(separator: "\n")
    if strip { return content }
    return content + String(repeating: "\n", count: keep ? texts.count - last : 1)
  }

  /// Lines joined by blanks, except around lines that are indented deeper.
  private static func folded(_ lines: ArraySlice<String>) -> String {
    var (result, breaks, isFirst, wasDeep) = ("", 0, true, false)
    for line in lines {
      guard !line.isEmpty else {
        breaks += 1
        continue
      }
      let isDeep = line.first == " " || line.first == "\t"
      if isFirst {
        result += String(repeating: "\n", count: breaks)
      } else if isDeep || wasDeep {
        result += String(repeating: "\n", count: breaks + 1)
      } else {
        result += breaks == 0 ? " " : String(repeating: "\n", count: breaks)
      }
      result += line
      (breaks, isFirst, wasDeep) = (0, false, isDeep)
    }
    return result
  }

  private func position(_ index: Int) -> JSONPosition { text.position(of: index) }

  private func error(at index: Int, _ message: String, _ remedy: String) -> PolicyDocumentError {
    text.error(.yaml, at: index, message, remedy: remedy)
  }
}

extension String {
  /// Without blanks at either end.
  fileprivate var trimmingBlanks: String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }), let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
