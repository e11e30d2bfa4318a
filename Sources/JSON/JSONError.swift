/// Why a text is not JSON, or why a JSON value is not what a decoder needs: the place, the reason and the next step.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// There is no value in the text.
    case empty
    /// The text ends in the middle of a value.
    case unexpectedEnd
    /// A character stands where JSON allows none of its kind.
    case unexpectedCharacter
    /// A comma stands before a closing bracket.
    case trailingComma
    /// Two elements or members are not parted by a comma.
    case missingComma
    /// A member's name is not followed by a colon.
    case missingColon
    /// An object has two members of one name.
    case duplicateMember
    /// A number has a form that JSON does not know, such as `01`, `+1` or `.5`.
    case invalidNumber
    /// A backslash in a string is followed by something else than an escape.
    case invalidEscape
    /// Half of a surrogate pair stands alone, which is no character.
    case loneSurrogate
    /// A control character stands in a string without being escaped.
    case controlCharacter
    /// The bytes are not valid in the text's encoding.
    case invalidEncoding
    /// The text is in an encoding other than UTF-8 and UTF-16.
    case unsupportedEncoding
    /// A comment stands in the text; JSON has none.
    case comment
    /// Values are nested deeper than the limit.
    case tooDeep
    /// The text is longer than the limit.
    case tooLong
    /// Something follows the value.
    case trailingContent
    /// A member that must be there is missing.
    case missingMember
    /// A member stands where nobody would read it.
    case unknownMember
    /// A value has another type than the one needed.
    case wrongType
    /// A number lies outside its range.
    case outOfRange
    /// A value has the right type, but not a form or content that is accepted.
    case invalidValue
  }

  /// What kind of trouble it is.
  public let code: Code
  /// Where it is in the text.
  public let position: JSONPosition
  /// Which value it concerns.
  public let path: JSONPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  /// Creates an error.
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
