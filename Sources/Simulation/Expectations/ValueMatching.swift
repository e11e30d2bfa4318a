import AppProtection
import EventSourcing
import JSON
import PlainText

/// Compares expected values with the state.
enum ValueMatching {
  /// Whether `tree` matches `expected`: `null` matches an unset value, an object lists parts and their values, and
  /// anything else is a single value.
  ///
  /// - Parameter numbered: Replaces the scenario's names with the journal's account numbers.
  static func matches(_ expected: JSONValue, _ tree: StateTree?, numbered: (String) -> String) -> Bool {
    switch expected.content {
    case .null: tree?.isEmpty ?? true
    case .object(let object):
      object.members.allSatisfy { member in
        matches(member.value, tree?[path: numbered(member.name)], numbered: numbered)
      }
    case .array, .string, .number, .bool:
      if case .value(let value)? = tree { matches(expected, value, numbered: numbered) } else { false }
    }
  }

  private static func matches(_ expected: JSONValue, _ value: StateValue, numbered: (String) -> String) -> Bool {
    let text = expected.string
    return switch value {
    case .unset: false
    case .bool(let flag): expected.bool == flag
    case .integer(let integer): expected.number?.integer() == integer
    case .sequence(let sequence): expected.number?.integer(UInt64.self) == sequence
    case .name(let name): text == name || text.map(numbered) == name
    case .text(let found): text == found
    case .sealed: false
    case .personal(let found, let privacy): privacy != .secret && text == found
    case .time(let nanoseconds): text.flatMap { try? CivilTime.nanoseconds(rfc3339: $0) } == nanoseconds
    case .duration(let nanoseconds): text.flatMap(Self.nanoseconds) == nanoseconds
    case .list(let values):
      expected.array.map { elements in
        elements.count == values.count
          && zip(elements, values).allSatisfy { matches($0, $1, numbered: numbered) }
      } ?? false
    }
  }

  /// The actual value, written as a scenario would expect it.
  static func text(_ tree: StateTree?) -> String {
    switch tree {
    case nil: "nothing"
    case .value(let value)?: text(value)
    case .members(let members)?:
      tree?.isEmpty == true ? "nothing" : "parts: \(ListExcerpt.text(members.map(\.name)))"
    }
  }

  /// The expected value for `tree`, withheld if it may identify a person: see ``JSON/JSONExcerpt/showsPersons``.
  static func text(_ expected: JSONValue, of tree: StateTree?) -> String {
    if expected.isNull { return "nothing" }
    let isPersonal = tree?.leaves().contains { leaf in
      if case .personal = leaf.value { true } else { false }
    }
    // An unset value does not reveal its class.
    let isOpen = tree == nil || tree?.isEmpty == true
    let isWithheld = (isPersonal ?? false) && !JSONExcerpt.showsPersons
    return isWithheld || (isOpen && JSONExcerpt.isWithheld(expected.description))
      ? JSONExcerpt.withheld : expected.description
  }

  private static func text(_ value: StateValue) -> String {
    switch value {
    case .unset: "nothing"
    case .bool(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .name(let text), .text(let text): JSONValue.string(text).description
    case .personal(let text, let privacy):
      privacy == .secret
        ? "a secret" : JSONExcerpt.showsPersons ? JSONValue.string(text).description : JSONExcerpt.withheld
    case .sealed: "sealed"
    case .time(let nanoseconds): JSONValue.string(CivilTime(nanoseconds: nanoseconds).text).description
    case .duration(let nanoseconds): "\"\(seconds(nanoseconds))\""
    case .sequence(let sequence): "\(sequence)"
    case .list(let values): "[\(ListExcerpt.text(values.map(text)))]"
    }
  }

  /// The length of a duration, which is negative with a sign before it, as in `-PT5H`.
  private static func nanoseconds(_ text: String) -> Int64? {
    let isNegative = text.hasPrefix("-")
    let length = try? PolicyDuration(isNegative ? String(text.dropFirst()) : text).nanoseconds
    return length.map { isNegative ? -$0 : $0 }
  }

  /// A duration in seconds, such as `PT1.5S`: the one unit that needs no rounding.
  private static func seconds(_ nanoseconds: Int64) -> String {
    if nanoseconds < 0 { return "-\(seconds(Int64(clamping: nanoseconds.magnitude)))" }
    let (seconds, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest != 0 else { return "PT\(seconds)S" }
    let digits = String(rest + 1_000_000_000).dropFirst()
    let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
    return "PT\(seconds).\(digits[...end])S"
  }
}
