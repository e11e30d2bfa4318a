/// Texts that a template or a guide leaves to be replaced.
package enum TemplateText {
  /// Whether a text states that it must be replaced: `replace_with_…`, `YOUR_TENANT_ID`, `<client id>`, `APP-ID-…`, `TODO`, or a
  /// script variable such as `$name` or `${name}`.
  package static func mustBeReplaced(_ text: String) -> Bool {
    let lower = text.lowercased()
    if ["replace_with", "replace-with", "replace:", "replace_me", "replace-me"].contains(where: lower.hasPrefix) {
      return true
    }
    if text.hasPrefix("APP-ID-") || ["changeme", "change_me", "change-me"].contains(lower) { return true }
    if text.hasPrefix("TODO") { return text.dropFirst(4).first.map { !$0.isLetter } ?? true }
    if namesReplacement(lower) { return true }
    guard text.hasPrefix("$"), let first = text.dropFirst().first else { return false }
    let name = text.dropFirst()
    for (open, close) in [("{", "}"), ("(", ")")] where name.hasPrefix(open) { return name.hasSuffix(close) }
    return (first.isLetter || first == "_") && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// What guides write where an organization has something of its own.
  private static let owned: Set<String> = [
    "tenant", "tenantid", "client", "clientid", "app", "appid", "application", "applicationid", "bundle", "bundleid",
    "domain", "company", "organization", "group", "groupid", "object", "objectid", "redirect", "redirecturi", "scheme",
    "authority", "user", "package", "team", "teamid", "account", "name", "id", "uri", "url", "here", "directory",
  ]

  /// Whether a part of a text between marks is such a name: `YOUR_TENANT_ID` or `your-client-id`, also inside a link, or
  /// `<tenant id>` and `[your app]`.
  private static func namesReplacement(_ lower: String) -> Bool {
    for (open, close) in [("<", ">"), ("[", "]")] as [(Character, Character)] {
      if let start = lower.firstIndex(of: open), let end = lower[start...].firstIndex(of: close) {
        let inside = words(lower[lower.index(after: start)..<end])
        let own = inside.first == "your" ? inside.dropFirst() : inside[...]
        if !own.isEmpty, inside.first == "your" || open == "<", own.allSatisfy(owned.contains) { return true }
      }
    }
    return lower.split { "/:.@?&=;, ".contains($0) }.contains { part in
      // With blanks it is a sentence.
      let words = words(part)
      return words.count > 1 && ["your", "insert", "enter"].contains(words[0])
        && words.dropFirst().allSatisfy(owned.contains)
    }
  }

  private static func words(_ text: Substring) -> [String] {
    text.split { "_- ".contains($0) }.map(String.init)
  }
}
