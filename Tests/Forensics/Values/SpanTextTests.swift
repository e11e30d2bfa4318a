import Expectations
import Forensics
import Testing

@Suite("Lengths of time")
struct SpanTextTests {
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
    expectEqual(SpanText.clock(nanoseconds: nanoseconds), clock)
    expectEqual(SpanText.iso8601(nanoseconds: nanoseconds), iso)
  }
}
