extension LinkText {
  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// Whether the scheme is in a semicolon-separated list. Case, white space and text after a colon are ignored.
  func isScheme(in list: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = 0
    while start < list.count {
      let end = list[start...].firstIndex(of: UInt8(ascii: ";")) ?? list.count
      let entry = list[start..<end]
      let name = entry.prefix { $0 != UInt8(ascii: ":") }
      let begin = name.firstIndex { !$0.isSpace } ?? name.endIndex
      let stop = name.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? begin
      if begin < stop && Self.equal(list[begin..<stop], bytes[scheme]) { return true }
      start = end + 1
    }
    return false
  }

  /// Whether the link fits a pattern in which `*` matches any text, even an empty one: scheme, if the pattern has one,
  /// host and path. The path is case-sensitive. O(length of the link × length of the pattern).
  func matches(_ pattern: LinkText) -> Bool {
    guard isWeb else { return false }
    if !pattern.scheme.isEmpty && !Self.equal(bytes[scheme], pattern.bytes[pattern.scheme]) { return false }
    guard !host.isEmpty, Self.fits(bytes[host], pattern.bytes[pattern.host], byCase: false) else { return false }
    // An absent path means the first page.
    let isFirst = path.count <= 1
    if pattern.path.count <= 1 { return isFirst }
    if path.isEmpty { return Self.fitsEmptyPath(pattern.bytes[pattern.path]) }
    return Self.fits(bytes[path], pattern.bytes[pattern.path], byCase: true)
  }

  private static func fitsEmptyPath(_ pattern: Bytes) -> Bool {
    pattern.dropFirst().allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Two positions advance together; after a star, the text's position advances alone whenever they do not match.
  private static func fits(_ text: Bytes, _ pattern: Bytes, byCase: Bool) -> Bool {
    var (place, wanted) = (text.startIndex, pattern.startIndex)
    var star: (pattern: Int, text: Int)?
    while place < text.endIndex {
      if wanted < pattern.endIndex, pattern[wanted] == UInt8(ascii: "*") {
        star = (wanted + 1, place)
        wanted += 1
      } else if wanted < pattern.endIndex, text[place].fits(pattern[wanted], byCase: byCase) {
        place += 1
        wanted += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (place, wanted) = (last.text + 1, last.pattern)
      } else {
        return false
      }
    }
    return pattern[wanted...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Whether two texts are equal except for the case of Latin letters.
  static func equal(_ one: Bytes, _ other: Bytes) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0.fits($1, byCase: false) }
  }

  static func equal(_ one: Bytes, _ other: StaticString) -> Bool {
    other.withUTF8Buffer { equal(one, $0[...]) }
  }
}

extension String {
  /// Reads the text's bytes in place; copies only a text that is not stored as UTF-8.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

extension UInt8 {
  var isLetter: Bool { (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") }

  /// Whether it may occur in a URL's scheme.
  var isScheme: Bool {
    isLetter || (self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")) || self == UInt8(ascii: "+")
      || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
  }

  /// Browsers treat a backslash as a slash.
  var isSlash: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "\\") }

  var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  fileprivate func fits(_ other: UInt8, byCase: Bool) -> Bool {
    if isSlash && other.isSlash { return true }
    return self == other || (!byCase && isLetter && (self | 0x20) == (other | 0x20))
  }
}
