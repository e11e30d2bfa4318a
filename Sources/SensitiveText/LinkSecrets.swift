/// Finds secrets in links and query strings: the values of parameters such as `code`, `token` and `sig`, and passwords before a
/// host.
///
/// It errs on the side of secrecy: `token_type` is taken for a secret.
struct LinkSecrets {
  private static let replacement = Array(SecretNames.placeholder.utf8)
  /// How often links within links are decoded. What is encoded more often is not shown.
  private static let maximumDepth = 4

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
    for end in 0...text.count where end == text.count || Self.endsLink(text[end]) {
      append(word: text[start..<end], isAll: end - start == text.count)
      if end < text.count { result.append(text[end]) }
      start = end + 1
    }
  }

  /// Whether a character cannot be part of a link.
  private static func endsLink(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
  }

  private mutating func append(word: ArraySlice<UInt8>, isAll: Bool) {
    let word = withoutUserInfo(word)
    guard let query = Self.query(of: word, isAll: isAll) else { return append(plain: word) }
    append(plain: word[..<query])
    var start = query
    for end in query...word.endIndex where end == word.endIndex || Self.separates(word[end]) {
      append(parameter: word[start..<end])
      if end < word.endIndex { result.append(word[end]) }
      start = end + 1
    }
  }

  private static func separates(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "#")
  }

  /// Where the parameters of a word begin; `nil` if it has none. A word with only one assignment is a query string only where
  /// nothing stands beside it: the texts of errors have words such as `Code=-1001`.
  private static func query(of word: ArraySlice<UInt8>, isAll: Bool) -> Int? {
    guard word.contains(UInt8(ascii: "=")) || word.contains(UInt8(ascii: "%")) else { return nil }
    let isLink = doubleSlash(in: word) != nil
    let first = word.firstIndex {
      $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || (isLink && $0 == UInt8(ascii: ";"))
    }
    guard !isLink else { return first }
    // What precedes the first sign may be a parameter too.
    let head = word[..<(first ?? word.endIndex)]
    let isQuery = head.contains(UInt8(ascii: "=")) && (isAll || head.contains(UInt8(ascii: "&")))
    return isQuery ? word.startIndex : first
  }

  private static func doubleSlash(in word: ArraySlice<UInt8>) -> Int? {
    word.indices.dropLast().first { word[$0] == UInt8(ascii: "/") && word[$0 + 1] == UInt8(ascii: "/") }
  }

  /// A word without the passwords between `//user:` and `@host`.
  private mutating func withoutUserInfo(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard word.contains(UInt8(ascii: "@")) else { return word }
    var kept: [UInt8] = []
    var rest = word
    while let slashes = Self.doubleSlash(in: rest) {
      let authority = rest[(slashes + 2)...].prefix {
        $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      }
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

  private mutating func append(parameter: ArraySlice<UInt8>) {
    var rest = parameter
    while let sign = rest.firstIndex(of: UInt8(ascii: "=")) {
      let value = rest[(sign + 1)...]
      result += rest[...sign]
      if Self.namesSecret(rest[..<sign]), Self.canBeSecret(value) {
        result += Self.replacement
        hasChanged = true
        return
      }
      rest = value
    }
    append(plain: rest)
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

  /// Whether a parameter's name, as it is written in a link, is that of a secret.
  private static func namesSecret(_ written: ArraySlice<UInt8>) -> Bool {
    var name = written
    for _ in 0..<maximumDepth { name = PercentEncoding.decoded(name).map { $0[...] } ?? name }
    // A path in a fragment may stand before it.
    let last = String(decoding: name.suffix(while: { $0 != UInt8(ascii: "/") }), as: UTF8.self)
    let letters = last.lowercased().filter(\.isLetter)
    return names.contains(letters) || endings.contains(where: letters.hasSuffix) || SecretNames.contain(last)
  }
}

extension ArraySlice<UInt8> {
  /// The longest end of which every byte fulfils a condition.
  fileprivate func suffix(while holds: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    self[(lastIndex { !holds($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
