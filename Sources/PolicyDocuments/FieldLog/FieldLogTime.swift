import AppProtection
import PlainText

/// A time at the beginning of a text.
struct FieldLogTime: Equatable {
  /// Nanoseconds since 1970-01-01T00:00:00Z; `nil` where the text has a day without a year, and none is known.
  var nanoseconds: Int64?
  /// What the text does not say of it.
  var inferred: [FieldLog.Inference] = []
  /// The number of bytes that it takes.
  var length: Int
  /// The year that it says; `nil` where it says none.
  var year: Int?

  /// The most bytes that are looked at.
  private static let longest = 48
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Reads `2023-05-04T10:11:12.345Z`, with a space or a fraction or not, with a zone of either form or none, or
  /// `May  4 10:11:12`.
  ///
  /// - Parameter year: The year of a time that has none.
  init?(_ text: some StringProtocol, year: Int? = nil) {
    guard let form = Self.form(of: text, year) else { return nil }
    (length, self.year, inferred) = (form.length, form.year, form.inferred)
    guard let text = form.text else { return }
    guard let time = Self.nanoseconds(text) else { return nil }
    nanoseconds = time
  }

  /// Why what has the form of a time is none that a log can have; `nil` where it is one, or has another form.
  static func flaw(of text: some StringProtocol, year: Int?) -> String? {
    guard let text = form(of: text, year)?.text, nanoseconds(text) == nil else { return nil }
    return (try? PolicyDate(text)) == nil ? "the time does not exist" : "the time is before 1970 or after April 2262"
  }

  /// What has the form of a time.
  private struct Form {
    /// The time in RFC 3339; `nil` where it has no year.
    var text: String?
    var length: Int
    var year: Int?
    var inferred: [FieldLog.Inference]
  }

  private static func form(of text: some StringProtocol, _ year: Int?) -> Form? {
    let bytes = Array(text.utf8.prefix(longest))
    return dated(bytes) ?? undated(bytes, year)
  }

  /// Reads a date in digits with a time.
  private static func dated(_ bytes: [UInt8]) -> Form? {
    guard bytes.count >= 19, [0x2D, 0x2F].contains(bytes[4]), bytes[7] == bytes[4],
      bytes[10] == 0x20 || bytes[10] == 0x54,
      bytes[13] == 0x3A, bytes[16] == 0x3A,
      [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18].allSatisfy({ bytes[$0].isASCIIDigit })
    else { return nil }
    var text = bytes[..<19]
    (text[4], text[7], text[10]) = (0x2D, 0x2D, 0x54)
    var index = 19
    if index + 1 < bytes.count, bytes[index] == 0x2E || bytes[index] == 0x2C, bytes[index + 1].isASCIIDigit {
      let digits = bytes[(index + 1)...].prefix(while: \.isASCIIDigit)
      text += [0x2E] + digits.prefix(9)
      index += 1 + digits.count
    }
    var inferred: [FieldLog.Inference] = []
    if let (zone, length) = zone(bytes[index...]) {
      text += zone
      index += length
    } else {
      text.append(0x5A)
      inferred = [.timeZone]
    }
    guard isEnd(bytes, index) else { return nil }
    return Form(
      text: String(decoding: text, as: UTF8.self), length: index,
      year: Int(String(decoding: bytes[..<4], as: UTF8.self)), inferred: inferred)
  }

  /// Reads `Mar 21 08:59:45`, as a device's console and syslog have it.
  private static func undated(_ bytes: [UInt8], _ year: Int?) -> Form? {
    guard bytes.count >= 15, bytes[3] == 0x20, bytes[6] == 0x20, bytes[9] == 0x3A, bytes[12] == 0x3A,
      let month = months.firstIndex(of: String(decoding: bytes[..<3], as: UTF8.self)),
      bytes[4] == 0x20 || bytes[4].isASCIIDigit, [5, 7, 8, 10, 11, 13, 14].allSatisfy({ bytes[$0].isASCIIDigit })
    else { return nil }
    let fraction = bytes.count > 16 && bytes[15] == 0x2E ? bytes[16...].prefix(while: \.isASCIIDigit) : []
    let length = 15 + (fraction.isEmpty ? 0 : 1 + fraction.count)
    guard isEnd(bytes, length) else { return nil }
    guard let year else { return Form(text: nil, length: length, year: nil, inferred: []) }
    let day = String(decoding: bytes[4...5], as: UTF8.self).replacing(" ", with: "0")
    let clock = String(decoding: bytes[7..<15], as: UTF8.self)
    let part = fraction.isEmpty ? "" : "." + String(decoding: fraction.prefix(9), as: UTF8.self)
    let digits = "\(month + 1)"
    let date = "\(year)-\(digits.count == 1 ? "0" : "")\(digits)-\(day)T\(clock)\(part)Z"
    return Form(text: date, length: length, year: nil, inferred: [.year, .timeZone])
  }

  /// A zone as RFC 3339 has it, and the length of what stands for it.
  private static func zone(_ bytes: ArraySlice<UInt8>) -> (text: [UInt8], length: Int)? {
    if bytes.first == 0x5A || bytes.first == 0x7A { return ([0x5A], 1) }
    // Some tools put a space before the zone.
    let spaces = bytes.first == 0x20 ? 1 : 0
    let rest = Array(bytes.dropFirst(spaces).prefix(6))
    guard rest.count >= 3, rest[0] == 0x2B || rest[0] == 0x2D, rest[1].isASCIIDigit, rest[2].isASCIIDigit else {
      return nil
    }
    if rest.count == 3 || rest[3] <= 0x20 { return (Array(rest[..<3]) + Array(":00".utf8), spaces + 3) }
    if rest.count >= 5, rest[3].isASCIIDigit, rest[4].isASCIIDigit {
      return (Array(rest[..<3]) + [0x3A] + rest[3...4], spaces + 5)
    }
    guard rest.count == 6, rest[3] == 0x3A, rest[4].isASCIIDigit, rest[5].isASCIIDigit, spaces == 0 else { return nil }
    return (rest, 6)
  }

  /// Whether a time may end there: it is not part of a longer word.
  private static func isEnd(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    // A backslash begins the tab of a text that was copied out of JSON.
    return [0x20, 0x09, 0x22, 0x27, 0x29, 0x5C, 0x5D, 0x2C, 0x3A].contains(bytes[index])
  }

  /// Reads a whole time of RFC 3339, or with a space in place of the `T`.
  static func nanoseconds(_ text: String) -> Int64? {
    let time = (try? PolicyDate(text))?.nanoseconds
    return time.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Nanoseconds from 1970 to 2001-01-01T00:00:00Z, from which the JSON file counts seconds.
  private static let reference: Int64 = 978_307_200

  /// Reads seconds since 2001-01-01T00:00:00Z.
  static func nanoseconds(since2001 text: String) -> Int64? {
    guard let seconds = Double(text), seconds.isFinite, (0...6_000_000_000).contains(seconds) else { return nil }
    return reference * 1_000_000_000 + Int64(seconds * 1_000_000) * 1000
  }

  /// Reads seconds since 1970-01-01T00:00:00Z.
  static func nanoseconds(since1970 text: some StringProtocol) -> Int64? {
    guard let seconds = Double(text), seconds.isFinite, (0...7_000_000_000).contains(seconds) else { return nil }
    return Int64(seconds * 1_000_000) * 1000
  }
}
