import PlainText

/// A place in a history as named on the command line.
///
/// A position refers to an event, or to the state after it; ``start`` is the first state that the journal
/// tells.
/// ``PositionResolver`` finds the event it refers to in a particular history.
public enum NamedPosition: Equatable, Sendable {
  /// The event with this number, from 1; 0 is before event 1.
  case sequence(UInt64)
  /// Before the first event; where events are retired or a fork's parent has them, the first state that is still known.
  case start
  /// The last event.
  case end
  /// The event this many events before the last one.
  case beforeEnd(UInt64)
  /// A time or period in nanoseconds since 1970-01-01T00:00:00Z, both ends included: `2020-06` is a month,
  /// `2020-06-01T10:00Z` a minute. A range that starts with it starts at its beginning; elsewhere its end counts.
  case time(first: Int64, last: Int64)
  /// A time of day on the date of the last event, in nanoseconds after midnight UTC, both ends included. `today` is all of
  /// that day, and `yesterday`, of negative numbers, the day before.
  case timeOfDay(first: Int64, last: Int64)
  /// A time this many nanoseconds before the last event.
  case beforeLastEvent(nanoseconds: Int64)
  /// The last event of this type.
  case lastOfType(String)
  /// The nth event of this type, from 1.
  case occurrence(String, UInt64)
}

extension NamedPosition {
  /// Whether it refers to a time, which may lie outside the times of the events.
  public var isTime: Bool {
    switch self {
    case .time, .timeOfDay, .beforeLastEvent: true
    case .sequence, .start, .end, .beforeEnd, .lastOfType, .occurrence: false
    }
  }

  /// Whether the number of the first and the last event tell which event it refers to.
  public var isNumber: Bool {
    switch self {
    case .sequence, .start, .end, .beforeEnd: true
    case .time, .timeOfDay, .beforeLastEvent, .lastOfType, .occurrence: false
    }
  }

  /// The furthest that a relative position can reach back: a hundred years of 365 days, so that no sum overflows.
  static let longestRelativeNanoseconds: Int64 = 100 * 365 * 86_400 * CivilTime.nanosecondsPerSecond

  /// Parses a position.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - type: An event type of the domain, which errors name as an example; `nil` for none.
  /// - Throws: ``PositionError`` with a reason and an example if `text` is not a position.
  public init(_ text: String, example type: String? = nil) throws(PositionError) {
    switch text {
    case "": throw PositionError(.malformed, "the position is empty", remedy: Self.examples(type))
    case "start": self = .start
    case "end": self = .end
    case "today": self = .day(0)
    case "yesterday": self = .day(-1)
    case _ where NamedRange.isRange(text):
      throw PositionError(
        .malformed, "\"\(text)\" is a range; this needs a single position", remedy: "write one end of it")
    default:
      // One after the other: ?? would lose the type of the error.
      if let position = try Self.number(text, type) {
        self = position
      } else if let position = try Self.fromEnd(text) {
        self = position
      } else if let position = try Self.relative(text) {
        self = position
      } else if let position = try Self.clock(text) {
        self = position
      } else if text.utf8.prefix(4).allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
        self = try Self.date(text)
      } else if let position = try Self.typeName(text) {
        self = position
      } else {
        throw PositionError(.malformed, "\"\(text)\" is not a position", remedy: Self.examples(type))
      }
    }
  }

  /// A whole day, counted from that of the last event.
  private static func day(_ number: Int64) -> NamedPosition {
    let length = CivilTime.secondsPerDay * CivilTime.nanosecondsPerSecond
    return .timeOfDay(first: number * length, last: number * length + length - 1)
  }

  /// Examples of positions, for error messages.
  private static func examples(_ type: String?) -> String {
    "write one like 42, end~3, 2026-10-05T10:00Z, 10:30" + (type.map { ", -2h or \($0)" } ?? " or -2h")
  }

  /// `42`
  private static func number(_ text: String, _ type: String?) throws(PositionError) -> NamedPosition? {
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    guard let sequence = UInt64(text) else {
      throw PositionError(.malformed, "\(text) is larger than any event's number", remedy: examples(type))
    }
    return .sequence(sequence)
  }

  /// `end~3`
  private static func fromEnd(_ text: String) throws(PositionError) -> NamedPosition? {
    guard text.hasPrefix("end~") else { return nil }
    guard let count = unsigned(text.dropFirst(4)) else {
      try expectSmall(text.dropFirst(4), in: text, remedy: "write end~3 for the fourth last")
      throw PositionError(
        .malformed, "\"\(text)\" has no number after \"~\"", remedy: "write end~3 for the fourth last")
    }
    return .beforeEnd(count)
  }

  /// `-2h`, `-90m`, `-30s`, `-1d`, `-2w`
  private static func relative(_ text: String) throws(PositionError) -> NamedPosition? {
    guard text.hasPrefix("-") else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400]
    guard let unit = text.last, let seconds = units[unit], let count = unsigned(text.dropFirst().dropLast()) else {
      try expectSmall(text.dropFirst().dropLast(), in: text, remedy: "write start instead")
      let units = "write a number and one of s, m, h, d, w, such as -2h"
      let isCount = unsigned(text.dropFirst()) != nil
      throw PositionError(
        .malformed, "\"\(text)\" is not a time before the last event",
        remedy: isCount ? "write end~\(text.dropFirst()) to count events from the end; for a time \(units)" : units)
    }
    let limit = UInt64(longestRelativeNanoseconds / CivilTime.nanosecondsPerSecond)
    let (total, overflow) = count.multipliedReportingOverflow(by: UInt64(seconds))
    guard !overflow, total <= limit else {
      throw PositionError(.malformed, "\"\(text)\" reaches back more than 100 years", remedy: "write start instead")
    }
    return .beforeLastEvent(nanoseconds: Int64(total) * CivilTime.nanosecondsPerSecond)
  }

  /// `10:30`, `10:30:15`, `10:30Z`
  private static func clock(_ text: String) throws(PositionError) -> NamedPosition? {
    guard let colon = text.firstIndex(of: ":"), text.distance(from: text.startIndex, to: colon) <= 2,
      text.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true
    else { return nil }
    var scanner = TimeScanner(text)
    guard let time = scanner.timeOfDay(), scanner.consumeUTC(), scanner.isAtEnd else {
      throw PositionError(
        .malformed, "\"\(text)\" is not a time of day", remedy: "write hours and minutes such as 10:30, in UTC")
    }
    return .timeOfDay(first: time.first, last: time.last)
  }

  /// `2020`, `2020-06`, `2020-06-01`, `2020-06-01T10:00Z`, `2020-06-01T10:00:15.5+02:00`; a space may replace the `T`
  private static func date(_ text: String) throws(PositionError) -> NamedPosition {
    var scanner = TimeScanner(text)
    if text.utf8.dropFirst(4).first == UInt8(ascii: "-"), let year = Int(text.prefix(4)), !(1678...2261).contains(year)
    {
      throw PositionError(.malformed, "\"\(text)\" is outside 1678–2261", remedy: "write start, end or a year between")
    }
    guard let span = scanner.dateAndTime(), scanner.isAtEnd else {
      throw PositionError(
        .malformed, "\"\(text)\" is not a date or time",
        remedy: "write one like 2020-06, 2020-06-01 or 2020-06-01T10:00Z (times are UTC)")
    }
    return .time(first: span.first, last: span.last)
  }

  /// `wipe.requested`, `wipe.requested#2`
  private static func typeName(_ text: String) throws(PositionError) -> NamedPosition? {
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, name.contains("."), !name.contains("/"), !name.hasPrefix("."), !name.hasSuffix(".")
    else { return nil }
    guard parts.count == 2 else { return .lastOfType(String(name)) }
    guard let number = unsigned(parts[1]), number > 0 else {
      try expectSmall(parts[1], in: text, remedy: "write \(name)#2 for the second one")
      throw PositionError(
        .malformed, "\"\(text)\" has no number after \"#\"", remedy: "write \(name)#2 for the second one")
    }
    return .occurrence(String(name), number)
  }

  /// Rejects a number too large to count events or time units.
  private static func expectSmall(_ digits: Substring, in text: String, remedy: String) throws(PositionError) {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), UInt64(digits) == nil else { return }
    throw PositionError(.malformed, "the number in \"\(text)\" is too large", remedy: remedy)
  }

  private static func unsigned(_ text: Substring) -> UInt64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return UInt64(text)
  }
}
