/// Texts of a policy that are lists.
public enum PolicyText {
  /// The entries of a semicolon-separated list, without surrounding spaces and without empty ones.
  public static func list(_ text: String, separator: Character = ";") -> [String] {
    text.split(separator: separator).compactMap { entry in
      let start = entry.drop { $0 == " " }
      let length = start.reversed().drop { $0 == " " }.count
      return length == 0 ? nil : String(start.prefix(length))
    }
  }

  /// The entries in both of two semicolon-separated lists, ignoring case and spaces.
  static func common(_ one: String, _ other: String) -> String {
    common(list(one), list(other)).map { $0 + ";" }.joined()
  }

  /// The entries in both lists, ignoring case, in the order of the first.
  static func common(_ one: [String], _ other: [String]) -> [String] {
    let others = Set(other.map { $0.lowercased() })
    return one.filter { others.contains($0.lowercased()) }
  }
}
