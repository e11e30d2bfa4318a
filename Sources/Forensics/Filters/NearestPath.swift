import PlainText

/// Finds the path in a state that a misspelt one probably refers to.
public enum NearestPath {
  /// The nearest of `paths`. Components are compared from the left with those at the same depth; if one has no near
  /// match, the result is the path up to it. `nil` if not even the first component has one. A hint reveals no person, also where
  /// `redaction` does.
  public static func of(_ path: String, among paths: [String], _ redaction: Redaction = .on) -> String? {
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
    return found.isEmpty ? nil : redaction.withoutPersons.shown(statePath: "/" + found.joined(separator: "/"))
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
