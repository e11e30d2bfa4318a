import JSON
import PropertyList

/// A value in a dump, in whatever form the dump uses. Dumps write one setting as a number and the next as text.
public enum DeviceValue: Equatable, Sendable {
  /// True or false.
  case flag(Bool)
  /// A whole number.
  case number(Int64)
  /// Text.
  case text(String)
  /// A value of a kind that no setting has: a list, a fraction, bytes, or nothing.
  case other(String)

  init(_ value: JSONValue) {
    if let text = value.string {
      self = .text(text)
    } else if let flag = value.bool {
      self = .flag(flag)
    } else if let number = value.number?.integer(Int64.self) {
      self = .number(number)
    } else {
      self = .other(JSONExcerpt.phrase(value))
    }
  }

  init(_ value: PropertyListValue) {
    switch value.content {
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .integer(let number): self = .number(number)
    case .unsigned, .real, .date, .data, .array, .dictionary: self = .other(PropertyListExcerpt.phrase(value))
    }
  }

  /// The value as true or false; a number or a word is converted.
  var flag: Bool? {
    switch self {
    case .flag(let flag): return flag
    case .number(let number): return number == 0 ? false : number == 1 ? true : nil
    case .text(let text):
      switch text.lowercased() {
      case "true", "yes", "1": return true
      case "false", "no", "0": return false
      default: return nil
      }
    case .other: return nil
    }
  }

  /// The value as a whole number; text is converted. True and false are 1 and 0, as in some property lists.
  var number: Int64? {
    switch self {
    case .flag(let flag): flag ? 1 : 0
    case .number(let number): number
    case .text(let text): Int64(text)
    case .other: nil
    }
  }

  /// The value as text; a number is converted.
  var text: String? {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .flag, .other: nil
    }
  }

  /// The value as JSON.
  var json: JSONValue {
    switch self {
    case .flag(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .other(let phrase): .string(phrase)
    }
  }

  /// The value as a phrase for messages.
  var phrase: String {
    if case .other(let phrase) = self { return phrase }
    return JSONExcerpt.phrase(json)
  }
}

/// A setting as written in a dump.
public struct DeviceEntry: Equatable, Sendable {
  /// The name as written.
  public let name: String
  /// Its value.
  public let value: DeviceValue
  /// The place in the dump.
  public let place: DocumentPlace?
}
