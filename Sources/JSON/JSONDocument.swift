/// A parsed JSON text.
///
/// The parser is strict (RFC 8259), unless a document from people asks for more: no comments, no trailing commas, no duplicate
/// names, no lone surrogates. It accepts
/// UTF-8 and UTF-16 in both byte orders, with or without a byte order mark, because policy exports come in all of them.
public struct JSONDocument: Equatable, Sendable {
  /// The encoding of a text's characters.
  public enum Encoding: String, Equatable, Sendable {
    /// One to four bytes per character.
    case utf8 = "UTF-8"
    /// Two-byte units, low byte first.
    case utf16LittleEndian = "UTF-16LE"
    /// Two-byte units, high byte first.
    case utf16BigEndian = "UTF-16BE"
  }

  /// What the parser accepts; anything beyond is an error, never a crash.
  public struct Limits: Equatable, Sendable {
    /// The longest text accepted, in bytes.
    public var bytes: Int
    /// The deepest nesting of objects and arrays. The outermost value has depth 1.
    public var depth: Int

    /// 64 MiB and 256 levels by default. `depth` is capped at 512, because the parser's stack is bounded.
    public init(bytes: Int = 64 << 20, depth: Int = 256) {
      self.bytes = bytes
      self.depth = min(depth, 512)
    }
  }

  /// The outermost value.
  public let value: JSONValue
  /// The encoding of the text as received.
  public let encoding: Encoding

  /// The outermost value, as a starting point for a decoder.
  public var root: JSONNode { JSONNode(value) }

  /// Parses a JSON text. Time and memory are proportional to its length.
  ///
  /// - Throws: ``JSONError`` with the line and column of the first invalid character.
  public static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONDocument {
    let source = try source(bytes, limits)
    var parser = JSONParser(source, depthLimit: limits.depth)
    return JSONDocument(value: try parser.document(), encoding: source.encoding)
  }

  /// Parses a text that people or programs may have written as something like JSON, and says what in it is none.
  ///
  /// What has one meaning is taken for it; a value that has none becomes a text that begins with U+007F, and perhaps the reason.
  ///
  /// - Throws: ``JSONError`` as the strict parser does, if the text cannot be understood either.
  package static func parse(
    tolerating bytes: [UInt8], limits: Limits = Limits()
  ) throws(JSONError) -> (document: JSONDocument, oddities: [JSONOddity]) {
    do throws(JSONError) {
      return (try parse(bytes, limits: limits), [])
    } catch {
      guard let source = try? Self.source(bytes, limits) else { throw error }
      var parser = JSONParser(source, depthLimit: limits.depth, isTolerant: true)
      guard let value = try? parser.document() else { throw error }
      return (JSONDocument(value: value, encoding: source.encoding), parser.oddities)
    }
  }

  /// Parses a JSON text held in a string.
  public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONDocument {
    try parse(Array(text.utf8), limits: limits)
  }

  /// Parses a JSON text whose outermost object has a long array. It is checked like the rest and is empty in the document;
  /// its elements are read again from the text, one at a time.
  ///
  /// - Parameter member: The name of the array.
  /// - Returns: The outermost value, and the elements: none if the member is missing or not an array.
  package static func parse(
    _ bytes: [UInt8], streaming member: String, limits: Limits = Limits()
  ) throws(JSONError) -> (root: JSONNode, elements: JSONElements) {
    let source = try source(bytes, limits)
    var parser = JSONParser(source, depthLimit: limits.depth, streaming: member)
    let root = JSONNode(try parser.document())
    return (root, parser.elements ?? JSONElements(source, depthLimit: limits.depth))
  }

  private static func source(_ bytes: [UInt8], _ limits: Limits) throws(JSONError) -> JSONSource {
    guard bytes.count <= limits.bytes else {
      throw JSONError(
        .tooLong, at: JSONPosition(line: 1, column: 1, offset: 0), path: JSONPath(),
        message: "the text has \(bytes.count) bytes, more than the limit of \(limits.bytes)",
        remedy: "split the document")
    }
    return try JSONSource(bytes)
  }
}
