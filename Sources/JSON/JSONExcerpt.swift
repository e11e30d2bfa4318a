/// Pieces of a document in messages: quoted, shortened and safe to print on a terminal.
public enum JSONExcerpt {
  /// The longest piece that is shown, in Unicode scalars.
  static let longest = 48

  /// The text in double quotes, with control characters escaped; what is longer than 48 characters is cut with `…`.
  public static func quoted(_ text: String) -> String {
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

  /// A character as a phrase: `"x"`, or `U+0007` when it cannot be printed.
  static func character(_ scalar: Unicode.Scalar) -> String {
    guard JSONEscaping.mustEscape(scalar), scalar != "\"", scalar != "\\" else { return "'\(scalar)'" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}
