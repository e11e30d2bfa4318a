/// A JSON text and what it says.
///
/// The parser is strict (RFC 8259): no comments, no trailing commas, no duplicate names, no lone surrogates. It accepts
/// UTF-8 and UTF-16 in both byte orders, with or without a byte order mark, because policy exports come in all of them.
public struct JSONDocument: Equatable, Sendable {
  /// How the characters of a text are stored.
  public enum Encoding: String, Equatable, Sendable {
    /// One to four bytes for a character.
    case utf8 = "UTF-8"
    /// Units of two bytes, low byte first.
    case utf16LittleEndian = "UTF-16LE"
    /// Units of two bytes, high byte first.
    case utf16BigEndian = "UTF-16BE"
  }

  /// What is accepted; everything beyond is an error, never a crash.
  public struct Limits: Equatable, Sendable {
    /// How long a text may be, in bytes.
    public var bytes: Int
    /// How deep objects and arrays may be nested. The outermost value has depth 1.
    public var depth: Int

    /// Creates limits: 64 MiB and 256 levels unless told. More than 512 levels are not accepted, whatever is asked for,
    /// because the parser's stack is bounded.
    public init(bytes: Int = 64 << 20, depth: Int = 256) {
      self.bytes = bytes
      self.depth = min(depth, 512)
    }
  }

  /// The outermost value.
  public let value: JSONValue
  /// The encoding in which the text came.
  public let encoding: Encoding

  /// The outermost value as the place from which a decoder starts.
  public var root: JSONNode { JSONNode(value) }

  /// Reads a JSON text. Time and memory are proportional to its length.
  ///
  /// - Throws: ``JSONError`` with the line and column of the first character that does not fit.
  public static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONDocument {
    guard bytes.count <= limits.bytes else {
      throw JSONError(
        .tooLong, at: JSONPosition(line: 1, column: 1, offset: 0), path: JSONPath(),
        message: "the text has \(bytes.count) bytes, more than the limit of \(limits.bytes)",
        remedy: "split the document")
    }
    let source = try JSONSource(bytes)
    var parser = JSONParser(source, depthLimit: limits.depth)
    return JSONDocument(value: try parser.document(), encoding: source.encoding)
  }

  /// Reads a JSON text from a string.
  public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONDocument {
    try parse(Array(text.utf8), limits: limits)
  }
}
