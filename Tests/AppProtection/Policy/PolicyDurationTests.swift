import Expectations
import Testing

@testable import AppProtection

@Suite("Durations and dates in policies")
struct PolicyDurationTests {
  @Test(
    "Durations of a fixed length are read, and keep their text",
    arguments: [
      ("PT12H", 43_200_000_000_000), ("PT30M", 1_800_000_000_000), ("P90D", 7_776_000_000_000_000), ("PT0S", 0),
      ("P365D", 31_536_000_000_000_000), ("PT2M4.5004762S", 124_500_476_200), ("PT17.1357909S", 17_135_790_900),
      ("P1DT2H3M4.000000005S", 93_784_000_000_005), ("P2W", 1_209_600_000_000_000), ("PT720M", 43_200_000_000_000),
      ("P1DT1S", 86_401_000_000_000), ("PT1H1S", 3_601_000_000_000), ("P0D", 0),
      ("P106751D", 9_223_286_400_000_000_000),
      ("PT9223372036.854775807S", Int64.max),
    ])
  func durations(_ text: String, _ nanoseconds: Int64) throws {
    let duration = try PolicyDuration(text)
    expectEqual(duration.nanoseconds, nanoseconds)
    expectEqual(duration.text, text)
  }

  @Test(
    "Everything else is refused by the reason",
    arguments: [
      ("-PT17.1357909S", PolicyTextError.Code.negativeDuration), ("-P1D", .negativeDuration),
      ("-PT0S", .negativeDuration),
      ("P1Y", .calendarDuration), ("P2M", .calendarDuration), ("P1Y2M3D", .calendarDuration),
      ("P1M1D", .calendarDuration),
      ("", .malformed), ("P", .malformed), ("PT", .malformed), ("-", .malformed), ("-P", .malformed),
      ("12", .malformed),
      ("PT12", .malformed), ("12H", .malformed), ("P12H", .malformed), ("PT5D", .malformed), ("PT1M1H", .malformed),
      ("PT1H1H", .malformed), ("P1DT", .malformed), ("PT1.5H", .malformed), ("PT.5S", .malformed),
      ("PT1.S", .malformed),
      ("PT1,5S", .malformed), ("+PT1S", .malformed), ("pt1s", .malformed), ("PT1S ", .malformed), ("P1W1D", .malformed),
      ("P1DT1H1W", .malformed), ("PT-1S", .malformed), ("PTS", .malformed), ("P1WT1H", .malformed),
      ("PT1ST", .malformed),
      ("PT9223372036.854775808S", .tooLong), ("P106752D", .tooLong), ("P99999999999999999999D", .tooLong),
      ("PT1.1234567891S", .tooFine), ("P½D", .malformed), ("12:00:00", .malformed),
    ])
  func refusals(_ text: String, _ code: PolicyTextError.Code) throws {
    let error = try #require(throws: PolicyTextError.self) { try PolicyDuration(text) }
    expectEqual(error.code, code, "\(error)")
  }

  @Test(
    "Dates are read with seven digits and an offset, and keep their text",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2017-01-01T00:02:43.5775965-08:00", 1_483_257_763_577_596_500),
      ("2021-09-30T17:05:00Z", 1_633_021_500_000_000_000), ("2000-02-29T23:59:59.9+14:00", 951_818_399_900_000_000),
      ("1969-12-31T23:59:59.5Z", -500_000_000), ("2262-01-01T00:00:00Z", 9_214_646_400_000_000_000),
      ("2100-02-28T00:00:00Z", 4_107_456_000_000_000_000), ("2100-03-01T00:00:00Z", 4_107_542_400_000_000_000),
      ("1900-03-01T00:00:00Z", -2_203_891_200_000_000_000), ("1900-02-28T00:00:00Z", -2_203_977_600_000_000_000),
      ("1700-12-31T00:00:00Z", -8_488_886_400_000_000_000), ("2000-03-01T00:00:00Z", 951_868_800_000_000_000),
      ("0001-01-01T00:00:00Z", nil), ("9999-12-31T23:59:59.9999999Z", nil),
      ("2020-02-29T00:00:00+00:00", 1_582_934_400_000_000_000),
    ] as [(String, Int64?)])
  func dates(_ text: String, _ nanoseconds: Int64?) throws {
    let date = try PolicyDate(text)
    expectEqual(date.nanoseconds, nanoseconds)
    expectEqual(date.text, text)
  }

  @Test(
    "What is not a date is refused",
    arguments: [
      "", "2021-09-30", "2021-09-30T17:05:00", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2021-13-01T00:00:00Z",
      "2021-00-01T00:00:00Z", "2021-01-32T00:00:00Z", "2021-01-00T00:00:00Z", "2021-01-01T24:00:00Z",
      "2021-01-01T00:60:00Z", "2021-01-01T00:00:60Z", "2021-01-01 00:00:00Z", "2021-01-01T00:00:00.Z",
      "2021-01-01T00:00:00+15:00", "2021-01-01T00:00:00+0000", "2021-01-01T00:00:00ZZ", "+021-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z", "2021-01-01T00:00:00.1234567891Z", "/Date(1483257763577)/",
    ])
  func refusedDates(_ text: String) throws {
    let error = try #require(throws: PolicyTextError.self) { try PolicyDate(text) }
    expectEqual(error.code, text.contains("1234567891") ? .tooFine : .malformed)
  }

  @Test("Errors give the reason and the next step")
  func descriptions() throws {
    let error = try #require(throws: PolicyTextError.self) { try PolicyDuration("-PT1S") }
    expectEqual(error.description, "the duration is negative; write a duration of zero or more, such as PT12H")
  }
}
