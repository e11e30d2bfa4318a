import AppProtection

extension FieldLog {
  /// The longest line that is looked at, in bytes.
  private static let longestLine = 64 << 10
  /// What begins the text of each line.
  private static let mark = "IntuneMAM: "

  /// Reads lines: time, level, an empty field, the bundle, 0, empty fields and the text, separated by tabs.
  mutating func readLines(_ text: FieldLogText, _ file: String) {
    let lines = text.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, bytes) in lines.enumerated() {
      let line = bytes.last == 0x0D ? bytes.dropLast() : bytes
      guard !line.isEmpty else { continue }
      examined += 1
      let place = Place(file, ":\(index + 1)")
      guard line.count <= Self.longestLine else {
        skip(place, "the line is too long")
        continue
      }
      readLine(String(decoding: line, as: UTF8.self), place, isLast: index == lines.count - 1)
    }
  }

  private mutating func readLine(_ line: String, _ place: Place, isLast: Bool) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard let time = fields.first.flatMap({ FieldLogTime.nanoseconds($0) }) else {
      return skip(place, "the line does not begin with a time")
    }
    guard fields.count >= 3, let last = fields.last, let start = last.firstRange(of: Self.mark)?.upperBound else {
      return skip(place, isLast ? "the last line is cut short" : "the line has no text of the SDK")
    }
    latest = max(latest ?? time, time)
    let text = last[start...]
    // A line about several accounts does not say which names belong together.
    let isOfOne = ["OID", "Identity", "M"].allSatisfy { text.ranges(of: "CMARScrubbed\($0):").count < 2 }
    if isOfOne { aliases.add(Self.accounts(in: text)) }
    // A verdict is no answer, whatever else its text names.
    guard !Self.hasVerdict(text), let request = Self.request(in: text) else {
      let known =
        Self.hasVerdict(text) ? "no event records an evaluation" : "the text is not one of those that are known"
      return skip(place, isLast ? "the last line is cut short" : known)
    }
    guard let number = Self.status(in: text) else {
      return skip(place, isLast ? "the last line is cut short" : "the text names no status code")
    }
    guard let code = Self.code(number) else { return skip(place, "the number is no status code of the service") }
    var error = Self.number(in: text, after: "error code").map { "error code \($0)" } ?? ""
    if let legacy = Self.number(in: text, after: "result code") {
      error += (error.isEmpty ? "" : ", ") + "legacy result code \(legacy)"
    }
    let content: Content =
      switch request {
      case .enrollment: .enrollment(code, error: error)
      case .unenrollment: .unenrollment(code, error: error)
      case .checkIn: .checkIn(code, error: error)
      }
    add(Fact(time: time, account: Self.account(in: text), content: content, place: place))
  }

  /// What the app asked of the service.
  private enum Request { case enrollment, unenrollment, checkIn }

  private static func request(in text: Substring) -> Request? {
    let text = text.lowercased()
    guard text.contains("status") || text.contains("result") else { return nil }
    if ["unenroll", "un-enroll"].contains(where: { text.contains($0) }) { return .unenrollment }
    // The order of a wipe is the answer to a check-in.
    let words = ["check-in", "checkin", "check in", "policy request", "policyrequest", "wipe received"]
    if words.contains(where: { text.contains($0) }) { return .checkIn }
    return text.contains("enroll") || text.contains("enrol") ? .enrollment : nil
  }

  /// Whether a text says how a setting or the compliance of a device was evaluated.
  private static func hasVerdict(_ text: Substring) -> Bool {
    let text = text.lowercased()
    return ["compliant", "compliance", "pre-requisite", "prerequisite"].contains(where: { text.contains($0) })
  }

  /// The status of an answer: `status code 214`, `status: 214`, or `result: 203`, but not the legacy `result code 6`.
  private static func status(in text: Substring) -> Int64? {
    ["status code", "status", "result"].lazy.compactMap { number(in: text, after: $0) }.first
  }

  /// The status code that a number is: one of the successes, which are all known, or any failure.
  private static func code(_ number: Int64) -> EnrollmentStatusCode? {
    guard (100...299).contains(number) else { return nil }
    let code = EnrollmentStatusCode(rawValue: UInt32(number))
    return number >= 200 || code.classification == .success ? code : nil
  }

  /// The whole number after the first of the words that has one; hexadecimal digits after `0x`. The status of HTTP is
  /// none: the words of a clause that names HTTP do not count.
  private static func number(in text: Substring, after word: String) -> Int64? {
    let text = text.lowercased()
    var rest = text[...]
    while let range = rest.firstRange(of: word) {
      let clause = text[..<range.lowerBound].split(separator: /[,;.]/, omittingEmptySubsequences: false).last ?? ""
      rest = rest[range.upperBound...]
      if clause.contains("http") { continue }
      let value = rest.drop { $0 == ":" || $0 == " " || $0 == "=" }
      // Not a longer word.
      guard value.startIndex > rest.startIndex else { continue }
      if value.hasPrefix("0x") { return Int64(value.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) }
      let sign = value.first == "-" ? "-" : ""
      if let number = Int64(sign + value.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }) { return number }
    }
    return nil
  }

  /// The account that a text names: the object id's hash, or otherwise that of the identity.
  static func account(in text: some StringProtocol) -> String? { accounts(in: text).first }

  /// What a text names an account by, the object id's hash first: the first hash of each kind.
  static func accounts(in text: some StringProtocol) -> [String] {
    let text = String(text)
    return ["OID", "Identity", "M"].compactMap { kind in
      guard let start = text.firstRange(of: "CMARScrubbed\(kind):")?.upperBound else { return nil }
      let hash = text[start...].drop { $0 == " " }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      guard !hash.isEmpty, hash.utf8.count <= 128 else { return nil }
      return kind == "OID" ? hash.lowercased() : "\(kind)-\(hash)".lowercased()
    }
  }
}

/// Times as the files write them.
enum FieldLogTime {
  /// Reads `2023-05-04T10:11:12.345Z`, with or without a fraction, and with a space in place of the `T`.
  static func nanoseconds(_ text: some StringProtocol) -> Int64? {
    var bytes = Array(text.utf8.prefix(longest))
    if bytes.count > 10, bytes[10] == 0x20 { bytes[10] = UInt8(ascii: "T") }
    let time = (try? PolicyDate(String(decoding: bytes, as: UTF8.self)))?.nanoseconds
    return time.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// More bytes than any time has.
  private static let longest = 40

  /// Nanoseconds from 1970 to 2001-01-01T00:00:00Z, from which the JSON file counts seconds.
  private static let reference: Int64 = 978_307_200

  /// Reads seconds since 2001-01-01T00:00:00Z.
  static func nanoseconds(since2001 text: String) -> Int64? {
    guard let seconds = Double(text), seconds.isFinite, (0...6_000_000_000).contains(seconds) else { return nil }
    return reference * 1_000_000_000 + Int64(seconds * 1_000_000) * 1000
  }
}
