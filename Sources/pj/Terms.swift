import PlainText

/// Everything that `pj help TERM` explains besides commands and topics. What it says comes from the tables by which the rules,
/// the commands and the findings work.
enum Terms {
  /// Every term with a name. Numbers that no table has, and quoted sentences, come on top.
  static let all: [Term] =
    codes + tokenErrors + wipeReasons + problems + conditions + deadlines + rules + transitions + situations + mistakes
    + settings
    + appSettings + configurationKeys + events + policyLint + settingsLint + assumptions + sentences + pages

  /// What a text asks for.
  enum Answer {
    /// Terms that it names, each in full.
    case named([Term])
    /// Terms that have its words.
    case having([Term])
    /// None; these are the nearest names.
    case unknown(nearest: [String])
  }

  /// The most names that are explained in full, where one name has several meanings.
  private static let mostInFull = 4
  /// The longest text that is looked up, in UTF-8: a line of a log.
  private static let longest = 16_384

  /// What a text asks for.
  ///
  /// - Parameter kind: The only kind that is meant; `nil` for every kind.
  static func answer(_ text: String, kind: Term.Kind? = nil) -> Answer {
    guard text.utf8.count <= longest else { return .unknown(nearest: []) }
    let text = normalized(text)
    if kind == nil || kind == .tokenError, let term = signInError(text) { return .named([term]) }
    let meant = named(text).filter { kind == nil || $0.kind == kind }
    if meant.count > mostInFull { return .having(meant) }
    // A sentence that is typed as it stands in the table means what it says, too.
    if kind == nil, meant.count == 1, let sentence = meant.first, sentence.kind == .sentence {
      let terms = quoted(text)
      return .named(terms.first?.name == sentence.name ? terms : meant)
    }
    if !meant.isEmpty { return .named(meant) }
    if let number = Int64(text) {
      let terms = numbered(number).filter { kind == nil || $0.kind == kind }
      return terms.isEmpty ? .unknown(nearest: nearestNumbers(to: number)) : .named(terms)
    }
    if text.contains(" ") {
      let terms = quoted(text).filter { kind == nil || $0.kind == kind }
      if !terms.isEmpty { return .named(terms) }
    }
    let known = kind.map { kind in all.filter { $0.kind == kind } } ?? all
    let found = terms(having: words(of: text).flatMap { usual[$0] ?? [$0] }, known)
    return found.isEmpty ? .unknown(nearest: nearest(to: text, known)) : .having(found)
  }

  /// The terms that a word means, whatever the case of its letters.
  static func named(_ word: String) -> [Term] { (places[word.lowercased()] ?? []).map { all[$0] } }

  /// The places of the terms by their names in lower case.
  private static let places: [String: [Int]] = {
    var places: [String: [Int]] = [:]
    for (place, term) in all.enumerated() {
      for name in Set(([term.name] + term.aliases).map { $0.lowercased() }) { places[name, default: []].append(place) }
    }
    return places
  }()

  /// The terms whose names have a name in them, without the one that it is.
  static func related(to term: Term) -> [Term] {
    guard term.name.allSatisfy(\.isLetter) || term.kind == .problem else { return [] }
    let asked = words(of: term.name)
    return zip(all, namesInWords).filter { other, words in
      other.name != term.name && other.kind != .sentence && Set(asked).isSubset(of: words)
    }.map(\.0)
  }

  /// In one spelling: signs, quotation marks and the page before a heading, as in `Diagnosis#offline-block`.
  private static func normalized(_ text: String) -> String {
    let plain = text.replacing("\u{2212}", with: "-").replacing("’", with: "'")
    let trimmed = plain.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !trimmed.contains(" "), let heading = trimmed.split(separator: "#").last else { return trimmed }
    return String(heading)
  }

  // MARK: - Words

  /// The words of the guides and the portal for those that users have.
  private static let usual = [
    "crashes": ["crash"], "logoff": ["deregistered"], "logout": ["deregistered"], "screenshot": ["screen", "capture"],
    "screenshots": ["screen", "capture"], "signout": ["deregistered"],
  ]

  /// The words of a text in lower case; a name in camel case has several.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var isInside = false
    var wasLower = false
    for character in text {
      guard character.isLetter || character.isNumber else {
        isInside = false
        continue
      }
      if !isInside || (character.isUppercase && wasLower) { words.append("") }
      words[words.count - 1] += character.lowercased()
      (isInside, wasLower) = (true, character.isLowercase || character.isNumber)
    }
    return words
  }

  /// The words of every term's names.
  private static let namesInWords = all.map(nameWords)

  private static func nameWords(of term: Term) -> [String] { ([term.name] + term.aliases).flatMap(words) }

  /// Whether each asked word begins one of the others.
  private static func has(_ asked: [String], _ words: [String]) -> Bool {
    asked.allSatisfy { asked in words.contains { $0.hasPrefix(asked) } }
  }

  /// The terms that have every word: in a name, or otherwise in what they are, or otherwise in their texts.
  private static func terms(having asked: [String], _ known: [Term]) -> [Term] {
    guard !asked.isEmpty else { return [] }
    var (inNames, inLines): ([Term], [Term]) = ([], [])
    for term in known {
      let names = nameWords(of: term)
      if has(asked, names) {
        inNames.append(term)
      } else if has(asked, names + words(of: TermReport.line(of: term))) {
        inLines.append(term)
      }
    }
    let found = inNames + inLines
    return found.isEmpty ? known.filter { has(asked, words(of: TermReport.text(of: $0))) } : found
  }

  /// The nearest names, whatever the distance: of a phrase, those with the most of its words.
  private static func nearest(to text: String, _ known: [Term]) -> [String] {
    let asked = words(of: text).filter { $0.count > 3 }
    if text.contains(" ") {
      let counted = known.map { term in
        let words = nameWords(of: term) + words(of: TermReport.text(of: term))
        return (term.name, asked.count { asked in words.contains(asked) })
      }
      let most = counted.map(\.1).max() ?? 0
      if most > 0 { return counted.filter { $0.1 == most }.prefix(3).map(\.0) }
    }
    let names = known.flatMap { [$0.name] + $0.aliases }.filter { name in
      !name.contains(" ") && name.count > 2 && name.contains(where: \.isLetter)
    }
    let near = EditDistance.nearest(to: text, in: names)
    let typed = String(String.UnicodeScalarView(text.lowercased().unicodeScalars.prefix(EditDistance.longestWord)))
    guard near.isEmpty else { return near }
    let ranked = names.enumerated().map {
      (EditDistance.between(typed, $0.element.lowercased()), $0.offset, $0.element)
    }
    return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(3).map(\.2)
  }
}
