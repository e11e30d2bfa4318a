import AppProtection
import JSON
import PlainText

/// What a value stands for that a program wrote in another form than Graph's.
///
/// A number in quotes, a single element without its list, dates and durations as .NET and PowerShell write them: every form has
/// one meaning or none. Whether the meaning is of the member's kind is for its reader to say.
package enum RestatedValue {
  /// What a reader writes in place of what is no value: characters that no document has, and perhaps the reason.
  package static func noValue(because reason: String) -> JSONValue { .string("\u{7F}\(reason)") }

  /// Why a reader found no value; `nil` for a text that is one.
  static func reasonForNoValue(_ text: String) -> String? {
    guard text.unicodeScalars.first == "\u{7F}" else { return nil }
    let reason = text.unicodeScalars.drop { $0 == "\u{7F}" }
    return reason.isEmpty ? "the value is missing" : String(reason)
  }

  /// Whether the exporting program wrote something else in place of a value: the name of a type, a table as one text because
  /// it was nested too deep, or a word that is no value.
  static func isLost(_ value: JSONValue) -> Bool {
    switch value.content {
    case .string(let text):
      reasonForNoValue(text) != nil || text == "System.Object[]" || text == "System.Collections.Hashtable"
        || text.hasPrefix("Microsoft.Graph.PowerShell.") || text.hasPrefix("@{")
    case .array(let elements): elements.contains(where: isLost)
    case .object(let object): object.members.contains { isLost($0.value) }
    case .number, .bool, .null: false
    }
  }

  /// Whether the Graph SDK for PowerShell wrote objects without members in place of names.
  static func isHollow(_ value: JSONValue) -> Bool {
    if let elements = value.array { return !elements.isEmpty && elements.allSatisfy { $0.object?.count == 0 } }
    return value.object?.count == 0
  }

  /// What a value may stand for, the likeliest first.
  static func candidates(for value: JSONValue) -> [JSONValue] {
    var found: [JSONValue.Content] = []
    switch value.content {
    case .string(let text):
      found = scalars(text)
    case .number(let number):
      if let double = number.double, double == double.rounded(), abs(double) < 9e15, number.integer() == nil {
        found.append(.number(JSONNumber(Int64(double))))
      }
      if let flag = ["0": false, "1": true][number.text] { found.append(.bool(flag)) }
      found.append(.string(number.text))
    case .bool(let flag): found.append(.string("\(flag)"))
    case .array(let elements):
      if elements.count == 1 { return [elements[0]] + candidates(for: elements[0]) + [deepened(value)] }
    case .object(let object):
      if let text = timeSpan(object) ?? date(object) { found.append(.string(text)) }
    case .null: return []
    }
    let single = found.map { JSONValue($0, at: value.position) }
    switch value.content {
    // PowerShell writes a list of one element as that element.
    case .string, .number, .object: return single + [JSONValue(.array([value]), at: value.position), deepened(value)]
    case .array: return single + [deepened(value)]
    case .bool, .null: return single
    }
  }

  private static func scalars(_ text: String) -> [JSONValue.Content] {
    var found: [JSONValue.Content] = []
    if let flag = ["true": true, "false": false, "$true": true, "$false": false][text.lowercased()] {
      found.append(.bool(flag))
    }
    if let number = Int64(text) { found.append(.number(JSONNumber(number))) }
    if let restated = duration(text) ?? date(text) { found.append(.string(restated)) }
    return found
  }

  /// The value with numbers and truth values as texts, and with names of members that begin with a small letter.
  static func deepened(_ value: JSONValue) -> JSONValue {
    switch value.content {
    case .array(let elements): JSONValue(.array(elements.map(deepened)), at: value.position)
    case .object(let object):
      JSONValue(
        .object(
          JSONObject(
            object.members.map {
              .init($0.name.prefix(1).lowercased() + $0.name.dropFirst(), deepened($0.value), at: $0.position)
            })), at: value.position)
    case .number(let number): JSONValue(.string(number.text), at: value.position)
    case .bool(let flag): JSONValue(.string("\(flag)"), at: value.position)
    case .string, .null: value
    }
  }

  // MARK: Durations

  /// The days that .NET can count, and 64 bits in its unit.
  private static let mostDays: Int64 = 10_675_199

  /// A time span of .NET, `[d.]hh:mm:ss[.fffffff]`, as Graph writes it; `nil` for any other text, and for a negative one.
  package static func duration(_ text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let days = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard days.count < 3, seconds.count < 3, let hours = digits(days[days.count - 1], most: 2),
      let minutes = digits(parts[1], most: 2), let second = digits(seconds[0], most: 2), hours < 24, minutes < 60,
      second < 60, let day = days.count == 2 ? digits(days[0], most: 8) : 0, day < mostDays,
      let fraction = seconds.count == 2 ? digits(seconds[1], most: 7) : 0
    else { return nil }
    var ticks = fraction
    for _ in 0..<(seconds.count == 2 ? 7 - seconds[1].utf8.count : 0) { ticks *= 10 }
    return duration(ticks: (((day * 24 + hours) * 60 + minutes) * 60 + second) * 10_000_000 + ticks)
  }

  private static func digits(_ text: Substring, most: Int) -> Int64? {
    guard (1...most).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// A duration of so many tenths of microseconds, which .NET counts in; `nil` for a negative one, and beyond 292 years.
  private static func duration(ticks: Int64) -> String? {
    let (nanoseconds, isTooLong) = ticks.multipliedReportingOverflow(by: 100)
    guard ticks >= 0, !isTooLong else { return nil }
    return String(utf8: { CivilTime.append(duration: nanoseconds, to: &$0) })
  }

  /// A time span that PowerShell wrote as an object.
  private static func timeSpan(_ object: JSONObject) -> String? {
    // What counts them all decides, even where it is no number.
    if let ticks = object["Ticks"] { return ticks.number?.integer(Int64.self).flatMap(duration(ticks:)) }
    let units: [(String, Int64)] = [
      ("Days", 864_000_000_000), ("Hours", 36_000_000_000), ("Minutes", 600_000_000), ("Seconds", 10_000_000),
      ("Milliseconds", 10_000),
    ]
    guard object["Minutes"] != nil, object["Seconds"] != nil else { return nil }
    var ticks: Int64 = 0
    for (name, unit) in units {
      guard let value = object[name] else { continue }
      guard let count = value.number?.integer(Int64.self), (0...10_000_000).contains(count) else { return nil }
      ticks += count * unit
    }
    return duration(ticks: ticks)
  }

  // MARK: Dates

  /// A date that PowerShell wrote as an object.
  private static func date(_ object: JSONObject) -> String? {
    (object["value"] ?? object["DateTime"])?.string.flatMap(date)
  }

  /// A date in a form that .NET and PowerShell write, as Graph writes it: in UTC where the text names no other offset; `nil` for
  /// any other text, and where either number may be the month.
  static func date(_ text: String) -> String? {
    if text.hasPrefix("/Date("), text.hasSuffix(")/") { return milliseconds(text.dropFirst(6).dropLast(2)) }
    var scanner = Scanner(rest: text[...])
    guard let first = scanner.number(), let mark = scanner.mark("-/."), let second = scanner.number(),
      scanner.mark("-/.") == mark, let third = scanner.number()
    else { return nil }
    let day: (year: Int, month: Int, day: Int)
    if first > 31 {
      day = (first, second, third)
    } else if mark == "." || first > 12 {
      day = (third, second, first)
    } else if second > 12 || first == second {
      day = (third, first, second)
    } else {
      return nil
    }
    var time = (hour: 0, minute: 0, second: 0, fraction: "")
    if scanner.mark("T ") != nil {
      guard let hour = scanner.number(), scanner.mark(":") != nil, let minute = scanner.number() else { return nil }
      time = (hour, minute, 0, "")
      if scanner.mark(":") != nil {
        guard let second = scanner.number() else { return nil }
        time.second = second
        if scanner.mark(".") != nil { time.fraction = String(scanner.digits().prefix(7)) }
      }
      let half = scanner.rest.drop { $0 == " " || $0 == "\u{202F}" }.prefix(2).uppercased()
      if half == "AM" || half == "PM" {
        guard (1...12).contains(time.hour) else { return nil }
        time.hour = time.hour % 12 + (half == "PM" ? 12 : 0)
        scanner.rest = scanner.rest.drop { $0 == " " || $0 == "\u{202F}" }.dropFirst(2)
      }
    }
    var offset = "Z"
    if scanner.mark(" ") != nil {
      offset = String(scanner.rest)
      scanner.rest = ""
      guard offset.utf8.count == 6, offset.first == "+" || offset.first == "-" else { return nil }
    }
    guard scanner.rest.isEmpty, day.year > 31,
      let civil = CivilTime(
        year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute, second: time.second)
    else { return nil }
    let text = "\(civil.text.dropLast())\(time.fraction.isEmpty ? "" : ".\(time.fraction)")\(offset)"
    return (try? PolicyDate(text)) == nil ? nil : text
  }

  /// Milliseconds since 1970, perhaps with an offset, which does not change the point in time.
  private static func milliseconds(_ text: Substring) -> String? {
    let start = text.first == "-" ? text.dropFirst() : text
    let digits = start.prefix { $0.isASCII && $0.isWholeNumber }
    let offset = start.dropFirst(digits.count)
    guard (1...15).contains(digits.count), let count = Int64(digits),
      offset.isEmpty
        || offset.count == 5 && "+-".contains(offset.first ?? " ") && offset.dropFirst().allSatisfy(\.isWholeNumber)
    else { return nil }
    let (nanoseconds, isTooLong) = (text.first == "-" ? -count : count).multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? nil : CivilTime(nanoseconds: nanoseconds).text
  }

  /// Reads numbers and marks from the beginning of a text.
  private struct Scanner {
    var rest: Substring

    mutating func digits() -> Substring {
      let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
      rest = rest.dropFirst(digits.count)
      return digits
    }

    mutating func number() -> Int? {
      let digits = digits()
      return digits.count < 5 ? Int(digits) : nil
    }

    mutating func mark(_ marks: String) -> Character? {
      guard let first = rest.first, marks.contains(first) else { return nil }
      rest.removeFirst()
      return first
    }
  }
}
