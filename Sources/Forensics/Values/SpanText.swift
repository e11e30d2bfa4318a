/// Text forms of a duration.
public enum SpanText {
  /// Hours, minutes and seconds as on a clock: `00:59:38`, preceded by days if there are any.
  public static func clock(nanoseconds: Int64) -> String {
    let seconds = nanoseconds.magnitude / UInt64(CivilTime.nanosecondsPerSecond)
    let days = seconds / 86_400
    let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded(Int($0), 2) }.joined(separator: ":")
    return (nanoseconds < 0 ? "-" : "") + (days > 0 ? "\(days)d " : "") + time
  }

  /// The ISO 8601 form, in days and smaller units: `P90D`, `PT30M`, `PT0S`, `-PT1.5S`.
  public static func iso8601(nanoseconds: Int64) -> String {
    var rest = nanoseconds.magnitude
    let second = UInt64(CivilTime.nanosecondsPerSecond)
    let days = rest / (86_400 * second)
    rest %= 86_400 * second
    let hours = rest / (3600 * second)
    rest %= 3600 * second
    let minutes = rest / (60 * second)
    rest %= 60 * second
    var time = ""
    if hours > 0 { time += "\(hours)H" }
    if minutes > 0 { time += "\(minutes)M" }
    if rest > 0 {
      time += String(rest / second)
      if rest % second != 0 {
        var digits = padded(Int(rest % second), 9)
        while digits.hasSuffix("0") { digits.removeLast() }
        time += ".\(digits)"
      }
      time += "S"
    }
    if days == 0 && time.isEmpty { time = "0S" }
    return (nanoseconds < 0 ? "-" : "") + "P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T\(time)")
  }
}
