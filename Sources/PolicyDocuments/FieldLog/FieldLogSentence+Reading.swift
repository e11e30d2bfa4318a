import AppProtection

extension FieldLogSentence {
  /// What a text that is quoted from a log says.
  public struct Reading: Sendable {
    /// The sentence that it has.
    public let sentence: FieldLogSentence
    /// The status code in it, or that its words stand for.
    public let code: EnrollmentStatusCode?
    /// The reason of a wipe in it.
    public let reason: WipeReason?
    /// The error of the token library in it.
    public let tokenError: Int64?
    /// The launch condition that is not met.
    public let rule: LaunchRule?
  }

  /// What a text says, be it a whole line of a log or a part of its sentence; `nil` where it has no sentence that is known.
  public static func reading(_ text: some StringProtocol) -> Reading? {
    let words = FieldLogWord.words(of: text)
    guard let (sentence, match) = first(in: words, isOfSDK: true) else { return nil }
    var (code, reason, tokenError, rule): (EnrollmentStatusCode?, WipeReason?, Int64?, LaunchRule?)
    switch sentence.meaning {
    case .answer: code = match.status
    case .code(_, let stated): code = stated
    case .wipe: reason = match.number.map { WipeReason(rawValue: UInt32($0)) }
    case .tokenDenied: tokenError = match.number
    case .settingNotMet: rule = match.setting.flatMap { condition(of: $0)?.rule }
    case .condition(let condition, _): rule = condition
    // Its number is of no table, and stands after it.
    case .known: code = statusCode(in: words)
    case .request, .wipeCompleted, .remediationQueued: break
    }
    return Reading(sentence: sentence, code: code, reason: reason, tokenError: tokenError, rule: rule)
  }

  /// The number after the word `code` or `status`.
  private static func statusCode(in words: [FieldLogWord]) -> EnrollmentStatusCode? {
    for (before, word) in zip(words, words.dropFirst()) where before == .word("code") || before == .word("status") {
      if case .number(let number) = word, (100..<1_000).contains(number) {
        return EnrollmentStatusCode(rawValue: UInt32(number))
      }
    }
    return nil
  }
}

extension FieldLogSentence.Meaning: CustomStringConvertible {
  /// What a sentence says, in a phrase; places are in capitals.
  public var description: String {
    switch self {
    case .answer(let request): "answer to \(request): `STATUS`"
    case .code(let request, let code): "answer to \(request): \(code.rawValue)"
    case .request(let request): "request: whose \(request) follows"
    case .wipe: "the account is wiped, for the reason at `REASON`"
    case .wipeCompleted: "the account's data is gone"
    case .settingNotMet: "the launch condition of `SETTING` is not met"
    case .condition(let rule, let outcome): "`\(rule.id)` is not met: \(outcome.name)"
    case .tokenDenied: "a token is refused: -50004 and -50002"
    case .remediationQueued: "a remediation waits"
    case .known(let reason): "no event: \(reason)"
    }
  }
}

extension FieldLogSentence.Request: CustomStringConvertible {
  /// The request in words.
  public var description: String {
    switch self {
    case .enrollment: "enrollment"
    case .checkIn: "check-in"
    case .unenrollment: "unenrollment"
    case .either: "enrollment or check-in"
    }
  }
}
