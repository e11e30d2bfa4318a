import EventSourcing

/// A test of one value of a state.
public enum ValueTest: Equatable, Sendable {
  /// It is set.
  case isSet
  /// Its text matches, ignoring case. A pattern with wildcards is not compared with what is personal, so that it cannot be
  /// used to guess it piece by piece. Of a list, one element is enough.
  /// A value that has an order also matches what is neither before nor after it: a version, another zone's time.
  case matches(Glob, ValueBound?)
  /// It comes before the bound.
  case isBelow(ValueBound, orEqual: Bool)
  /// It comes after the bound.
  case isAbove(ValueBound, orEqual: Bool)

  /// Whether a value passes; `nil` if it cannot be compared: what is sealed, and what is personal with a pattern that has
  /// wildcards.
  public func holds(for value: StateValue?) -> Bool? {
    guard let value, value != .unset else { return false }
    switch self {
    case .isSet: return true
    case .matches, .isBelow, .isAbove:
      if case .sealed = value { return nil }
    }
    switch self {
    case .isSet: return true
    case .matches(let pattern, let bound): return Self.matches(pattern, bound, value)
    case .isBelow(let bound, let orEqual):
      return bound.order(of: value).map { $0 < 0 || orEqual && $0 == 0 } ?? false
    case .isAbove(let bound, let orEqual):
      return bound.order(of: value).map { $0 > 0 || orEqual && $0 == 0 } ?? false
    }
  }

  /// Whether the test asks for an order that a value does not have, such as that of a name, or of a time and a number.
  public func isWithoutOrder(for value: StateValue) -> Bool {
    switch (self, value) {
    case (_, .unset), (_, .sealed), (.isSet, _), (.matches, _): false
    case (.isBelow(let bound, _), _), (.isAbove(let bound, _), _): bound.order(of: value) == nil
    }
  }

  private static func matches(_ pattern: Glob, _ bound: ValueBound?, _ value: StateValue) -> Bool? {
    if bound?.order(of: value) == 0 { return true }
    return switch value {
    case .unset: false
    case .list(let values):
      values.contains { matches(pattern, bound, $0) == true }
        ? true : values.contains { matches(pattern, bound, $0) == nil } ? nil : false
    case .text(let text): pattern.matches(text)
    case .personal(let text, .account): pattern.isLiteral ? pattern.matches(text) : nil
    case .personal, .sealed: nil
    case .bool, .integer, .name, .time, .duration, .sequence: pattern.matches(ValueText(.on).text(value))
    }
  }
}

/// A value that others come before or after.
public struct ValueBound: Equatable, Sendable {
  private var number: Int64?
  private var version: [UInt64]?
  private var duration: Int64?
  private var time: ClosedRange<Int64>?

  /// Reads a number, a version, a duration or a time; `nil` if it is none of them.
  init?(_ text: String) {
    number = Int64(text)
    version = Self.parts(of: text)
    duration = SpanText.nanoseconds(text)
    var scanner = TimeScanner(text)
    if text.contains("-"), let span = scanner.dateAndTime(), scanner.isAtEnd {
      time = span.first...max(span.first, span.last)
    }
    if number == nil, version == nil, duration == nil, time == nil { return nil }
  }

  /// Negative for a value before the bound, positive for one after it, and `nil` where the two cannot be compared.
  func order(of value: StateValue) -> Int? {
    switch value {
    case .integer(let own):
      number.map { Self.order(own, $0) }
        ?? version.flatMap { bound in UInt64(exactly: own).map { Self.order([$0], bound) } }
    case .sequence(let own): number.map { $0 < 0 ? 1 : Self.order(own, UInt64($0)) }
    case .duration(let own): duration.map { Self.order(own, $0) }
    case .time(let own): time.map { own < $0.lowerBound ? -1 : own > $0.upperBound ? 1 : 0 }
    case .text(let text), .name(let text): Self.parts(of: text).flatMap { own in version.map { Self.order(own, $0) } }
    case .unset, .bool, .personal, .sealed, .list: nil
    }
  }

  private static func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
    one < other ? -1 : one == other ? 0 : 1
  }

  /// Missing parts of a version are zero.
  private static func order(_ one: [UInt64], _ other: [UInt64]) -> Int {
    for place in 0..<max(one.count, other.count) {
      let (left, right) = (
        one.indices.contains(place) ? one[place] : 0, other.indices.contains(place) ? other[place] : 0
      )
      if left != right { return left < right ? -1 : 1 }
    }
    return 0
  }

  private static func parts(of text: String) -> [UInt64]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt64($0) }
    return parts.contains(nil) ? nil : parts.compactMap { $0 }
  }
}
