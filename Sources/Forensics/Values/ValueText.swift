import EventSourcing
import PlainText

/// The text form of state values and event fields, defined here only.
///
/// Text is returned exactly as recorded, control characters included; code that prints to a terminal must escape them.
public struct ValueText: Sendable {
  /// Decides which values are shown.
  public let redaction: Redaction

  /// `redaction` decides which values are shown.
  public init(_ redaction: Redaction) {
    self.redaction = redaction
  }

  /// A state value: `true`, `42`, `enrolled`, `"two words"`, `2026-10-05T10:14:41Z`, `PT30M`, `[sharePoint, oneDrive]`,
  /// or `unset` for none.
  public func text(_ value: StateValue?) -> String {
    String(utf8: { append(value, to: &$0) })
  }

  /// Appends the text of a state value.
  package func append(_ value: StateValue?, to bytes: inout [UInt8]) {
    switch value {
    case nil, .unset?: bytes.append(literal: "unset")
    case .bool(let flag)?: bytes.append(literal: flag ? "true" : "false")
    case .integer(let number)?: bytes.append(number)
    case .name(let name)?: bytes.append(redaction.shown(name) ?? redaction.placeholder(for: .account))
    case .text(let text)?:
      bytes.append(redaction.shown(text).map(Self.quotedIfNeeded) ?? redaction.placeholder(for: .account))
    case .personal(let text, let privacy)?:
      bytes.append(redaction.shown(text, privacy).map(Self.quotedIfNeeded) ?? redaction.placeholder(for: privacy))
    case .sealed(mark: _, let isErased)?: bytes.append(literal: isErased ? "‹erased›" : "‹sealed›")
    case .time(let nanoseconds)?: CivilTime(nanoseconds: nanoseconds).appendText(to: &bytes)
    case .duration(let nanoseconds)?: SpanText.append(iso8601: nanoseconds, to: &bytes)
    case .sequence(let sequence)?: bytes.append(sequence)
    case .list(let values)?:
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(literal: ", ") }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// Appends a change: its path and both values.
  package func append(_ change: StateChange, to bytes: inout [UInt8]) {
    bytes.append(redaction.shown(statePath: change.path))
    bytes.append(literal: ": ")
    append(change.before, to: &bytes)
    bytes.append(literal: " → ")
    append(change.after, to: &bytes)
  }

  /// A value of an event's field, in the same forms; bytes become hexadecimal digits, and a message is put in braces.
  public func text(_ value: MessageFields.Value, _ privacy: Privacy) -> String {
    // Accounts and embedded messages are exempt: an account number is not secret, and the fields of a message have
    // classes of their own.
    if case .message(let message) = value {
      return "{" + fields(message).map { "\($0.name): \($0.text)" }.joined(separator: ", ") + "}"
    }
    if case .sealed = value { return text(StateValue(value)) }
    guard redaction.shows(privacy) else { return redaction.placeholder(for: privacy) }
    switch value {
    case .unknown(_, let bytes): return "bytes " + Self.hexadecimal(bytes)
    case .undecodable(let bytes, let error):
      // Bytes that do not match the schema may hold anything, including personal data.
      return "undecodable (\(error))" + (redaction.revealsAccounts ? ": \(Self.hexadecimal(bytes))" : "")
    case .json(let text): return redaction.shown(json: text) ?? redaction.placeholder(for: .account)
    case .unsigned(let number): return String(number)
    case .bool, .signed, .text, .bytes, .guid, .sealed, .time, .duration, .double, .date, .reference, .sequence,
      .enumeration, .message:
      return text(StateValue(value))
    }
  }

  /// The fields of a message as names and texts, in order. A field without a name is identified by its number.
  public func fields(_ message: MessageFields) -> [(name: String, text: String)] {
    var result: [(name: String, text: String)] = []
    for field in message.fields {
      let texts = field.values.map { text($0, field.privacy) }
      let joined = field.isRepeated ? "[" + texts.joined(separator: ", ") + "]" : texts.first ?? ""
      result.append((field.name ?? "field \(field.number)", joined))
    }
    if let error = message.error { result.append(("rest", "undecodable (\(error))")) }
    return result
  }

  /// A single plain word unchanged, anything else in double quotes, so that its extent is visible.
  static func quotedIfNeeded(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && (text.utf8.allSatisfy(isPlainASCII)
        || text.unicodeScalars.allSatisfy { scalar in
          scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || ".,_-+@/:#%&*~".unicodeScalars.contains(scalar)
        })
    // A word that could be mistaken for another kind of value is quoted too.
    if isPlain && !["unset", "true", "false"].contains(text) { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  /// Whether an ASCII character stands in a plain word: what Unicode says of letters and digits, without asking it.
  private static func isPlainASCII(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "*")...UInt8(ascii: ":"), UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "@"), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Bytes as lower-case hexadecimal digits.
  public static func hexadecimal(_ bytes: [UInt8]) -> String {
    String(utf8: { $0.append(hexadecimal: bytes) })
  }
}

extension StateValue {
  /// An event field's value as a state value; a message, an unknown or an undecodable field becomes ``unset``. A number
  /// that does not fit in a signed 64-bit integer becomes text.
  init(_ value: MessageFields.Value) {
    self =
      switch value {
      case .bool(let flag): .bool(flag)
      case .unsigned(let number): Int64(exactly: number).map(StateValue.integer) ?? .text(String(number))
      case .signed(let number): .integer(number)
      case .text(let text), .json(let text): .text(text)
      case .bytes(let bytes): .name(ValueText.hexadecimal(bytes))
      case .guid(let bytes): .name(GUIDText.text(bytes))
      case .sealed(let value): .sealed(mark: value.mark, isErased: false)
      case .time(let nanoseconds): .time(nanoseconds)
      case .duration(let nanoseconds): .duration(nanoseconds)
      case .double(let number): .name("\(number)")
      case .date(let date): .name(date.description)
      case .reference(let number, let kind): .name(kind.text(number))
      case .sequence(let sequence): .sequence(sequence)
      case .enumeration(let number, let name): .name(name ?? String(number))
      case .message, .unknown, .undecodable: .unset
      }
  }
}

/// The text form of the sixteen bytes of a GUID.
enum GUIDText {
  /// `8-4-4-4-12` lower-case digits; any length other than sixteen bytes yields plain hexadecimal digits.
  static func text(_ bytes: [UInt8]) -> String { GUID(bytes: bytes)?.description ?? ValueText.hexadecimal(bytes) }
}
