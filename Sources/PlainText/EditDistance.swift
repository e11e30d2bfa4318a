/// Measures how far words are apart, and finds the word that a misspelled one probably stands for.
public enum EditDistance {
  /// Longer words, in Unicode scalars, are not compared: the cost grows with the product of the lengths.
  public static let longestWord = 256

  /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other, where
  /// no part is edited twice (restricted Damerau-Levenshtein distance, also known as optimal string alignment).
  ///
  /// O(m·n) time and O(n) memory, in Unicode scalars. The caller bounds the lengths.
  public static func between(_ one: String, _ other: String) -> Int {
    let rows = Array(one.unicodeScalars)
    let columns = Array(other.unicodeScalars)
    var beforeLast = [Int](repeating: 0, count: columns.count + 1)
    var last = Array(0...columns.count)
    for row in rows.indices {
      var current = [row + 1]
      current.reserveCapacity(columns.count + 1)
      for column in columns.indices {
        let replacement = last[column] + (rows[row] == columns[column] ? 0 : 1)
        var best = min(replacement, last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, rows[row] == columns[column - 1], rows[row - 1] == columns[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[columns.count]
  }

  /// The candidates that `word` probably stands for, nearest first, at most `limit` of them.
  ///
  /// A candidate qualifies if at most a third of `word` (but at least one letter) needs an edit, if `word` has two or
  /// more letters and is a prefix of it, or if `word` has no dot and qualifies for the part before the candidate's
  /// first dot, as `polcy` does for `policy.received`. It must also be at most one edit farther than the nearest. Case
  /// is ignored. Of equally near candidates, those that share the first letter of `word` come first; otherwise they
  /// keep their order, and duplicates are dropped. A `word` longer than ``longestWord`` has no nearest candidate.
  public static func nearest(to word: String, in candidates: some Sequence<String>, limit: Int = 3) -> [String] {
    let typed = word.lowercased()
    let length = typed.unicodeScalars.count
    guard length > 0, length <= longestWord, limit > 0 else { return [] }
    let threshold = max(1, length / 3)
    var found: [(name: String, distance: Int, differsAtOnce: Bool)] = []
    for candidate in candidates where !found.contains(where: { $0.name == candidate }) {
      let name = candidate.lowercased()
      let distances = [distance(typed, name, within: threshold), stemDistance(typed, name, within: threshold)]
      guard let distance = distances.compactMap({ $0 }).min() else { continue }
      found.append((candidate, distance, name.unicodeScalars.first != typed.unicodeScalars.first))
    }
    let farthest = 1 + (found.map(\.distance).min() ?? 0)
    // The sort happens to be stable, but this is not guaranteed, so the place in the list breaks ties.
    let order = found.enumerated().filter { $0.element.distance <= farthest }.sorted {
      ($0.element.distance, $0.element.differsAtOnce ? 1 : 0, $0.offset)
        < ($1.element.distance, $1.element.differsAtOnce ? 1 : 0, $1.offset)
    }
    return order.prefix(limit).map(\.element.name)
  }

  private static func distance(_ typed: String, _ name: String, within threshold: Int) -> Int? {
    let length = typed.unicodeScalars.count
    let nameLength = name.unicodeScalars.count
    // A prefix of a name is a likely abbreviation, but a whole word with one typo is likelier.
    if length >= 2, name.hasPrefix(typed) { return nameLength == length ? 0 : 1 }
    guard nameLength <= longestWord, abs(nameLength - length) <= threshold else { return nil }
    let distance = between(typed, name)
    // If every letter differs, the words are not similar.
    return distance <= threshold && distance < max(length, nameLength) ? distance : nil
  }

  private static func stemDistance(_ typed: String, _ name: String, within threshold: Int) -> Int? {
    guard !typed.contains("."), let dot = name.firstIndex(of: ".") else { return nil }
    return distance(typed, String(name[..<dot]), within: threshold).map { $0 + 1 }
  }
}
