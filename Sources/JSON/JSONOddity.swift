/// What a tolerant parser found that is no JSON, and what became of it.
package struct JSONOddity: Equatable, Sendable {
  /// What became of it.
  package enum Outcome: Equatable, Sendable {
    /// It changes no value.
    case passedOver
    /// Something else was taken for it: a phrase.
    case taken(String)
    /// A part of the value is lost.
    case lost
  }

  /// Why it is no JSON, with its first place.
  package let error: JSONError
  /// What became of it.
  package let outcome: Outcome
  /// How often it was found: what concerns the text rather than one value is counted, and not repeated.
  package var count = 1

  /// Whether it concerns the text rather than one value.
  package var isAboutText: Bool {
    switch error.code {
    case .comment, .trailingComma, .unexpectedCharacter: true
    case .empty, .unexpectedEnd, .missingComma, .missingColon, .duplicateMember, .invalidNumber, .invalidEscape,
      .loneSurrogate, .controlCharacter, .invalidEncoding, .unsupportedEncoding, .tooDeep, .tooLong, .trailingContent,
      .missingMember, .unknownMember, .wrongType, .outOfRange, .invalidValue:
      false
    }
  }
}
