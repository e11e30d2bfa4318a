/// A range of a history, both ends included.
public struct NamedRange: Equatable, Sendable {
  /// Where it begins.
  public var lower: NamedPosition
  /// Where it ends.
  public var upper: NamedPosition

  /// The whole history.
  public static let all = NamedRange(lower: .start, upper: .end)

  /// Both ends are included.
  public init(lower: NamedPosition, upper: NamedPosition) {
    self.lower = lower
    self.upper = upper
  }

  /// Parses `A..B`, `A..`, `..B`, or a single position, which covers just itself: `2020-06` is a whole month.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - type: An event type of the domain, which errors name as an example; `nil` for none.
  public init(_ text: String, example type: String? = nil) throws(PositionError) {
    guard let dots = Self.dots(in: text) else {
      let position = try NamedPosition(text, example: type)
      self.init(lower: position, upper: position)
      return
    }
    let first = String(text[..<dots.lowerBound])
    let second = String(text[dots.upperBound...])
    self.init(
      lower: first.isEmpty ? .start : try NamedPosition(first, example: type),
      upper: second.isEmpty ? .end : try NamedPosition(second, example: type))
  }

  /// Whether `text` is written as a range, with two dots.
  public static func isRange(_ text: String) -> Bool { dots(in: text) != nil }

  private static func dots(in text: String) -> Range<String.Index>? {
    text.indices.lazy.compactMap { index -> Range<String.Index>? in
      let next = text.index(after: index)
      guard text[index] == ".", next < text.endIndex, text[next] == "." else { return nil }
      return index..<text.index(after: next)
    }.first
  }
}
