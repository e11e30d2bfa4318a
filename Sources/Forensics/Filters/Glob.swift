/// A pattern in which `*` matches any characters and `?` exactly one; everything else matches itself, ignoring case.
public struct Glob: Equatable, Sendable {
  /// The pattern as it was written.
  public let pattern: String
  private let scalars: [Unicode.Scalar]

  /// Accepts any text.
  public init(_ pattern: String) {
    self.pattern = pattern
    scalars = Array(pattern.lowercased().unicodeScalars)
  }

  /// Whether the pattern contains neither `*` nor `?`.
  public var isLiteral: Bool { !scalars.contains("*") && !scalars.contains("?") }

  /// Whether the pattern matches all of `text`. O(pattern × text) in the worst case.
  public func matches(_ text: String) -> Bool {
    let text = Array(text.lowercased().unicodeScalars)
    var position = 0
    var index = 0
    // Where to resume after the last star if what follows it does not match.
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
