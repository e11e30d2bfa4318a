import PlainText

/// Parses the XML form by recursive descent. The depth limit bounds the recursion.
struct XMLPropertyListParser {
  private var scanner: XMLScanner
  private let limits: PropertyList.Limits
  private var depth = 0
  private var count = 0
  private(set) var repeated: RepeatedKeys
  /// The values whose places are wanted.
  private let wanted: Set<PropertyListPath>
  /// Their places, as far as they were read.
  private(set) var places: [PropertyListPath: XMLPlace] = [:]
  /// Of the container that was read last: its parts, and where its closing tag begins.
  private var container = (children: XMLPlace.Children(), end: 0)

  init(
    _ source: XMLSource, limits: PropertyList.Limits, _ repeated: RepeatedKeys,
    locating wanted: Set<PropertyListPath> = []
  ) {
    scanner = XMLScanner(source)
    self.limits = limits
    self.repeated = repeated
    self.wanted = wanted
  }

  mutating func document() throws(PropertyListError) -> PropertyListValue {
    try scanner.skipProlog()
    let tag = try scanner.nextTag("<plist>")
    let root: PropertyListValue
    if tag.name == "plist", tag.kind != .closing {
      guard tag.kind == .opening else {
        throw scanner.error(
          .empty, at: tag.start, "<plist/> contains no value", remedy: "write <plist><dict/></plist>")
      }
      root = try value(try scanner.nextTag("a value"))
      let end = try scanner.nextTag("</plist>")
      guard end.name == "plist", end.kind == .closing else {
        throw unexpected(end, "</plist>", remedy: "keep one value in <plist>, or put several into <array>")
      }
    } else {
      root = try value(tag)
    }
    try scanner.skipMiscellany()
    guard scanner.isAtEnd else {
      try scanner.refuseDirective()
      throw scanner.error(
        .trailingContent, at: scanner.index, "something follows the property list", remedy: "remove it")
    }
    return root
  }

  private mutating func unexpected(_ tag: XMLScanner.Tag, _ expected: String, remedy: String) -> PropertyListError {
    let name = PropertyListExcerpt.quoted((tag.kind == .closing ? "/" : "") + tag.name)
    return scanner.error(
      .unexpectedTag, at: tag.start, "expected \(expected), found the tag \(name)", remedy: remedy)
  }

  /// Reads the value that begins with this tag.
  private mutating func value(_ tag: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue {
    let position = scanner.position(of: tag.start)
    count += 1
    guard count <= limits.values else {
      throw scanner.error(
        .tooMany, at: tag.start, "the file has more than \(limits.values) values",
        remedy: "check that the right file was given")
    }
    let start = scanner.index
    let isWanted = !wanted.isEmpty && wanted.contains(scanner.path)
    scanner.notesOrigins = isWanted
    let content: PropertyListValue.Content
    switch (tag.name, tag.kind) {
    case (_, .closing):
      throw unexpected(tag, "a value", remedy: "write a value before it, or remove what it closes")
    case ("dict", _): content = .dictionary(PropertyListDictionary(try entries(tag)))
    case ("array", _): content = .array(try elements(tag))
    case ("string", _): content = .string(try scanner.text(of: tag))
    case ("true", _), ("false", _): content = .bool(try flag(tag))
    case ("integer", _): content = try integer(tag)
    case ("real", _): content = .real(try real(tag))
    case ("date", _): content = .date(try date(tag))
    case ("data", _): content = .data(try data(tag))
    case ("key", _):
      throw scanner.error(
        .incompleteEntry, at: tag.start, "expected a value, found a key",
        remedy: "write the value of the key before it; keys belong in <dict>")
    default:
      throw scanner.error(
        .unexpectedTag, at: tag.start, "property lists have no tag \(PropertyListExcerpt.quoted(tag.name))",
        remedy: "write dict, array, string, true, false, integer, real, date or data")
    }
    if isWanted { locate(content, tag, start) }
    return PropertyListValue(content, at: position)
  }

  /// Notes the place of the value that ends here.
  private mutating func locate(_ content: PropertyListValue.Content, _ tag: XMLScanner.Tag, _ start: Int) {
    let isEmpty = tag.kind == .empty
    var place = XMLPlace(whole: tag.start..<scanner.index, content: start..<start, isEmptyTag: isEmpty)
    switch content {
    case .array, .dictionary:
      guard !isEmpty else { break }
      place.content = start..<container.end
      place.children = container.children
    case .string:
      place.content = start..<scanner.textEnd
      place.origins = scanner.origins
    case .integer, .unsigned, .real, .bool, .date, .data: break
    }
    places[scanner.path] = place
  }

  // MARK: Containers

  private mutating func elements(_ tag: XMLScanner.Tag) throws(PropertyListError) -> [PropertyListValue] {
    guard tag.kind == .opening else { return [] }
    try enter(tag)
    var elements: [PropertyListValue] = []
    var children = XMLPlace.Children()
    while true {
      let next = try scanner.nextTag("</array>")
      if next.kind == .closing, next.name == "array" {
        container = (children, next.start)
        break
      }
      children.first = children.first ?? next.start
      children.last = next.start
      scanner.path.push(.element(elements.count))
      elements.append(try value(next))
      scanner.path.pop()
    }
    depth -= 1
    return elements
  }

  private mutating func entries(_ tag: XMLScanner.Tag) throws(PropertyListError) -> [PropertyListDictionary.Entry] {
    guard tag.kind == .opening else { return [] }
    try enter(tag)
    var entries: [PropertyListDictionary.Entry] = []
    var keys: Set<[UInt8]> = []
    var children = XMLPlace.Children()
    while true {
      let next = try scanner.nextTag("</dict>")
      if next.kind == .closing, next.name == "dict" {
        container = (children, next.start)
        break
      }
      children.first = children.first ?? next.start
      children.last = next.start
      guard next.name == "key", next.kind != .closing else {
        throw scanner.error(
          .incompleteEntry, at: next.start, "a value in a dictionary has no key", remedy: "write <key> before it")
      }
      let position = scanner.position(of: next.start)
      let key = try scanner.text(of: next)
      scanner.path.push(.key(key))
      let isNew = keys.insert(Array(key.utf8)).inserted
      if !isNew { try repeated.add(key, scanner.path, at: position) }
      let first = try scanner.nextTag("the value of a key")
      guard first.kind != .closing else {
        throw scanner.error(
          .incompleteEntry, at: first.start, "the key \(PropertyListExcerpt.quoted(key)) has no value",
          remedy: "write a value after it, or remove the key")
      }
      children.lastValue = first.start
      let entry = PropertyListDictionary.Entry(key, try value(first), at: position)
      if isNew { entries.append(entry) }
      scanner.path.pop()
    }
    depth -= 1
    return entries
  }

  private mutating func enter(_ tag: XMLScanner.Tag) throws(PropertyListError) {
    guard depth < limits.depth else {
      throw scanner.error(
        .tooDeep, at: tag.start, "values are nested deeper than \(limits.depth) levels",
        remedy: "check that the right file was given")
    }
    depth += 1
  }

  // MARK: Single values

  private mutating func flag(_ tag: XMLScanner.Tag) throws(PropertyListError) -> Bool {
    if try !trimmed(tag).isEmpty {
      throw scanner.error(
        .unexpectedText, at: tag.start, "<\(tag.name)> contains text", remedy: "write <\(tag.name)/>")
    }
    return tag.name == "true"
  }

  /// A decimal number, or a hexadecimal one after `0x`.
  private mutating func integer(_ tag: XMLScanner.Tag) throws(PropertyListError) -> PropertyListValue.Content {
    let text = try trimmed(tag)
    let isNegative = text.hasPrefix("-")
    let unsigned = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHexadecimal = unsigned.lowercased().hasPrefix("0x")
    let digits = isHexadecimal ? unsigned.dropFirst(2) : unsigned
    if digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let magnitude = UInt64(digits, radix: isHexadecimal ? 16 : 10)
    {
      if !isNegative { return Int64(exactly: magnitude).map { .integer($0) } ?? .unsigned(magnitude) }
      if magnitude <= Int64.min.magnitude { return .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) }
    }
    throw scanner.error(
      .invalidNumber, at: tag.start, "\(PropertyListExcerpt.quoted(text)) is not a 64-bit whole number",
      remedy: "write digits only")
  }

  private mutating func real(_ tag: XMLScanner.Tag) throws(PropertyListError) -> Double {
    let text = try trimmed(tag)
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    if isPlain, let number = Double(text), number.isFinite { return number }
    throw scanner.error(
      .invalidNumber, at: tag.start, "\(PropertyListExcerpt.quoted(text)) is not a number",
      remedy: "write one like 1.5")
  }

  private mutating func date(_ tag: XMLScanner.Tag) throws(PropertyListError) -> Double {
    let text = try trimmed(tag)
    if let seconds = PropertyListDate.seconds(text) { return seconds }
    throw scanner.error(
      .invalidDate, at: tag.start, "\(PropertyListExcerpt.quoted(text)) is not a date",
      remedy: "write one like 2026-11-21T03:17:57Z")
  }

  private mutating func data(_ tag: XMLScanner.Tag) throws(PropertyListError) -> [UInt8] {
    let text = try scanner.text(of: tag)
    if let bytes = Base64.decode(spaced: text) { return bytes }
    throw scanner.error(
      .invalidData, at: tag.start, "the data is not Base64", remedy: "write groups of four characters, padded with =")
  }

  private mutating func trimmed(_ tag: XMLScanner.Tag) throws(PropertyListError) -> String {
    var text = try scanner.text(of: tag)[...].utf8
    while let first = text.first, XMLSource.isWhitespace(first) { text.removeFirst() }
    while let last = text.last, XMLSource.isWhitespace(last) { text.removeLast() }
    return String(Substring(text))
  }
}
