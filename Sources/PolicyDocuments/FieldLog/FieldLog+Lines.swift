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
      let place = "\(file):\(index + 1)"
      guard line.count <= Self.longestLine else {
        skip(place, "the line is too long")
        continue
      }
      readLine(String(decoding: line, as: UTF8.self), place, isLast: index == lines.count - 1)
    }
  }

  private mutating func readLine(_ line: String, _ place: String, isLast: Bool) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard let time = fields.first.flatMap({ FieldLogTime.nanoseconds($0) }) else {
      return skip(place, "the line does not begin with a time")
    }
    guard fields.count >= 3, let last = fields.last, let start = last.firstRange(of: Self.mark)?.upperBound else {
      return skip(place, isLast ? "the last line is cut short" : "the line has no text of the SDK")
    }
    latest = max(latest ?? time, time)
    let text = last[start...]
    guard let request = Self.request(in: text) else {
      let known =
        Self.hasVerdict(text) ? "no event records an evaluation" : "the text is not one of those that are known"
      return skip(place, isLast ? "the last line is cut short" : known)
    }
    guard let code = Self.number(in: text, after: "status code ").flatMap({ UInt32(exactly: $0) }) else {
      return skip(place, isLast ? "the last line is cut short" : "the text names no status code")
    }
    var error = Self.number(in: text, after: "error code ").map { "error code \($0)" } ?? ""
    if let legacy = Self.number(in: text, after: "result code ") {
      error += (error.isEmpty ? "" : ", ") + "legacy result code \(legacy)"
    }
    let status = EnrollmentStatusCode(rawValue: code)
    let content: Content =
      switch request {
      case .enrollment: .enrollment(status, error: error)
      case .unenrollment: .unenrollment(status, error: error)
      case .checkIn: .checkIn(status, error: error)
      }
    add(Fact(time: time, account: Self.account(in: text), content: content, place: place, inferred: ""))
  }

  /// What the app asked of the service.
  private enum Request { case enrollment, unenrollment, checkIn }

  private static func request(in text: Substring) -> Request? {
    let text = text.lowercased()
    guard text.contains("status code") || text.contains("result code") || text.contains("status ") else { return nil }
    if ["unenroll", "un-enroll"].contains(where: { text.contains($0) }) { return .unenrollment }
    if ["check-in", "checkin", "check in", "policy request", "policyrequest"].contains(where: { text.contains($0) }) {
      return .checkIn
    }
    return text.contains("enroll") || text.contains("enrol") ? .enrollment : nil
  }

  /// Whether a text says how a setting or the compliance of a device was evaluated.
  private static func hasVerdict(_ text: Substring) -> Bool {
    let text = text.lowercased()
    return ["compliant", "compliance", "pre-requisite", "prerequisite"].contains(where: { text.contains($0) })
  }

  /// The whole number behind a word; hexadecimal digits behind `0x`.
  private static func number(in text: Substring, after word: String) -> Int64? {
    let text = text.lowercased()
    guard let start = text.firstRange(of: word)?.upperBound else { return nil }
    let rest = text[start...].drop { $0 == ":" || $0 == " " || $0 == "=" }
    if rest.hasPrefix("0x") { return Int64(rest.dropFirst(2).prefix { $0.isHexDigit }, radix: 16) }
    let sign = rest.first == "-" ? "-" : ""
    return Int64(sign + rest.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber })
  }

  /// The account that a text names: the object id's hash, or otherwise that of the identity.
  static func account(in text: some StringProtocol) -> String? {
    let text = String(text)
    for kind in ["OID", "Identity", "M"] {
      guard let start = text.firstRange(of: "CMARScrubbed\(kind):")?.upperBound else { continue }
      let hash = text[start...].drop { $0 == " " }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      guard !hash.isEmpty, hash.utf8.count <= 128 else { continue }
      return kind == "OID" ? hash.lowercased() : "\(kind)-\(hash)".lowercased()
    }
    return nil
  }
}

/// Times as the files write them.
enum FieldLogTime {
  /// Reads `2023-05-04T10:11:12.345Z`, with or without a fraction.
  static func nanoseconds(_ text: some StringProtocol) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 30, bytes[4] == 0x2D, bytes[7] == 0x2D,
      bytes[10] == 0x54 || bytes[10] == 0x20,
      bytes[13] == 0x3A, bytes[16] == 0x3A, bytes.last == 0x5A
    else { return nil }
    func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: bytes[range], as: UTF8.self)) }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1970...2200).contains(year),
      (1...12).contains(month),
      (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    var fraction: Int64 = 0
    if bytes[19] == 0x2E {
      let digits = bytes[20..<(bytes.count - 1)]
      guard (1...9).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      for place in 0..<9 { fraction = fraction * 10 + (place < digits.count ? Int64(digits[20 + place] - 0x30) : 0) }
    } else if bytes.count != 20 {
      return nil
    }
    // Days from the civil date, with years that begin in March.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return (days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// Nanoseconds from 1970 to 2001-01-01T00:00:00Z, from which the JSON file counts seconds.
  private static let reference: Int64 = 978_307_200

  /// Reads seconds since 2001-01-01T00:00:00Z.
  static func nanoseconds(since2001 text: String) -> Int64? {
    guard let seconds = Double(text), seconds.isFinite, (0...6_000_000_000).contains(seconds) else { return nil }
    return reference * 1_000_000_000 + Int64(seconds * 1_000_000) * 1000
  }
}
