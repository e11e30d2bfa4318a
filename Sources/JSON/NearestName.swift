/// Finds the name that somebody probably meant.
public enum NearestName {
  /// The name with the fewest edits (insert, remove, replace a letter; case does not count) from `name`, the earlier of
  /// two that are as near; `nil` when none is near: at most a third of the letters may differ.
  public static func of(_ name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars.prefix(65))
    // The cost grows with the product of the lengths, and names come from input.
    guard wanted.count <= 64 else { return nil }
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars.prefix(65))
      let allowed = max(wanted.count, scalars.count) / 3
      guard scalars.count <= 64, abs(scalars.count - wanted.count) <= allowed else { continue }
      let distance = editDistance(wanted, scalars)
      if distance <= allowed, distance < best?.distance ?? .max { best = (distance, candidate) }
    }
    return best?.name
  }

  private static func editDistance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var row = Array(0...other.count)
    for (index, scalar) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in 0..<other.count {
        let replaced = diagonal + (scalar == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
