/// Parts of a document as shown in messages: quoted, shortened and safe to print on a terminal.
public enum JSONExcerpt {
  /// The longest part shown, in Unicode scalars.
  static let longest = 48

  /// Whether to show parts that may identify a person. They are withheld except within an operation run by
  /// `$showsPersons.withValue(true)`.
  @TaskLocal public static var showsPersons = false

  /// The placeholder for a withheld part.
  public static let withheld = "(withheld)"

  /// Whether a text may identify a person and is therefore withheld: it contains an `@` that does not begin an OData
  /// annotation, as in a user principal name, or a GUID, such as an object id.
  public static func isWithheld(_ text: String) -> Bool {
    !showsPersons && (containsAddress(text) || containsGUID(text))
  }

  /// The names of OData's annotations, behind `@odata.` (OData JSON Format 4.01, 4.6; 4.0, 4.5 and 8.5).
  private static let annotations = [
    "associationLink", "bind", "collectionAnnotations", "context", "count", "deltaLink", "editLink", "etag", "id",
    "mediaContentType", "mediaEditLink", "mediaEtag", "mediaReadLink", "metadataEtag", "navigationLink", "nextLink",
    "readLink", "removed", "type",
  ]

  /// Whether a text contains an `@` other than before the name of an annotation of OData's.
  public static func containsAddress(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return false }
    return text.split(separator: "@", omittingEmptySubsequences: false).dropFirst().contains { rest in
      !annotations.contains { name in
        guard rest.hasPrefix("odata.\(name)") else { return false }
        return rest.dropFirst(name.count + 6).unicodeScalars.first.map { !$0.properties.isAlphabetic && $0 != "." }
          ?? true
      }
    }
  }

  /// Whether a text contains hexadecimal digits grouped as 8-4-4-4-12.
  private static func containsGUID(_ text: String) -> Bool {
    let lengths = [8, 4, 4, 4, 12]
    var groups: [Int] = []
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x46, 0x61...0x66:
        digits += 1
        if digits == 12, groups.suffix(4) == lengths.prefix(4) { return true }
      case UInt8(ascii: "-"):
        // The first group may be preceded by more digits.
        groups.append(groups.isEmpty || groups.count >= 4 ? min(digits, 8) : digits)
        groups = Array(groups.suffix(4))
        digits = 0
      default:
        groups.removeAll()
        digits = 0
      }
    }
    return false
  }

  /// The text in double quotes, with control characters escaped, truncated with `…` after 48 characters.
  ///
  /// Text that may identify a person becomes `(withheld)`: see ``showsPersons``.
  public static func quoted(_ text: String) -> String {
    guard !isWithheld(text) else { return withheld }
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
