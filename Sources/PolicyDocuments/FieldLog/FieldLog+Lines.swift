import AppProtection

extension FieldLog {
  /// Reads the lines of a log and the blocks between them.
  ///
  /// - Parameter givenYear: The year in which it begins if it says none.
  mutating func readLines(_ text: FieldLogText, _ file: String, _ beginning: FieldLogBeginning, _ givenYear: Int?) {
    lineTime = nil
    let reference = beginning.anchor ?? (givenYear == nil ? latest : nil)
    if beginning.anchor != nil { isYearKnown = true }
    year = reference.flatMap(beginning.year) ?? givenYear ?? year
    var lines = FieldLogLines(text.bytes)
    while let item = lines.next() {
      switch item {
      case .unread(let reason, let number):
        examined += 1
        skip(Place(file, ":\(number)"), reason)
      case .line(let line, let number, let parts, let tight):
        examined += parts
        var taken = Self.line(line, tight, year)
        // January after December is in the next year.
        if let before = lineTime, let time = taken.time, time.inferred.contains(.year), let at = time.nanoseconds,
          at < before - Self.halfYear
        {
          year += 1
          taken = Self.line(line, tight, year)
        }
        if let time = taken.time, time.nanoseconds != nil { year = time.year ?? year }
        if !isYearKnown, let place = taken.time?.inferred.firstIndex(of: .year) {
          taken.time?.inferred[place] = .unknownYear
        }
        read(taken, Place(file, ":\(number)"), isLast: lines.isAtEnd)
      case .block(let block): read(block, file)
      }
    }
  }

  /// In nanoseconds.
  private static let halfYear: Int64 = 182 * 86_400 * 1_000_000_000

  /// Takes a line apart, in the form in which it has a sentence.
  private static func line(_ line: String, _ tight: String?, _ year: Int) -> FieldLogLine {
    let taken = FieldLogLine(line, year: year)
    guard let tight, !taken.hasSentence else { return taken }
    let other = FieldLogLine(tight, year: year)
    return other.hasSentence ? other : taken
  }

  private mutating func read(_ block: FieldLogLines.Block, _ file: String) {
    let place = Place(file, ":\(block.number)")
    if block.isCutShort { skip(place, "the block is cut short") }
    guard let root = FieldLogDescription.root(of: block.text) else { return skip(place, "the block cannot be read") }
    let time = block.opening.isEmpty ? nil : FieldLogLine(block.opening, year: year).time?.nanoseconds
    read(root, Origin(file: file, line: block.number, time: time, accounts: Self.accounts(in: block.opening)))
  }

  /// Reads a line that was taken apart.
  ///
  /// - Parameter isLast: Whether nothing follows it in the file: it may be cut.
  mutating func read(_ line: FieldLogLine, _ place: Place, isLast: Bool) {
    guard line.isOfLog else { return skip(place, line.flaw ?? "the line does not begin with a time") }
    if let said = line.time, let time = said.nanoseconds {
      take(time, said.inferred)
      lineTime = time
    }
    let words = FieldLogWord.words(of: line.text)
    let found = FieldLogSentence.first(in: words, isOfSDK: line.isOfSDK)
    guard line.isOfSDK || found != nil else {
      return skip(place, isLast ? "the last line is cut short" : "the line has no text of the SDK")
    }
    // A line about several accounts does not say which names belong together.
    let names = Self.firstAccount(in: words) == nil ? [] : Self.accounts(in: line.text)
    let isOfOne = ["OID", "Identity", "M"].allSatisfy { line.text.ranges(of: "CMARScrubbed\($0):").count < 2 }
    if names.count > 1, isOfOne { aliases.add(names) }
    guard let (sentence, match) = found, let content = Self.content(of: sentence, match, words, line.text) else {
      return skip(place, Self.reason(found?.sentence, line.text, words, isLast: isLast))
    }
    var fact = Fact(
      time: line.time?.nanoseconds, account: names.first ?? Self.firstAccount(in: words), content: content, place: place
    )
    fact.process = line.process
    fact.inferred = line.time?.inferred ?? []
    if line.time == nil {
      fact.time = lineTime
      if lineTime != nil { fact.inferred.append(.time) }
    }
    // A debug build writes in front of the text whose identity is set.
    let identities = Set(Self.accounts(in: line.head))
    if fact.account == nil, identities.count == 1, let only = identities.first {
      fact.account = only
      fact.inferred.append(.account)
    }
    add(fact)
  }

  /// What a sentence says as a fact; `nil` where no event records it.
  private static func content(
    of sentence: FieldLogSentence, _ match: FieldLogSentence.Match, _ words: [FieldLogWord], _ text: Substring
  ) -> Content? {
    switch sentence.meaning {
    case .answer(let request):
      // A verdict on a device is no answer, whatever else its text names.
      guard !isVerdict(words) else { return nil }
      return match.status.map { .answer(request, $0, error: error(in: words)) }
    case .code(let request, let code): return isVerdict(words) ? nil : .answer(request, code, error: error(in: words))
    case .request(let request):
      // It names whose answer comes next.
      return firstAccount(in: words) == nil || mentionsAnswer(text) ? nil : .request(request)
    case .wipe: return .wipe(match.number.map { WipeReason(rawValue: UInt32($0)) } ?? .unspecified)
    case .wipeCompleted: return .wipeCompleted
    case .settingNotMet:
      return match.setting.flatMap { FieldLogSentence.condition(of: $0) }.map { .condition($0.rule, $0.outcome) }
    case .condition(let rule, let outcome): return .condition(rule, outcome)
    case .tokenDenied:
      // Other errors of the token library say nothing that an event records.
      return match.number.flatMap { [-50_004, -50_002].contains($0) ? .tokenDenied($0) : nil }
    case .remediationQueued: return .remediationQueued
    case .known: return nil
    }
  }

  /// Why no fact is made of a text.
  private static func reason(
    _ sentence: FieldLogSentence?, _ text: Substring, _ words: [FieldLogWord], isLast: Bool
  ) -> String {
    if case .known(let reason)? = sentence?.meaning { return reason }
    if isVerdict(words) { return "no event records an evaluation" }
    if isLast { return "the last line is cut short" }
    if mentionsAnswer(text) { return "the text names no status code of the service" }
    switch sentence?.meaning {
    case .request: return "a request: its answer is what counts"
    case .tokenDenied: return "no event records this error of the token library"
    case .settingNotMet: return "no event records an evaluation"
    case .answer, .code, .wipe, .wipeCompleted, .condition, .remediationQueued, .known, nil:
      return "the text is not one of those that are known"
    }
  }

  /// Whether a text says how a setting or the compliance of a device was evaluated.
  private static func isVerdict(_ words: [FieldLogWord]) -> Bool {
    words.contains { if case .word(let word) = $0 { word.contains("complian") } else { false } }
  }

  /// Whether a text is about a request and its status or result, be it that of HTTP.
  private static func mentionsAnswer(_ text: Substring) -> Bool {
    let words = FieldLogWord.words(of: text.replacing("HTTP", with: ""))
    let requests: [FieldLogWord] = [.word("enrollment"), .word("check-in"), .word("unenrollment")]
    return words.contains(where: requests.contains)
      && (words.contains(.word("status")) || words.contains(.word("result")))
  }

  /// What an answer says besides its code.
  private static func error(in words: [FieldLogWord]) -> String {
    var error = ""
    for (place, word) in words.enumerated() where word == .word("code") && place > 0 {
      var rest = words[(place + 1)...]
      if rest.first == .word("of") { rest = rest.dropFirst() }
      guard case .number(let number)? = rest.first else { continue }
      if words[place - 1] == .word("error") {
        error = "error code \(number)" + (error.isEmpty ? "" : ", \(error)")
      } else if words[place - 1] == .word("result") {
        error += (error.isEmpty ? "" : ", ") + "legacy result code \(number)"
      }
    }
    return error
  }

  /// The status code that a number is: one of the successes, which are all known, or any failure.
  static func code(_ number: Int64) -> EnrollmentStatusCode? {
    guard (100...299).contains(number) else { return nil }
    let code = EnrollmentStatusCode(rawValue: UInt32(number))
    return number >= 200 || code.classification == .success ? code : nil
  }

  // MARK: - Accounts

  private static func firstAccount(in words: [FieldLogWord]) -> String? {
    words.lazy.compactMap { if case .account(let name) = $0 { name } else { nil } }.first
  }

  /// The account that a text names: the object id's hash, or otherwise that of the identity.
  static func account(in text: some StringProtocol) -> String? { accounts(in: text).first }

  /// What a text names an account by, the object id's hash first: the first hash of each kind.
  static func accounts(in text: some StringProtocol) -> [String] {
    let text = String(text)
    return ["OID", "Identity", "M"].compactMap { kind in
      guard let start = text.firstRange(of: "CMARScrubbed\(kind):")?.upperBound else { return nil }
      return account(kind: kind, text[start...].drop { $0 == " " })
    }
  }

  /// The account that a hash at the beginning of a text stands for; `nil` for that of an address of the web.
  static func account(kind: String, _ text: some StringProtocol) -> String? {
    guard ["OID", "Identity", "M"].contains(kind) else { return nil }
    let hash = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !hash.isEmpty, hash.utf8.count <= 128 else { return nil }
    return kind == "OID" ? hash.lowercased() : "\(kind)-\(hash)".lowercased()
  }
}

extension FieldLogLine {
  /// Whether the text has a sentence that is known.
  fileprivate var hasSentence: Bool {
    FieldLogSentence.first(in: FieldLogWord.words(of: text), isOfSDK: isOfSDK) != nil
  }
}
