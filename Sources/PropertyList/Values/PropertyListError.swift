/// Why a file is not a property list: the place, the reason and the next step.
public struct PropertyListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of trouble it is.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// There is nothing in the file.
    case empty
    /// The file is neither XML nor a binary property list.
    case unknownFormat
    /// The file is longer than the limit.
    case tooLong
    /// Values are nested deeper than the limit.
    case tooDeep
    /// There are more values than the limit, counting one that is referred to twice as two.
    case tooMany
    /// A key stands twice in one dictionary.
    case duplicateKey

    /// XML: the text is in an encoding other than UTF-8 and UTF-16.
    case unsupportedEncoding
    /// XML: the bytes are not valid in the text's encoding.
    case invalidEncoding
    /// XML: the text ends in the middle of something.
    case unexpectedEnd
    /// XML: a tag, a comment or an instruction is not well formed.
    case malformedMarkup
    /// XML: the document type declares something of its own.
    case ownDeclarations
    /// XML: a reference names no character.
    case unknownEntity
    /// A character that the format does not allow.
    case invalidCharacter
    /// XML: a tag that property lists do not know, or not in this place.
    case unexpectedTag
    /// XML: text stands where only tags may.
    case unexpectedText
    /// XML: a directive of the C preprocessor, which has not run yet.
    case preprocessed
    /// XML: a value in a dictionary has no key, or a key has no value.
    case incompleteEntry
    /// The text of a number, or its range.
    case invalidNumber
    /// The text of a date.
    case invalidDate
    /// The text of data is not Base64.
    case invalidData
    /// XML: something follows the property list.
    case trailingContent

    /// Binary: the trailer contradicts the file's length or itself.
    case invalidTrailer
    /// Binary: an object is referred to that is not there.
    case invalidReference
    /// Binary: an object reaches beyond the place where objects end.
    case truncatedObject
    /// Binary: an object contains itself.
    case cycle
    /// Binary: an object of a kind that property lists of apps do not have.
    case unsupportedObject
    /// Binary: the key of a dictionary is no text.
    case invalidKey
  }

  /// What kind of trouble it is.
  public let code: Code
  /// Where it is in the file.
  public let position: PropertyListPosition
  /// Which value it concerns.
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
