import SensitiveText

/// Parts of a property list as shown in messages: quoted, shortened and free of control characters.
public enum PropertyListExcerpt {
  /// The longest part shown, in Unicode scalars.
  static let longest = 48

  /// The text in double quotes, with control characters escaped and `(secret)` in place of each secret in its links, truncated
  /// with `…` after 48 characters.
  public static func quoted(_ text: String) -> String {
    let text = TextPrivacy.withoutSecrets(text)
    var result = "\""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      guard index < longest else {
        result += "…"
        break
      }
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A value as a phrase: `the text "YES"`, `the number 7`, `true`, `an array`.
  public static func phrase(_ value: PropertyListValue) -> String {
    switch value.content {
    case .string(let text): "the text \(quoted(text))"
    case .integer(let number): "the number \(number)"
    case .unsigned(let number): "the number \(number)"
    case .real(let number): "the number \(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .date: "a date"
    case .data(let bytes): "data of \(bytes.count) byte\(bytes.count == 1 ? "" : "s")"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}
