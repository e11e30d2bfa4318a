/// Why a text is not JSON, or why a JSON value is not what a decoder expects: place, reason and next step.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// The text contains no value.
    case empty
    /// The text ends in the middle of a value.
    case unexpectedEnd
    /// A character is not allowed in its place.
    case unexpectedCharacter
    /// A comma precedes a closing bracket.
    case trailingComma
    /// A comma is missing between two elements or members.
    case missingComma
    /// A member's name is not followed by a colon.
    case missingColon
    /// An object has two members with the same name.
    case duplicateMember
    /// A number has a form that JSON does not know, such as `01`, `+1` or `.5`.
    case invalidNumber
    /// A backslash in a string does not begin an escape.
    case invalidEscape
    /// Half of a surrogate pair on its own, which is not a character.
    case loneSurrogate
    /// A control character in a string is not escaped.
    case controlCharacter
    /// The bytes are not valid in the text's encoding.
    case invalidEncoding
    /// The text is in an encoding other than UTF-8 and UTF-16.
    case unsupportedEncoding
    /// The text contains a comment, which JSON does not allow.
    case comment
    /// Values are nested deeper than the limit.
    case tooDeep
    /// The text is longer than the limit.
    case tooLong
    /// Something follows the value.
    case trailingContent
    /// A required member is missing.
    case missingMember
    /// A member has a name that is not known in its place.
    case unknownMember
    /// A value's type differs from the one required.
    case wrongType
    /// A number lies outside its range.
    case outOfRange
    /// A value has the right type but an unacceptable form or content.
    case invalidValue
  }

  /// The kind of error.
  public let code: Code
  /// The place in the text.
  public let position: JSONPosition
  /// The value concerned.
  public let path: JSONPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// `message` and `remedy` are sentences without a full stop.
  public init(_ code: Code, at position: JSONPosition, path: JSONPath, message: String, remedy: String) {
    self.code = code
    self.position = position
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// Place, reason and next step in one line: `line 3, column 5: apps[0].id: … ; …`.
  ///
  /// Excerpts of the text are quoted, shortened and free of control characters.
  public var description: String {
    let place = path.components.isEmpty ? "\(position)" : "\(position): \(path)"
    return "\(place): \(message); \(remedy)"
  }
}
