import Spelling

/// Finds the path in a state that somebody probably meant.
public enum NearestPath {
  /// The nearest of `paths`: each component is compared with those that stand at its place, from the left; where one has
  /// nothing near, the part up to there is the answer. `nil` when not even the first is near.
  public static func of(_ path: String, among paths: [String]) -> String? {
    let wanted = path.split(separator: "/").map(String.init)
    var candidates = paths.map { $0.split(separator: "/").map(String.init) }
    var found: [String] = []
    for (index, component) in wanted.enumerated() {
      candidates = candidates.filter { $0.count > index }
      let names = candidates.map { $0[index] }
      guard
        let name = names.first(where: { $0 == component })
          ?? EditDistance.nearest(to: component, in: unique(names), limit: 1).first
      else {
        break
      }
      found.append(name)
      candidates = candidates.filter { $0[index] == name }
    }
    return found.isEmpty ? nil : "/" + found.joined(separator: "/")
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
