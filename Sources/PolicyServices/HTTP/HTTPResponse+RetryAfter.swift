import PlainText

extension HTTPResponse {
  /// The pause that the service asks for (`Retry-After`), in seconds; `nil` if it names none that can be read.
  ///
  /// A date is compared with the answer's own (`Date`), because the device's clock may be wrong. Without that one it says nothing.
  var retryAfterSeconds: Int64? {
    guard let text = headers["retry-after"] else { return nil }
    if let seconds = Int64(text) { return seconds }
    guard let now = headers["date"].flatMap({ HTTPDate($0) }) else { return nil }
    return HTTPDate(text, near: now.year).map { max($0.seconds - now.seconds, 0) }
  }
}

/// A date as HTTP writes it, in any of the three forms of RFC 9110, section 5.6.7.
struct HTTPDate {
  /// Seconds since 1970-01-01T00:00:00Z.
  let seconds: Int64
  /// The year, with all of its digits.
  let year: Int64

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Parameter near: Where the text has the year's last two digits, it is at most 50 years after this one.
  init?(_ text: String, near: Int64 = 2000) {
    let words = text.split(separator: " ")
    let (day, month, yearText, time): (Substring, Substring, Substring, Substring)
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT
    case 6 where words[5] == "GMT": (day, month, yearText, time) = (words[1], words[2], words[3], words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: (day, month, yearText, time) = (words[2], words[1], words[4], words[3])
    // Sunday, 06-Nov-94 08:49:37 GMT
    case 4 where words[3] == "GMT":
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard date.count == 3 else { return nil }
      (day, month, yearText, time) = (date[0], date[1], date[2], words[2])
    default: return nil
    }
    guard let month = Self.months.firstIndex(of: String(month)), var year = Int64(yearText), year >= 0 else {
      return nil
    }
    if yearText.utf8.count == 2 {
      year += near / 100 * 100
      if year > near + 50 { year -= 100 }
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], let day = Int(day),
      let date = CivilTime(
        year: Int(clamping: year), month: month + 1, day: day, hour: hour, minute: minute, second: second),
      let nanoseconds = date.nanoseconds
    else { return nil }
    seconds = nanoseconds / CivilTime.nanosecondsPerSecond
    self.year = year
  }
}
