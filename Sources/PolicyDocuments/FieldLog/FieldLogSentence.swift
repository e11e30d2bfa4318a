import AppProtection

/// A sentence that the SDK writes into its log, or that an app quotes from it, and what it says.
///
/// The sentences are one table, ``FieldLogSentence/all``, that one matcher reads. A shape has words in lower case, of which
/// `a/b` are alternatives and `a?` may be missing; places in capitals; and `…`, where only words may stand that an answer
/// of the service has, so that the status of something else is not taken for it:
///
/// ```
/// enrollment … status code? STATUS
/// ```
///
/// A shape may begin anywhere in a text, and more may follow it. The first sentence of the table that a text has counts.
public struct FieldLogSentence: Sendable {
  /// What the app asked of the service.
  public enum Request: String, Sendable, CaseIterable {
    case enrollment
    case checkIn
    case unenrollment
    /// A check-in of an enrolled account, and the enrollment of another one.
    case either
  }

  /// What a sentence says.
  public enum Meaning: Equatable, Sendable {
    /// The service answered, with the code at `STATUS`.
    case answer(Request)
    /// The service answered with this code, in words.
    case code(Request, EnrollmentStatusCode)
    /// The app asked: it says whose answer comes next.
    case request(Request)
    /// The account's data is wiped, for the reason at `REASON` or an unknown one.
    case wipe
    /// The account's data is gone.
    case wipeCompleted
    /// The condition that `SETTING` stands for is not met.
    case settingNotMet
    /// A launch condition is not met.
    case condition(LaunchRule, LaunchOutcome)
    /// The token library refused a token, with the error at `NUMBER`.
    case tokenDenied
    /// A remediation waits for another account's.
    case remediationQueued
    /// No event records what it says, for this reason.
    case known(String)
  }

  /// What stands at a place in capitals.
  enum Place: String {
    case status = "STATUS"
    case reason = "REASON"
    case number = "NUMBER"
    case setting = "SETTING"
    case account = "ACCOUNT"
  }

  /// The words and places.
  public let shape: String
  /// What it says.
  public let meaning: Meaning
  /// Where it is published: a public issue as `sdk#316`, a header, a page or a guide.
  public let source: String
  /// Whether an app or the token library may write it, too: it counts without the SDK's mark.
  public let isQuoted: Bool
  private let elements: [Element]

  /// One element of a shape.
  private enum Element: Equatable {
    case words([String], isOptional: Bool)
    case place(Place)
    case gap
  }

  /// What a text has at the places of a sentence.
  struct Match: Equatable {
    var status: EnrollmentStatusCode?
    var number: Int64?
    var setting: String?
    /// The first word after it.
    var end = 0
  }

  init(_ shape: String, _ meaning: Meaning, _ source: String, isQuoted: Bool = false) {
    (self.shape, self.meaning, self.source, self.isQuoted) = (shape, meaning, source, isQuoted)
    elements = shape.split(separator: " ").map { part in
      if part == "…" { return .gap }
      if let place = Place(rawValue: String(part)) { return .place(place) }
      let isOptional = part.hasSuffix("?")
      let words = (isOptional ? part.dropLast() : part).split(separator: "/").map(String.init)
      return .words(words, isOptional: isOptional)
    }
  }

  // MARK: - Matching

  /// Where the sentences stand in the table, by their first words.
  private static let places: [String: [Int]] = {
    var places: [String: [Int]] = [:]
    for (place, sentence) in all.enumerated() {
      guard case .words(let words, false)? = sentence.elements.first else { continue }
      for word in words { places[word, default: []].append(place) }
    }
    return places
  }()

  /// The most words at which a gap is looked through.
  private static let widestGap = 24

  /// The first sentence that a text has.
  ///
  /// - Parameter isOfSDK: Whether the text stands after the SDK's mark.
  static func first(in words: [FieldLogWord], isOfSDK: Bool) -> (sentence: FieldLogSentence, match: Match)? {
    var candidates: [(place: Int, start: Int)] = []
    for (start, word) in words.enumerated() {
      guard case .word(let word) = word, let places = places[word] else { continue }
      for place in places where isOfSDK || all[place].isQuoted { candidates.append((place, start)) }
    }
    candidates.sort { $0 < $1 }
    for (place, start) in candidates {
      if let match = all[place].match(words, start, 0, Match()) { return (all[place], match) }
    }
    return nil
  }

  private func match(_ words: [FieldLogWord], _ index: Int, _ element: Int, _ found: Match) -> Match? {
    guard element < elements.count else {
      var found = found
      found.end = index
      return found
    }
    switch elements[element] {
    case .words(let alternatives, let isOptional):
      if index < words.count, case .word(let word) = words[index], alternatives.contains(word),
        let match = match(words, index + 1, element + 1, found)
      {
        return match
      }
      return isOptional ? match(words, index, element + 1, found) : nil
    case .place(let place):
      guard index < words.count, let found = Self.read(words[index], at: place, found) else { return nil }
      return match(words, index + 1, element + 1, found)
    case .gap:
      for end in index..<min(words.count, index + Self.widestGap) {
        if let match = match(words, end, element + 1, found) { return match }
        guard Self.mayStandInGap(words[end]) else { return nil }
      }
      return nil
    }
  }

  private static func read(_ word: FieldLogWord, at place: Place, _ found: Match) -> Match? {
    var found = found
    switch place {
    case .status:
      guard let code = code(word) else { return nil }
      found.status = code
    case .reason:
      guard case .number(let number) = word, (600...699).contains(number) else { return nil }
      found.number = number
    case .number:
      guard case .number(let number) = word else { return nil }
      found.number = number
    case .setting:
      guard case .word(let name) = word else { return nil }
      found.setting = name
    case .account:
      guard case .account = word else { return word == .word("nil") ? found : nil }
    }
    return found
  }

  /// The status code that a word is, by its number or its name.
  private static func code(_ word: FieldLogWord) -> EnrollmentStatusCode? {
    switch word {
    case .number(let number): FieldLog.code(number)
    case .word(let name): namedCodes[name]
    case .account, .end: nil
    }
  }

  /// The codes by the names of the enumerations of Objective-C and .NET.
  private static let namedCodes: [String: EnrollmentStatusCode] = {
    var codes: [String: EnrollmentStatusCode] = [:]
    for number in Array(UInt32(100)...104) + Array(200...227) {
      let code = EnrollmentStatusCode(rawValue: number)
      for beginning in ["intunemamenrollmentstatus", "mamenrollmentstatus"] {
        codes[beginning + code.name.lowercased()] = code
      }
    }
    return codes
  }()

  private static func mayStandInGap(_ word: FieldLogWord) -> Bool {
    switch word {
    case .number, .account: true
    // A word that a byte spoils, which is not UTF-8, may be any.
    case .word(let word): glue.contains(word) || word.contains("\u{FFFD}")
    case .end: false
    }
  }

  /// The words of an answer of the service, between what was asked and its code.
  private static let glue = Set(
    """
    a an the and but of in to is was has been for from by with on at after as its this that nil null now \
    service service's mam intune sdk account account's user user's identity upn oid object id app application \
    enrollment check-in unenrollment request operation response result results answer completed complete finished ended \
    failed failing failure fails succeeded success successful successfully unsuccessful returned returns returning received \
    receiving status code codes error errors errorcode legacy trigger wipe command new
    """.split(separator: " ").map(String.init))
}
