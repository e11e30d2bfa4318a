import AppProtection

/// Finds texts left over from a template or a generated example.
extension PolicyLint {
  /// Whether a text is left over: one that a person or a script should have replaced, `… value` after the setting's own
  /// words, or a variable in double braces.
  static func isPlaceholder(_ text: String, in name: String) -> Bool {
    if TemplateText.mustBeReplaced(text) { return true }
    let lower = text.lowercased()
    if lower.contains("{{") && lower.contains("}}") { return true }
    guard lower.hasSuffix(" value") else { return false }
    return lower.dropLast(6).filter { $0 != " " } == name.lowercased()
  }

  /// The first placeholder in a value; `nil` if there is none.
  static func placeholder(in value: PolicyValue, of name: String) -> String? {
    switch value {
    case .text(let text): isPlaceholder(text, in: name) ? text : nil
    case .texts(let texts): texts.first { isPlaceholder($0, in: name) }
    case .pairs(let pairs):
      pairs.lazy.compactMap { pair in
        [(pair.name, "name"), (pair.value, "value")].compactMap { text, name in
          text.flatMap { isPlaceholder($0, in: name) ? $0 : nil }
        }.first
      }.first
    case .apps(let apps): apps.lazy.compactMap(placeholder).first
    case .assignments(let assignments):
      assignments.lazy.compactMap(\.groupID).first { isPlaceholder($0, in: "groupId") }
    case .flag, .number, .duration, .date, .choice, .choices, .flags: nil
    }
  }

  static func placeholder(in app: PolicyApp) -> String? {
    [(app.bundleID, "bundleId"), (app.id, "id")].compactMap { text, name in
      text.flatMap { isPlaceholder($0, in: name) ? $0 : nil }
    }.first
  }
}
