/// A pattern for paths in a state that matches the path itself and everything below it.
public struct PathPattern: Equatable, Sendable {
  private let exact: Glob
  private let below: Glob
  /// What the first name in a path must match.
  private let first: Glob

  /// `pattern` describes the path itself.
  public init(_ pattern: Glob) {
    var text = pattern.pattern
    while text.hasSuffix("/") { text.removeLast() }
    if !text.hasPrefix("/") { text = "/" + text }
    if text == "/" { text = "" }
    exact = Glob(text)
    below = Glob(text + "/*")
    let names = text.split(separator: "/", maxSplits: 1)
    // A star reaches beyond the name in which it stands.
    first = Glob(names.first.map { $0.contains("*") ? "*" : String($0) } ?? "*")
  }

  /// Whether the pattern matches `path` or one of its parents.
  public func matches(_ path: String) -> Bool { exact.matches(path) || below.matches(path) }

  /// The places of the names with which a matching path can begin.
  public func slices(of names: [String]) -> [Int] { names.indices.filter { first.matches(names[$0]) } }

  /// Whether the pattern contains neither `*` nor `?`.
  public var isLiteral: Bool { exact.isLiteral }

  /// The pattern as it was written, with a slash before every name.
  public var text: String { exact.pattern.isEmpty ? "/" : exact.pattern }
}
