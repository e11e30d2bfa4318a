/// Finds secrets in links and query strings: the values of parameters such as `code`, `token` and `sig`, and passwords before a
/// host.
///
/// It errs on the side of secrecy: `token_type` is taken for a secret.
struct LinkSecrets {
  private static let replacement = Array(SecretNames.placeholder.utf8)
  /// How often links within links are decoded. What is encoded more often is not shown.
  private static let maximumDepth = 4
  private static let quotationMark = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")

  private var result: [UInt8] = []
  private var hasChanged = false
  private let depth: Int

  private init(depth: Int) { self.depth = depth }

  /// A text with ``SecretNames/placeholder`` in place of each secret; `nil` where it has none.
  static func replaced(_ text: String) -> String? {
    var secrets = LinkSecrets(depth: 0)
    secrets.append(text: Array(text.utf8))
    return secrets.hasChanged ? String(decoding: secrets.result, as: UTF8.self) : nil
  }

  private mutating func append(text: [UInt8]) {
    var start = 0
    while true {
      let end = text[start...].firstIndex(where: Self.endsLink) ?? text.count
      let quote = append(word: text[start..<end], isAll: end - start == text.count)
      start = end
      if let quote { start = append(quoted: text, from: end, until: quote) }
      guard start < text.count else { return }
      result.append(text[start])
      start += 1
    }
  }

  /// Whether a character cannot be part of a link.
  private static func endsLink(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || byte == quotationMark || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
  }

  /// Appends the rest of a secret in quotes, which has spaces in it.
  ///
  /// - Returns: Where it ends: before the closing quotation mark, after the closing apostrophe, or with the text.
  private mutating func append(quoted text: [UInt8], from start: Int, until quote: UInt8) -> Int {
    let isWhole = quote == Self.quotationMark
    var end = start
    if isWhole {
      guard end < text.count, text[end] == quote else { return end }
      result.append(quote)
      end += 1
    }
    let first = end
    while end < text.count, text[end] != quote { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
    end = min(end, text.count)
    // What precedes the end after an apostrophe is replaced already.
    guard isWhole else { return min(end + 1, text.count) }
    if Self.canBeSecret(text[first..<end]) {
      result += Self.replacement
      hasChanged = true
    } else {
      result += text[first..<end]
    }
    return end
  }

  /// Appends a word.
  ///
  /// - Returns: The quotation mark or apostrophe that ends the secret with which the word ends.
  private mutating func append(word: ArraySlice<UInt8>, isAll: Bool) -> UInt8? {
    let word = withoutUserInfo(word)
    guard word.contains(UInt8(ascii: "=")) || word.contains(UInt8(ascii: "%")) else {
      result += word
      return nil
    }
    let query = Self.query(of: word, isAll: isAll)
    var place = word.startIndex
    var quote: UInt8?
    if place < query { (place, quote) = append(parameter: place..<query, of: word, isQuery: false) }
    while place < word.endIndex {
      if Self.separates(word[place]) {
        result.append(word[place])
        place += 1
      }
      let end = word[place...].firstIndex(where: Self.separates) ?? word.endIndex
      (place, quote) = append(parameter: place..<end, of: word, isQuery: true)
    }
    return quote
  }

  private static func separates(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || endsValue(byte) }

  /// Whether a character ends a value if an assignment follows. A `?` does not: it may stand in a query (RFC 3986, 3.4).
  private static func endsValue(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#")
  }

  /// Where the names of parameters begin in a word: at its end, if it has none. A word with only one assignment is a query string
  /// only where nothing stands beside it: the texts of errors have words such as `Code=-1001`.
  private static func query(of word: ArraySlice<UInt8>, isAll: Bool) -> Int {
    let slashes = doubleSlash(in: word) ?? word.endIndex
    if isAll || slashes < word.firstIndex(of: UInt8(ascii: "=")) ?? word.endIndex { return word.startIndex }
    let sign = word.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? word.endIndex
    // What precedes the first sign may be parameters too. Those after it may be the ones of a link that is a value.
    let end = word[..<sign].firstRange(of: Array("://".utf8)) == nil ? word.endIndex : sign
    let isQuery = word[..<end].indices.contains {
      word[$0] == UInt8(ascii: "&") || (word[$0] == UInt8(ascii: ";") && beginsAssignment(word[($0 + 1)..<end]))
    }
    return isQuery ? word.startIndex : min(sign, slashes)
  }

  /// Whether bytes begin with a name, `=` and a value. Secrets in base64 end with `=` too.
  private static func beginsAssignment(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "=") || endsValue($0) }),
      bytes[end] == UInt8(ascii: "="), end > bytes.startIndex, end + 1 < bytes.endIndex
    else { return false }
    return bytes[end + 1] != UInt8(ascii: "=") && !endsValue(bytes[end + 1])
  }

  private static func doubleSlash(in word: ArraySlice<UInt8>) -> Int? {
    word.indices.dropLast().first { word[$0] == UInt8(ascii: "/") && word[$0 + 1] == UInt8(ascii: "/") }
  }

  /// A word without the passwords between `//user:` and `@host`.
  private mutating func withoutUserInfo(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = word.lastIndex(of: UInt8(ascii: "@")) else { return word }
    var kept: [UInt8] = []
    var rest = word
    while let slashes = Self.doubleSlash(in: rest) {
      let authority = Self.authority(rest[(slashes + 2)...], last)
      kept += rest[..<authority.startIndex]
      rest = rest[authority.startIndex...]
      guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
        let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")), Self.canBeSecret(rest[(colon + 1)..<at])
      else { continue }
      kept += rest[...colon] + Self.replacement
      rest = rest[at...]
      hasChanged = true
    }
    return (kept + rest)[...]
  }

  /// What stands before the path of a link. A password in it may have a sign that ends it elsewhere: what follows a host's colon
  /// is a number.
  private static func authority(_ rest: ArraySlice<UInt8>, _ lastAt: Int) -> ArraySlice<UInt8> {
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard lastAt >= authority.endIndex, !authority.contains(UInt8(ascii: "@")), authority.first != UInt8(ascii: "["),
      let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      !authority[(colon + 1)...].allSatisfy({ 0x30...0x39 ~= $0 })
    else { return authority }
    return rest[...lastAt]
  }

  /// Appends a parameter, and more of the word where a secret goes beyond it.
  ///
  /// - Returns: The end of what is appended, and the quotation mark or apostrophe that ends the secret with which the word ends.
  private mutating func append(
    parameter: Range<Int>, of word: ArraySlice<UInt8>, isQuery: Bool
  ) -> (end: Int, quote: UInt8?) {
    var rest = word[parameter]
    while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
      result += rest[...sign]
      defer { rest = rest[(sign + 1)...] }
      guard Self.namesSecret(rest[..<sign], inQuery: isQuery) else { continue }
      guard sign + 1 < word.endIndex else { return (word.endIndex, Self.quotationMark) }
      let value = word[(sign + 1)..<Self.endOfSecret(from: sign + 1, in: word)]
      guard Self.canBeSecret(value) else { continue }
      result += Self.replacement
      hasChanged = true
      let isOpen =
        value.endIndex == word.endIndex && value.first == Self.apostrophe
        && !value.dropFirst().contains(Self.apostrophe)
      return (value.endIndex, isOpen ? Self.apostrophe : nil)
    }
    append(plain: rest)
    return (parameter.upperBound, nil)
  }

  /// Where a secret ends: before the separator of the next parameter. A separator that no parameter follows belongs to the secret,
  /// and so does what stands between apostrophes.
  private static func endOfSecret(from start: Int, in word: ArraySlice<UInt8>) -> Int {
    var start = start
    if word[start] == apostrophe { start = word[(start + 1)...].firstIndex(of: apostrophe) ?? word.endIndex }
    return word[start...].indices.first { endsValue(word[$0]) && beginsAssignment(word[($0 + 1)...]) } ?? word.endIndex
  }

  /// Appends what is no parameter, unless it is a link in which every sign is encoded, and that has a secret.
  private mutating func append(plain part: ArraySlice<UInt8>) {
    guard let decoded = PercentEncoding.decoded(part), holdsSecret(decoded) else {
      result += part
      return
    }
    result += Self.replacement
    hasChanged = true
  }

  private func holdsSecret(_ decoded: [UInt8]) -> Bool {
    guard depth < Self.maximumDepth else { return true }
    var inner = LinkSecrets(depth: depth + 1)
    inner.append(text: decoded)
    return inner.hasChanged
  }

  /// Whether a value may be a secret: yes and no, nothing, and what stands for a secret are none.
  private static func canBeSecret(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.count <= replacement.count else { return true }
    return !["", "true", "false", "null", SecretNames.placeholder].contains(
      String(decoding: value, as: UTF8.self).lowercased())
  }

  // MARK: Names

  /// What names secrets in links and nowhere else, in lower case and without what is no letter.
  private static let names: Set<String> = [
    "auth", "authcode", "authorization", "authorizationcode", "code", "codeverifier", "cookie", "devicecode", "hmac",
    "jwt",
    "otc", "samlresponse", "sas", "session", "sessionid", "ticket", "usercode", "verificationcode", "wresult",
  ]
  private static let endings = ["key", "sig", "signature", "assertion"]

  /// Whether a parameter's name, as it is written in a link, is that of a secret; outside of a query, whether it is one anywhere.
  private static func namesSecret(_ written: ArraySlice<UInt8>, inQuery isQuery: Bool) -> Bool {
    var name = written
    for _ in 0..<maximumDepth { name = PercentEncoding.decoded(name).map { $0[...] } ?? name }
    // A path in a fragment may stand before it.
    let last = String(decoding: name.suffix(while: { $0 != UInt8(ascii: "/") }), as: UTF8.self)
    if SecretNames.contain(last) { return true }
    guard isQuery else { return false }
    let isASCII = last.utf8.allSatisfy { $0 < 0x80 }
    let letters =
      isASCII
      ? String(decoding: last.utf8.lazy.map { $0 | 0x20 }.filter { 0x61...0x7A ~= $0 }, as: UTF8.self)
      : last.lowercased().filter(\.isLetter)
    return names.contains(letters) || endings.contains(where: letters.hasSuffix)
  }
}

extension ArraySlice<UInt8> {
  /// The longest end of which every byte fulfils a condition.
  fileprivate func suffix(while holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !holds($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
