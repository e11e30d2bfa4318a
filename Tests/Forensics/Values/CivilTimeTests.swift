import Forensics
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
    #expect(CivilTime(nanoseconds: nanoseconds).text == expected)
    #expect(CivilTime(nanoseconds: nanoseconds).nanoseconds == nanoseconds)
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
    #expect(time == 3_622_737_600_000_000_000)
  }

  @Test("A day or time that does not exist is refused")
  func invalid() {
    #expect(CivilTime(year: 2021, month: 2, day: 29) == nil)
    #expect(CivilTime(year: 2020, month: 13) == nil)
    #expect(CivilTime(year: 2020, month: 1, day: 1, hour: 24) == nil)
    #expect(CivilTime(year: 9999)?.nanoseconds == nil)
  }

  @Test(
    "A length of time has a clock form and an ISO 8601 form",
    arguments: [
      (0, "00:00:00", "PT0S"),
      (3_578_000_000_000, "00:59:38", "PT59M38S"),
      (90_000_000_000_000, "1d 01:00:00", "P1DT1H"),
      (-1_500_000_000, "-00:00:01", "-PT1.5S"),
      (Int64.min, "-106751d 23:47:16", "-P106751DT23H47M16.854775808S"),
    ] as [(Int64, String, String)])
  func spans(nanoseconds: Int64, clock: String, iso: String) {
    #expect(SpanText.clock(nanoseconds: nanoseconds) == clock)
    #expect(SpanText.iso8601(nanoseconds: nanoseconds) == iso)
  }
}
