import SensitiveText

/// Parts of a document as shown in messages: quoted, shortened and safe to print on a terminal.
public enum JSONExcerpt {
  /// The longest part shown, in Unicode scalars.
  static let longest = 48

  /// Whether to show parts that may identify a person. They are withheld except within an operation run by
  /// `$showsPersons.withValue(true)`.
  @TaskLocal public static var showsPersons = false

  /// The placeholder for a withheld part.
  public static let withheld = "(withheld)"

  /// Whether a text may identify someone and is therefore withheld: it contains an `@` that does not begin an OData annotation,
  /// as in a user principal name, a link that names a tenant, or a GUID, such as an object id.
  public static func isWithheld(_ text: String) -> Bool {
    !showsPersons && (TextPrivacy.identifies(text) || TextPrivacy.containsGUID(text))
  }

  /// Whether a text contains an `@` other than before the name of an annotation of OData's.
  public static func containsAddress(_ text: String) -> Bool { TextPrivacy.containsAddress(text) }

  /// The text in double quotes, with control characters escaped, truncated with `…` after 48 characters.
  ///
  /// Text that may identify someone becomes `(withheld)`: see ``showsPersons``. Secrets in links become `(secret)` in any case.
  public static func quoted(_ text: String) -> String {
    guard !isWithheld(text) else { return withheld }
    let text = TextPrivacy.withoutSecrets(text)
    var bytes: [UInt8] = [0x22]
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < longest else {
        bytes.append(contentsOf: "…".utf8)
        break
      }
      JSONEscaping.append(scalar, to: &bytes)
      count += 1
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A value as a phrase: `the text "yes"`, `the number 7`, `true`, `null`, `an object`, `an array`.
  public static func phrase(_ value: JSONValue) -> String {
    switch value.content {
    case .string(let text): "the text \(quoted(text))"
    case .number(let number): "the number \(number.text.utf8.count <= longest ? number.text : "of many digits")"
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    case .object: "an object"
    case .array: "an array"
    }
  }

  /// A character as a phrase: `"x"`, or `U+0007` if it cannot be printed.
  static func character(_ scalar: Unicode.Scalar) -> String {
    guard JSONEscaping.mustEscape(scalar), scalar != "\"", scalar != "\\" else { return "'\(scalar)'" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
