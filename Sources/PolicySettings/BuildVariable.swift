/// Build variables such as `$(PRODUCT_BUNDLE_IDENTIFIER)` or `${PRODUCT_NAME}`, which Xcode replaces when it builds an app.
enum BuildVariable {
  /// The variables that stand for the bundle identifier.
  private static let identifiers: Set<Substring> = ["PRODUCT_BUNDLE_IDENTIFIER", "CFBundleIdentifier"]

  /// A text whose variables are replaced; one that is not closed stays. A modifier may follow the name:
  /// `$(NAME:rfc1034identifier)`.
  static func expanding(
    in text: String, with replace: (_ name: Substring, _ modifier: Substring) -> String
  ) -> String {
    var result = ""
    var rest = text[...]
    // What has no end is looked for once.
    var unclosed: Set<Character> = []
    while let start = rest.firstIndex(of: "$") {
      let open = rest.index(after: start)
      let bracket = open < rest.endIndex ? rest[open] : " "
      guard bracket == "(" || bracket == "{", !unclosed.contains(bracket),
        let end = rest[open...].firstIndex(of: bracket == "(" ? ")" : "}")
      else {
        unclosed.insert(bracket)
        result += rest[...start]
        rest = rest[open...]
        continue
      }
      let whole = rest[rest.index(after: open)..<end]
      let name = whole.prefix { $0 != ":" }
      result += rest[..<start] + replace(name, whole[name.endIndex...])
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// A text with the bundle identifier, if it is known, in place of its variables; others stay.
  static func resolving(_ text: String, identifier: String?) -> String {
    guard let identifier else { return text }
    return expanding(in: text) { name, _ in identifiers.contains(name) ? identifier : "$(\(name))" }
  }

  /// Whether a text is one variable and nothing else.
  static func isAll(of text: String) -> Bool { expanding(in: text) { _, _ in "" }.isEmpty && !text.isEmpty }

  /// Whether a text is the variable of the bundle identifier.
  static func isIdentifier(_ text: String) -> Bool {
    expanding(in: text) { name, _ in identifiers.contains(name) ? "" : "?" }.isEmpty && !text.isEmpty
  }
}

extension String {
  /// Whether the text contains a build variable, so that what it says is not known yet.
  var hasBuildVariable: Bool { contains("$(") || contains("${") }
}
