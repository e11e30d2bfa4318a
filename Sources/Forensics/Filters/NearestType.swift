import PlainText

/// Finds the event type that a misspelt pattern probably refers to.
enum NearestType {
  /// The nearest type, or the most frequent of several equally near; `nil` if none is near.
  static func of(_ pattern: Glob, among counts: [String: UInt64]) -> String? {
    let types = counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    if pattern.isLiteral, let type = EditDistance.nearest(to: pattern.pattern, in: types, limit: 1).first {
      return type
    }
    // For a pattern such as polcy.*, compares the word before the dot.
    let word = pattern.pattern.split(separator: ".", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    let subjects = types.map { String($0.prefix { $0 != "." }) }
    guard let subject = EditDistance.nearest(to: word, in: subjects, limit: 1).first else { return nil }
    return types.first { $0.hasPrefix(subject + ".") || $0 == subject }
  }
}
