import Expectations
import PlainText
import Testing

@Suite("Dates and times without a calendar")
struct CivilTimeTests {
  @Test(
    "Nanoseconds become the date and time of the Gregorian calendar",
    arguments: [
      (0, "1970-01-01T00:00:00Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00Z"),
      (1_583_398_861_500_000_000, "2020-03-05T09:01:01.5Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (4_107_542_399_000_000_000, "2100-02-28T23:59:59Z"),
      (4_107_542_400_000_000_000, "2100-03-01T00:00:00Z"),
      (Int64.max, "2262-04-11T23:47:16.854775807Z"),
      (Int64.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func text(nanoseconds: Int64, expected: String) {
    expectEqual(CivilTime(nanoseconds: nanoseconds).text, expected)
    expectEqual(CivilTime(nanoseconds: nanoseconds).nanoseconds, nanoseconds)
  }

  @Test("Every half day of four hundred years follows the one before it")
  func daysFollowEachOther() {
    var time: Int64 = -9_000_000_000_000_000_000
    var previous = CivilTime(nanoseconds: time)
    for halfDay in 1..<146_097 * 2 {
      time += 43_200_000_000_000
      let next = CivilTime(nanoseconds: time)
      let isLater =
        (next.year, next.month, next.day, next.hour) > (previous.year, previous.month, previous.day, previous.hour)
      #expect(isLater, "after half a day \(halfDay)")
      guard isLater, next.nanoseconds == time else { return }
      previous = next
    }
    expectEqual(time, 3_622_737_600_000_000_000)
  }

  @Test("A day or time that does not exist is refused")
  func invalid() {
    #expect(CivilTime(year: 2021, month: 2, day: 29) == nil)
    #expect(CivilTime(year: 2020, month: 13) == nil)
    #expect(CivilTime(year: 2020, month: 1, day: 1, hour: 24) == nil)
    #expect(CivilTime(year: 9999)?.nanoseconds == nil)
  }

  @Test(
    "A time is read and written according to RFC 3339",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
      ("2020-03-05T09:00:00Z", 1_583_398_800_000_000_000, "2020-03-05T09:00:00Z"),
      ("2020-02-29T23:59:59.25+01:00", 1_583_017_199_250_000_000, "2020-02-29T22:59:59.25Z"),
      ("1969-12-31T23:59:59.999999999Z", -1, "1969-12-31T23:59:59.999999999Z"),
      ("1900-03-01t00:00:00z", -2_203_891_200_000_000_000, "1900-03-01T00:00:00Z"),
      ("2261-12-31T23:59:59-23:59", 9_214_732_739_000_000_000, "2262-01-01T23:58:59Z"),
      ("1678-01-01T00:00:00+23:59", -9_214_646_340_000_000_000, "1677-12-31T00:01:00Z"),
    ])
  func readable(text: String, nanoseconds: Int64, printed: String) throws {
    try expectEqual(CivilTime.nanoseconds(rfc3339: text), nanoseconds)
    expectEqual(CivilTime(nanoseconds: nanoseconds).text, printed)
  }

  @Test(
    "Text that is not a time is refused",
    arguments: [
      "", "2020", "2020-03-05", "2020-03-05T09:00:00", "2020-03-05 09:00:00Z", "2020-02-30T00:00:00Z",
      "2021-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2020-01-00T00:00:00Z",
      "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z", "2020-01-01T00:00:00.Z",
      "2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00Zz", "２020-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
    ])
  func refused(_ text: String) {
    #expect(throws: CivilTime.ReadingError.malformed) { try CivilTime.nanoseconds(rfc3339: text) }
  }

  @Test("A fraction has nine digits at most, and a time has to fit in 64 bits")
  func limits() throws {
    try expectEqual(CivilTime.nanoseconds(rfc3339: "1970-01-01T00:00:00.123456789Z"), 123_456_789)
    #expect(throws: CivilTime.ReadingError.tooFine) {
      try CivilTime.nanoseconds(rfc3339: "1970-01-01T00:00:00.1234567890Z")
    }
    try expectEqual(CivilTime.nanoseconds(rfc3339: "2262-04-11T23:47:16.854775807Z"), .max)
    #expect(try CivilTime.nanoseconds(rfc3339: "2262-04-11T23:47:16.854775808Z") == nil)
    try expectEqual(CivilTime.nanoseconds(rfc3339: "1677-09-21T00:12:43.145224192Z"), .min)
    #expect(try CivilTime.nanoseconds(rfc3339: "1677-09-21T00:12:43.145224191Z") == nil)
    #expect(try CivilTime.nanoseconds(rfc3339: "0001-01-01T00:00:00Z") == nil)
  }

  @Test("Every day of five centuries is read as it is written")
  func everyDay() throws {
    for day in Int64(-100_000)..<100_000 {
      let nanoseconds = day * 86_400_000_000_000
      let text = CivilTime(nanoseconds: nanoseconds).text
      guard try CivilTime.nanoseconds(rfc3339: text) != nanoseconds else { continue }
      Issue.record("day \(day) is written as \(text)")
    }
  }
}
