/// Dates of the XML form.
enum PropertyListDate {
  /// The seconds from the start of 2001 to a date in the form `2026-11-21T03:17:57Z`; `nil` if the text has another
  /// form.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    let form = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == form.count else { return nil }
    var numbers: [Int] = [0]
    for (byte, expected) in zip(bytes, form) {
      if expected == 0x30 {
        guard (0x30...0x39).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 0x30)
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month), (1...length(ofMonth: month, year)).contains(day), numbers[3] < 24, numbers[4] < 60,
      numbers[5] < 60
    else { return nil }
    let days =
      daysBefore(year: year) - daysBefore(year: 2001) + (1..<month).reduce(0) { $0 + length(ofMonth: $1, year) }
    return Double(((days + day - 1) * 24 + numbers[3]) * 3600 + numbers[4] * 60 + numbers[5])
  }

  /// The days from the start of year 0 to the start of a year, using the Gregorian rule throughout.
  private static func daysBefore(year: Int) -> Int {
    // Year 0 is a leap year; the years before `year` are 0 to year - 1.
    let past = year - 1
    return year == 0 ? 0 : year * 365 + past / 4 - past / 100 + past / 400 + 1
  }

  private static func length(ofMonth month: Int, _ year: Int) -> Int {
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}
