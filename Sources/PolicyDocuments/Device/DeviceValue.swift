import JSON
import PropertyList

/// A value in a dump, in whatever form the dump has it. Dumps write one setting as a number and the next as its text.
public enum DeviceValue: Equatable, Sendable {
  /// True or false.
  case flag(Bool)
  /// A whole number.
  case number(Int64)
  /// Text.
  case text(String)
  /// Something that no setting is: a list, a fraction, bytes, nothing.
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
    default: self = .other(PropertyListExcerpt.phrase(value))
    }
  }

  /// True or false, also as a number or a word.
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

  /// A whole number, also as text. True and false are 1 and 0, as property lists may have them.
  var number: Int64? {
    switch self {
    case .flag(let flag): flag ? 1 : 0
    case .number(let number): number
    case .text(let text): Int64(text)
    case .other: nil
    }
  }

  /// Text, also of a number.
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

/// A setting as it stood in a dump.
public struct DeviceEntry: Equatable, Sendable {
  /// Its name as it stood.
  public let name: String
  /// Its value.
  public let value: DeviceValue
  /// Where it stood.
  public let place: DocumentPlace?
}
