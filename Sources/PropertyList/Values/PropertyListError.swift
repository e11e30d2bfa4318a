/// Why a file is not a property list: place, reason and next step.
public struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of error.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// The file is empty.
    case empty
    /// The file is neither XML nor a binary property list.
    case unknownFormat
    /// The file is longer than the limit.
    case tooLong
    /// Values are nested deeper than the limit.
    case tooDeep
    /// The file has more values than the limit, counting one that is referred to twice as two.
    case tooMany
    /// A key occurs twice in one dictionary.
    case duplicateKey
    /// An edit does not fit the file.
    case unfitEdit

    /// XML: the text is in an encoding other than UTF-8 and UTF-16.
    case unsupportedEncoding
    /// XML: the bytes are not valid in the text's encoding.
    case invalidEncoding
    /// XML: the text ends prematurely.
    case unexpectedEnd
    /// XML: a tag, a comment or an instruction is not well formed.
    case malformedMarkup
    /// XML: the document type contains declarations.
    case ownDeclarations
    /// XML: a reference does not name a character.
    case unknownEntity
    /// A character that the format does not allow.
    case invalidCharacter
    /// XML: a tag that property lists do not use, or not in this place.
    case unexpectedTag
    /// XML: text where only tags are allowed.
    case unexpectedText
    /// XML: a C preprocessor directive; the preprocessor has not run yet.
    case preprocessed
    /// XML: a value in a dictionary has no key, or a key has no value.
    case incompleteEntry
    /// The text of a number is malformed, or the number is out of range.
    case invalidNumber
    /// The text of a date is malformed.
    case invalidDate
    /// The text of data is not Base64.
    case invalidData
    /// XML: something follows the property list.
    case trailingContent

    /// Binary: the trailer contradicts the file's length or itself.
    case invalidTrailer
    /// Binary: a reference names an object that does not exist.
    case invalidReference
    /// Binary: an object extends past the end of the objects.
    case truncatedObject
    /// Binary: an object contains itself.
    case cycle
    /// Binary: an object of a kind that property lists of apps do not use.
    case unsupportedObject
    /// Binary: the key of a dictionary is not text.
    case invalidKey
  }

  /// The kind of error.
  public let code: Code
  /// The place in the file.
  public let position: PropertyListPosition
  /// The value concerned.
  public let path: PropertyListPath
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  init(
    _ code: Code, at position: PropertyListPosition, path: PropertyListPath = PropertyListPath(), _ message: String,
    remedy: String
  ) {
    self.code = code
    self.position = position
    self.path = path
    self.message = message
    self.remedy = remedy
  }

  /// Place, reason and next step in one line: `line 3, column 5: IntuneMAMSettings.MultiIdentity: … ; …`.
  ///
  /// Excerpts of the file are quoted, shortened and free of control characters.
  public var description: String {
    let place = path.components.isEmpty ? "\(position)" : "\(position): \(path)"
    return "\(place): \(message); \(remedy)"
  }
}
