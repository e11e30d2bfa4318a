/// Changes an XML text by replacing ranges of its bytes, so that everything else stays as it is: comments, indentation, line
/// ends, references and the order of keys.
struct XMLEditor {
  private let bytes: [UInt8]
  private let places: [PropertyListPath: XMLPlace]
  private let lineBreak: [UInt8]
  /// One level of indentation.
  private let unit: [UInt8]
  /// Whether the list is written over several lines.
  private let isSpread: Bool
  private var pieces: [(range: Range<Int>, bytes: [UInt8])] = []

  /// - Parameter places: Those of the root and of all values that edits name.
  init(_ source: XMLSource, _ places: [PropertyListPath: XMLPlace]) {
    let bytes = source.bytes
    self.bytes = bytes
    self.places = places
    let lines = bytes.split(separator: 0x0A)
    let first = bytes.firstIndex { Self.isLineBreak($0) }
    lineBreak =
      switch first {
      case let index? where bytes[index] == 0x0A: [0x0A]
      case let index? where index + 1 < bytes.count && bytes[index + 1] == 0x0A: [0x0D, 0x0A]
      case .some: [0x0D]
      case nil: [0x0A]
      }
    let spaces = lines.map { $0.prefix { $0 == 0x20 }.count }.filter { $0 > 0 }.min()
    let hasTabs = bytes.indices.contains {
      bytes[$0] == 0x09 && ($0 == 0 || Self.isLineBreak(bytes[$0 - 1]))
    }
    unit = hasTabs ? [0x09] : Array(repeating: 0x20, count: spaces ?? 0)
    isSpread = places[PropertyListPath()].map { bytes[$0.whole].contains(where: Self.isLineBreak) } ?? false
  }

  /// The text after edits; `nil` if one names a value whose place is unknown.
  mutating func text(after edits: [PropertyListEdit]) -> [UInt8]? {
    pieces = []
    var after: [PropertyListPath: [PropertyListEdit.Action]] = [:]
    for edit in edits {
      guard let place = places[edit.path] else { return nil }
      switch edit.action {
      case .prepend(let new) where place.children.first != nil: prepend(new, place)
      case .insert(let text, let offset):
        guard (0...place.origins.count).contains(offset) else { return nil }
        let index = offset < place.origins.count ? place.origins[offset] : place.content.upperBound
        put(Self.escaped(text), at: index)
      case .replace(let new):
        pieces.append((place.whole, markup(new, indentation(ofLineAt: place.whole.lowerBound))))
      case .prepend, .append, .add: after[edit.path, default: []].append(edit.action)
      }
    }
    for edit in edits {
      guard let actions = after.removeValue(forKey: edit.path), let place = places[edit.path] else { continue }
      append(actions, place)
    }
    return joined
  }

  /// The bytes with all pieces in place.
  private var joined: [UInt8] {
    var result: [UInt8] = []
    var index = 0
    let order = pieces.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, piece) in order where piece.range.lowerBound >= index {
      result += bytes[index..<piece.range.lowerBound] + piece.bytes
      index = piece.range.upperBound
    }
    return result + bytes[index...]
  }

  private mutating func put(_ new: [UInt8], at index: Int) {
    pieces.append((index..<index, new))
  }

  // MARK: Containers

  private mutating func prepend(_ new: [PropertyListEdit.Addition], _ place: XMLPlace) {
    guard let first = place.children.first else { return }
    let gap = gap(before: first)
    put(new.flatMap { gap + markup($0, indentation(in: gap)) }, at: place.content.lowerBound)
  }

  /// Puts elements or entries after the last, and after the comments that follow it.
  private mutating func append(_ actions: [PropertyListEdit.Action], _ place: XMLPlace) {
    let own = indentation(ofLineAt: place.whole.lowerBound)
    let spread = lineBreak + own + unit
    let gap = place.children.last.map { self.gap(before: $0) } ?? (isSpread ? spread : [])
    let inside = indentation(in: gap)
    var new: [UInt8] = []
    for action in actions {
      switch action {
      case .prepend(let elements), .append(let elements):
        for element in elements { new += gap + markup(element, inside) }
      case .add(let entry):
        let parting = place.children.lastValue.map { self.gap(before: $0) } ?? gap
        new += gap + key(entry.key) + parting + markup(entry.value, inside)
      case .insert, .replace: break
      }
    }
    let closing = isSpread ? lineBreak + own : []
    guard !place.isEmptyTag else {
      // `<array/>` becomes two tags; the slash and white space before it go.
      var end = place.whole.upperBound - 2
      while XMLSource.isWhitespace(bytes[end - 1]) { end -= 1 }
      let name = bytes[(place.whole.lowerBound + 1)...].prefix {
        $0 != UInt8(ascii: "/") && !XMLSource.isWhitespace($0)
      }
      let tags = [UInt8(ascii: ">")] + new + closing + Array("</".utf8) + name + [UInt8(ascii: ">")]
      pieces.append((end..<place.whole.upperBound, tags))
      return
    }
    var end = place.content.upperBound
    while end > place.content.lowerBound, XMLSource.isWhitespace(bytes[end - 1]) { end -= 1 }
    let isClosedBelow = bytes[end..<place.content.upperBound].contains(where: Self.isLineBreak)
    if place.children.last == nil, !isClosedBelow { new += closing }
    put(new, at: end)
  }

  // MARK: Layout

  private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// The white space before an index, from the last line break in it.
  private func gap(before index: Int) -> [UInt8] {
    var start = index
    while start > 0, XMLSource.isWhitespace(bytes[start - 1]) { start -= 1 }
    guard var line = bytes[start..<index].lastIndex(where: Self.isLineBreak) else { return Array(bytes[start..<index]) }
    if bytes[line] == 0x0A, line > start, bytes[line - 1] == 0x0D { line -= 1 }
    return Array(bytes[line..<index])
  }

  /// The indentation at the end of white space; `nil` where it breaks no line.
  private func indentation(in gap: [UInt8]) -> [UInt8]? {
    gap.lastIndex(where: Self.isLineBreak).map { Array(gap[($0 + 1)...]) }
  }

  private func indentation(ofLineAt index: Int) -> [UInt8] {
    let start = bytes[..<index].lastIndex(where: Self.isLineBreak).map { $0 + 1 } ?? 0
    return Array(bytes[start..<index].prefix { $0 == 0x20 || $0 == 0x09 })
  }

  // MARK: Markup

  /// A new value in tags.
  ///
  /// - Parameter indentation: That of its line; `nil` to write all of it in one.
  private func markup(_ value: PropertyListEdit.Addition, _ indentation: [UInt8]?) -> [UInt8] {
    let inside = indentation.map { $0 + unit }
    let gap = inside.map { lineBreak + $0 } ?? []
    let closing = indentation.map { lineBreak + $0 } ?? []
    switch value {
    case .text(let text): return element("string", Self.escaped(text))
    case .list(let elements):
      guard !elements.isEmpty else { return Array("<array/>".utf8) }
      return element("array", elements.flatMap { gap + markup($0, inside) } + closing)
    case .dictionary(let entries):
      guard !entries.isEmpty else { return Array("<dict/>".utf8) }
      return element("dict", entries.flatMap { gap + key($0.key) + gap + markup($0.value, inside) } + closing)
    }
  }

  private func key(_ name: String) -> [UInt8] { element("key", Self.escaped(name)) }

  private func element(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array("<\(name)>".utf8) + content + Array("</\(name)>".utf8)
  }

  /// Text between tags. A carriage return would be read as a line feed (XML 1.0, 2.11).
  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.flatMap { byte in
      switch byte {
      case UInt8(ascii: "&"): Array("&amp;".utf8)
      case UInt8(ascii: "<"): Array("&lt;".utf8)
      case UInt8(ascii: ">"): Array("&gt;".utf8)
      case 0x0D: Array("&#13;".utf8)
      default: [byte]
      }
    }
  }
}
