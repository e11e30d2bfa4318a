/// A journal and a position in it, written `JOURNAL@POSITION`; without the `@` it is the journal's end.
public struct JournalPosition: Equatable, Sendable {
  /// Where the journal is.
  public var path: String
  /// The position in it; `nil` when none was written.
  public var position: NamedPosition?

  /// Creates a place in a journal.
  public init(path: String, position: NamedPosition?) {
    self.path = path
    self.position = position
  }

  /// Reads a journal's path and a position. The last `@` parts them, so that a path may contain the sign.
  public init(_ text: String) throws(PositionError) {
    guard let sign = text.lastIndex(of: "@") else {
      path = text
      return
    }
    path = String(text[..<sign])
    guard !path.isEmpty else {
      throw PositionError(
        .malformed, "\"\(text)\" names no journal before \"@\"", remedy: "write JOURNAL@POSITION, such as field.pj@42")
    }
    position = try NamedPosition(String(text[text.index(after: sign)...]))
  }
}
