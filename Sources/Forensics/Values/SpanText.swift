import PlainText

/// Text forms of a duration.
public enum SpanText {
  /// Hours, minutes and seconds as on a clock: `00:59:38`, preceded by days if there are any.
  public static func clock(nanoseconds: Int64) -> String {
    let seconds = nanoseconds.magnitude / UInt64(CivilTime.nanosecondsPerSecond)
    let days = seconds / 86_400
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    return (nanoseconds < 0 ? "-" : "") + (days > 0 ? "\(days)d " : "") + time
  }

  /// The ISO 8601 form, in days and smaller units: `P90D`, `PT30M`, `PT0S`, `-PT1.5S`.
  public static func iso8601(nanoseconds: Int64) -> String {
    String(utf8: { append(iso8601: nanoseconds, to: &$0) })
  }

  /// Appends the ISO 8601 form.
  package static func append(iso8601 nanoseconds: Int64, to bytes: inout [UInt8]) {
    CivilTime.append(duration: nanoseconds, to: &bytes)
  }

  /// Reads a duration: `90d`, `2h30m` or ISO 8601, such as `PT30M`; `nil` if `text` has another form, or would overflow.
  public static func nanoseconds(_ text: String) -> Int64? {
    var rest = text.lowercased()[...]
    let isISO = rest.hasPrefix("p")
    if isISO { rest.removeFirst() }
    var total: Int64 = 0
    var isTime = !isISO
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      if isISO, !isTime, rest.first == "t" {
        rest.removeFirst()
        isTime = true
        if rest.isEmpty { return nil }
      }
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      guard let count = Int64(digits), let unit = rest.popFirst(), let seconds = seconds(unit, isISO: isISO, isTime)
      else {
        return nil
      }
      let (part, isTooLong) = count.multipliedReportingOverflow(by: seconds * CivilTime.nanosecondsPerSecond)
      let (sum, overflows) = total.addingReportingOverflow(part)
      guard !isTooLong, !overflows else { return nil }
      total = sum
    }
    return total
  }

  /// The length of a unit. In ISO 8601, months and years have none, and only what follows the T is shorter than a day.
  private static func seconds(_ unit: Character, isISO: Bool, _ isTime: Bool) -> Int64? {
    switch unit {
    case "s": isTime ? 1 : nil
    case "m": isTime ? 60 : nil
    case "h": isTime ? 3600 : nil
    case "d": isISO && isTime ? nil : 86_400
    case "w": isISO && isTime ? nil : 7 * 86_400
    default: nil
    }
  }
}
