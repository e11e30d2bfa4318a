/// A pattern in which `*` stands for any characters and `?` for one; everything else stands for itself, ignoring case.
public struct Glob: Equatable, Sendable {
  /// The pattern as it was written.
  public let pattern: String
  private let scalars: [Unicode.Scalar]

  /// Creates a pattern. Every text is one.
  public init(_ pattern: String) {
    self.pattern = pattern
    scalars = Array(pattern.lowercased().unicodeScalars)
  }

  /// Whether the pattern contains no `*` and no `?`.
  public var isLiteral: Bool { !scalars.contains("*") && !scalars.contains("?") }

  /// Whether the pattern matches all of `text`. O(pattern × text) at worst.
  public func matches(_ text: String) -> Bool {
    let text = Array(text.lowercased().unicodeScalars)
    var position = 0
    var index = 0
    // Where to go on after the last star when what followed it does not fit.
    var retry: (position: Int, index: Int)?
    while index < text.count {
      if position < scalars.count, scalars[position] == "*" {
        retry = (position + 1, index)
        position += 1
      } else if position < scalars.count, scalars[position] == "?" || scalars[position] == text[index] {
        position += 1
        index += 1
      } else if let last = retry {
        retry = (last.position, last.index + 1)
        position = last.position
        index = last.index + 1
      } else {
        return false
      }
    }
    return scalars[position...].allSatisfy { $0 == "*" }
  }
}
