import PlainText

/// A word of a log's text, as sentences are compared: in lower case, in one spelling, with numbers and accounts apart.
enum FieldLogWord: Equatable {
  case word(String)
  case number(Int64)
  /// A hash or an address that stands for an account, as ``FieldLog`` names it.
  case account(String)
  /// The end of a clause.
  case end

  /// The most words of a text.
  private static let most = 512

  /// The words of a text, without the clauses that are about HTTP, whose status is another one.
  static func words(of text: some StringProtocol) -> [FieldLogWord] {
    var reader = Reader(Array(text.utf8))
    var words: [FieldLogWord] = []
    var clause: [FieldLogWord] = []
    while words.count + clause.count < most, let word = reader.next() {
      clause.append(word)
      if word == .end { close(&clause, into: &words) }
    }
    close(&clause, into: &words)
    return words
  }

  private static func close(_ clause: inout [FieldLogWord], into words: inout [FieldLogWord]) {
    let isHTTP = clause.contains { if case .word(let word) = $0 { word.hasPrefix("http") } else { false } }
    if !isHTTP { words += clause.filter { $0 != .end } }
    clause = []
  }

  /// One spelling for words that are spelled in several ways, and for the methods that are named as what they are about.
  private static func common(_ word: String) -> String {
    switch word {
    case "checkin", "checkins", "check-ins": return "check-in"
    case "prerequisite", "prerequisites", "pre-requisites": return "pre-requisite"
    case "statuscode": return "status"
    case "policies": return "policy"
    default: break
    }
    // `enrolled` says what something is, and the others what is done.
    guard !word.hasSuffix("ed"), !word.hasSuffix("er") else { return word }
    if word.hasPrefix("unenrol") || word.hasPrefix("un-enrol") { return "unenrollment" }
    let isEnrollment = ["enrol", "re-enrol", "reenrol", "auto-enrol"].contains(where: word.hasPrefix)
    return isEnrollment ? "enrollment" : word
  }

  /// Reads words from bytes.
  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0
    private var peeked: FieldLogWord?
    private var following: FieldLogWord?
    /// The methods of the delegate, by the beginnings of their names: an app that logs them says `delegate` of what.
    private static let delegate = [
      ("enrollmentrequest", "enrollment"), ("policyrequest", "check-in"), ("unenrollrequest", "unenrollment"),
    ]
    private static let scrubbed = Array("CMARScrubbed".utf8)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next word; two words that are one are given as one.
    mutating func next() -> FieldLogWord? {
      let word = peeked ?? read()
      peeked = nil
      guard word == .word("check") || word == .word("policy") else { return word }
      peeked = read()
      guard peeked == .word(word == .word("check") ? "in" : "request") else { return word }
      peeked = nil
      return .word("check-in")
    }

    private mutating func read() -> FieldLogWord? {
      if let word = following {
        following = nil
        return word
      }
      while index < bytes.count {
        let byte = bytes[index]
        if Self.isLetter(byte) { return letters() }
        if byte.isASCIIDigit { return digits(isNegative: false) }
        let isAlone = index == 0 || !Self.isPart(bytes[index - 1])
        index += 1
        if byte == UInt8(ascii: "-"), isAlone, index < bytes.count, bytes[index].isASCIIDigit {
          return digits(isNegative: true)
        }
        if [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ".")].contains(byte) { return .end }
      }
      return nil
    }

    private mutating func letters() -> FieldLogWord {
      if bytes[index...].starts(with: Self.scrubbed), let account = account() { return account }
      let start = index
      while index < bytes.count {
        let byte = bytes[index]
        let following = index + 1 < bytes.count ? bytes[index + 1] : 0
        if Self.isLetter(byte) || byte.isASCIIDigit || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "@") {
          index += 1
        } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"), Self.isLetter(following) {
          index += 1
        } else if byte == UInt8(ascii: "."), Self.isPart(following) {
          index += 1
        } else if byte == UInt8(ascii: ":"), following == UInt8(ascii: "/") {
          // An address of the web.
          while index < bytes.count, bytes[index] > 0x20 { index += 1 }
          return .word("url")
        } else {
          break
        }
      }
      let word = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
      if word.contains("@") { return word.count <= 128 ? .account(word) : .word("url") }
      if let method = Self.delegate.first(where: { word.hasPrefix($0.0) }) {
        following = .word(method.1)
        return .word("delegate")
      }
      return .word(FieldLogWord.common(word))
    }

    /// The account that a hash stands for; that of an address of the web is none.
    private mutating func account() -> FieldLogWord? {
      let kind = bytes[(index + Self.scrubbed.count)...].prefix { Self.isLetter($0) }
      guard kind.endIndex < bytes.count, bytes[kind.endIndex] == UInt8(ascii: ":") else { return nil }
      let name = String(decoding: kind, as: UTF8.self)
      var start = kind.endIndex + 1
      while name != "URL", start < bytes.count, bytes[start] == 0x20 { start += 1 }
      guard let account = FieldLog.account(kind: name, String(decoding: bytes[start...].prefix(256), as: UTF8.self))
      else {
        index = start
        while index < bytes.count, bytes[index] > 0x20 { index += 1 }
        return .word("url")
      }
      index = start
      while index < bytes.count, Self.isPart(bytes[index]) || bytes[index] == UInt8(ascii: "-") { index += 1 }
      return .account(account)
    }

    private mutating func digits(isNegative: Bool) -> FieldLogWord {
      let start = index
      while index < bytes.count, Self.isPart(bytes[index]) { index += 1 }
      // Versions, decimals and identifiers are words.
      while index + 1 < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: "-"),
        Self.isPart(bytes[index + 1])
      {
        index += 1
        while index < bytes.count, Self.isPart(bytes[index]) { index += 1 }
      }
      var digits = bytes[start..<index]
      while digits.last == UInt8(ascii: "_") { digits = digits.dropLast() }
      let text = String(decoding: digits, as: UTF8.self)
      if text.lowercased().hasPrefix("0x"), let number = Int64(text.dropFirst(2), radix: 16) { return .number(number) }
      guard let number = Int64(text) else { return .word(text.lowercased()) }
      return .number(isNegative ? -number : number)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private static func isPart(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isASCIIDigit }
  }
}
