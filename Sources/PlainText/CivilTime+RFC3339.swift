extension CivilTime {
  /// Why a text is no point in time.
  package enum ReadingError: Error {
    /// It has another form, or names a day or time that does not exist.
    case malformed
    /// The fraction of its second has more than nine digits.
    case tooFine
  }

  /// Nanoseconds since 1970-01-01T00:00:00Z of a time as RFC 3339 writes it: `2020-03-05T09:00:00Z`, or with a fraction
  /// and an offset, `2020-03-05T10:00:00.25+01:00`. `nil` if 64 bits do not hold them (outside 1677...2262).
  ///
  /// A leap second is malformed: no clock here has one.
  ///
  /// - Parameter mostHours: The most whole hours that the offset may have.
  package static func nanoseconds(rfc3339 text: String, mostHours: Int = 23) throws(ReadingError) -> Int64? {
    var scanner = DigitScanner(text)
    guard let year = scanner.digits(4), scanner.consume("-"), let month = scanner.digits(2), scanner.consume("-"),
      let day = scanner.digits(2), scanner.consume("T") || scanner.consume("t"), let hour = scanner.digits(2),
      scanner.consume(":"), let minute = scanner.digits(2), scanner.consume(":"), let second = scanner.digits(2)
    else { throw .malformed }
    var fraction = 0
    if scanner.consume(".") {
      var unit = 1_000_000_000
      while let digit = scanner.digits(1) {
        guard unit > 1 else { throw .tooFine }
        unit /= 10
        fraction += digit * unit
      }
      guard unit < 1_000_000_000 else { throw .malformed }
    }
    guard let offset = offsetSeconds(&scanner, mostHours: mostHours), scanner.isAtEnd,
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: fraction)
    else { throw .malformed }
    return Int64(exactly: time.wideNanoseconds - Int128(offset) * Int128(nanosecondsPerSecond))
  }

  /// The offset from UTC: `Z`, or hours and minutes after a sign.
  private static func offsetSeconds(_ scanner: inout DigitScanner, mostHours: Int) -> Int? {
    if scanner.consume("Z") || scanner.consume("z") { return 0 }
    let isEast = scanner.consume("+")
    guard isEast || scanner.consume("-"), let hours = scanner.digits(2), scanner.consume(":"),
      let minutes = scanner.digits(2), hours <= mostHours, minutes < 60
    else { return nil }
    return (hours * 3_600 + minutes * 60) * (isEast ? 1 : -1)
  }
}
