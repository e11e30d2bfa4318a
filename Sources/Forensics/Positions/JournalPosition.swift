/// A journal and a position in it, written `JOURNAL@POSITION`; without `@`, the journal's end.
public struct JournalPosition: Equatable, Sendable {
  /// The path of the journal.
  public var path: String
  /// The position in the journal; `nil` if none was given.
  public var position: NamedPosition?

  /// A `position` of `nil` means the journal's end.
  public init(path: String, position: NamedPosition?) {
    self.path = path
    self.position = position
  }

  /// Parses a journal's path and a position, separated by the last `@`; the path may itself contain `@`. No position has a
  /// slash in it, so that a folder's name with an `@` is part of the path.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - type: An event type of the domain, which errors name as an example; `nil` for none.
  public init(_ text: String, example type: String? = nil) throws(PositionError) {
    guard let sign = text.lastIndex(of: "@"), !text[sign...].contains("/") else {
      path = text
      return
    }
    path = String(text[..<sign])
    guard !path.isEmpty else {
      throw PositionError(
        .malformed, "\"\(text)\" has no journal before \"@\"", remedy: "write JOURNAL@POSITION, such as field.pj@42")
    }
    position = try NamedPosition(String(text[text.index(after: sign)...]), example: type)
  }
}
