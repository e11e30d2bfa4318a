import PlainText

/// One line of a log, taken apart: when, which process, and what it says.
struct FieldLogLine {
  /// When; its time is `nil` where the line does not say.
  var time: FieldLogTime?
  /// The process as the line names it, such as `App[123]` or a bundle; empty where it names none.
  var process = ""
  /// What stands between the time and the text: the identities of a debug build are there.
  var head: Substring = ""
  /// What the line says.
  var text: Substring = ""
  /// Whether the text is the SDK's: it stands after the SDK's mark.
  var isOfSDK = false
  /// Why what the line begins with is no time, such as one on 31 February.
  let flaw: String?
  /// Whether the line has anything of a log: a time or the mark.
  var isOfLog: Bool { time != nil || isOfSDK && flaw == nil }

  /// What begins each text of the SDK.
  static let mark = "IntuneMAM:"
  /// What stands in front of a text where the unified log names the SDK as the library that wrote it.
  private static let libraries = ["(IntuneMAMSwift)", "(IntuneMAM)", "[IntuneMAM]"]
  /// What may stand in front of a time.
  private static let opening = Array("[(\"'".utf8)
  /// The most words in front of a time.
  private static let mostWordsBeforeTime = 8

  /// Takes a line apart.
  ///
  /// - Parameter year: The year of a time that has none.
  init(_ line: some StringProtocol, year: Int?) {
    var rest = Substring(line)
    let found = Self.time(of: rest, year)
    if let (time, after) = found { (self.time, rest) = (time, after) }
    flaw = found == nil && Self.mayBeginWithTime(line) ? FieldLogTime.flaw(of: Self.bare(rest), year: year) : nil
    if let range = Self.mark(in: rest) {
      isOfSDK = true
      head = rest[..<range.lowerBound]
      text = rest[range.upperBound...].drop { $0 == " " || $0 == "\t" }
      process = Self.process(in: head)?.name ?? ""
      if time == nil, flaw == nil { time = Self.time(within: head, year) }
    } else {
      let process = Self.process(in: rest)
      self.process = process?.name ?? ""
      text = rest[(process?.end ?? rest.startIndex)...]
    }
  }

  /// The SDK's mark.
  private static func mark(in text: Substring) -> Range<Substring.Index>? {
    if let range = text.utf8.firstRange(of: mark.utf8) { return range }
    return libraries.lazy.compactMap { text.utf8.firstRange(of: $0.utf8) }.first
  }

  /// The first time in front of the SDK's mark, after the name of a file and the number of a line for instance.
  private static func time(within head: Substring, _ year: Int?) -> FieldLogTime? {
    var previous: UInt8 = 0
    for index in head.utf8.indices.prefix(256) {
      let byte = head.utf8[index]
      defer { previous = byte }
      guard byte.isASCIIDigit, !previous.isASCIIDigit, mayBeginWithTime(head[index...]) else {
        continue
      }
      if let time = FieldLogTime(head[index...], year: year) { return time }
    }
    return nil
  }

  /// Whether a line begins as a line with a time does: cheaper than reading the time, which may turn out to be none.
  static func mayBeginWithTime(_ line: some StringProtocol) -> Bool {
    let clock = Array(line.utf8.drop { opening.contains($0) }.prefix(15))
    guard clock.count == 15 else { return false }
    let isDated = clock[4] == clock[7] && (clock[4] == 0x2D || clock[4] == 0x2F) && clock[13] == 0x3A
    let isUndated = clock[9] == 0x3A && clock[12] == 0x3A
    return isDated || isUndated || line.hasPrefix("TID") || line.prefix(6).lowercased() == "oslog-"
  }

  /// The line without what may stand in front of a time.
  private static func bare(_ line: Substring) -> Substring {
    line[(line.utf8.firstIndex { !opening.contains($0) } ?? line.endIndex)...]
  }

  /// The time at the beginning, or after what some tools write before it.
  private static func time(of line: Substring, _ year: Int?) -> (FieldLogTime, rest: Substring)? {
    let bare = bare(line)
    if let time = FieldLogTime(bare, year: year) { return (time, bare.utf8After(time.length)) }
    if line.utf8.count > 6, line.prefix(6).lowercased() == "oslog-" { return mirrored(line, year) }
    // The token library: `TID = 7 MSAL 1.2.9 iOS 16.4 [2023-05-04 10:11:12 - …] text`.
    guard line.hasPrefix("TID"), let bracket = line.prefix(160).firstIndex(of: "[") else { return nil }
    let inner = line[line.index(after: bracket)...]
    guard let time = FieldLogTime(inner, year: year) else { return nil }
    let end = inner.firstIndex(of: "]").map { inner.index(after: $0) } ?? inner.endIndex
    return (time, inner[end...])
  }

  /// The time of a line that the system mirrors to an app's error output: seconds after `t:`, or a time among the first words.
  private static func mirrored(_ line: Substring, _ year: Int?) -> (FieldLogTime, rest: Substring)? {
    if let range = line.prefix(200).firstRange(of: "t:") {
      let digits = line[range.upperBound...].prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      if let nanoseconds = FieldLogTime.nanoseconds(since1970: digits) {
        var time = FieldLogTime("1970-01-01T00:00:00Z", year: nil)
        time?.nanoseconds = nanoseconds
        time?.year = nil
        let rest = line[digits.endIndex...].drop { $0 != "}" }.dropFirst()
        return time.map { ($0, rest.isEmpty ? line[digits.endIndex...] : rest) }
      }
    }
    var rest = line
    for _ in 0..<mostWordsBeforeTime {
      rest = rest.drop { $0 != " " && $0 != "\t" }.drop { $0 == " " || $0 == "\t" }
      if let time = FieldLogTime(rest, year: year) { return (time, rest.utf8After(time.length)) }
    }
    return nil
  }

  /// The process that the words after a time name, and where its name ends.
  private static func process(in head: Substring) -> (name: String, end: Substring.Index)? {
    let words = head.split { $0 == " " || $0 == "\t" }.prefix(12)
    for (index, word) in words.enumerated() {
      if word.first != "[", let bracket = word.firstIndex(of: "["), bracket > word.startIndex {
        let number = word[word.index(after: bracket)...].prefix { $0.isASCII && $0.isNumber }
        if !number.isEmpty { return ("\(word[..<bracket])[\(number)]", word.endIndex) }
      }
      // The unified log: the number of the process, its time to live, and the name.
      if word.last == ":", index >= 2, Int(words[index - 1]) != nil, let number = Int(words[index - 2]) {
        return ("\(word.dropLast())[\(number)]", word.endIndex)
      }
    }
    let bundle = words.first { word in
      word.split(separator: ".").count >= 3
        && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        && word.contains(where: \.isLetter)
    }
    return bundle.map { (String($0), $0.endIndex) }
  }
}

extension Substring {
  /// What follows a number of bytes.
  fileprivate func utf8After(_ count: Int) -> Substring {
    self[(utf8.index(utf8.startIndex, offsetBy: count, limitedBy: utf8.endIndex) ?? utf8.endIndex)...]
  }
}
