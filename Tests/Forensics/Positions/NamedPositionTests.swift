import Expectations
import Forensics
import Testing

@Suite("Positions as people write them")
struct NamedPositionTests {
  private static let second: Int64 = 1_000_000_000
  private static let june: Int64 = 1_590_969_600 * second

  @Test(
    "Every form is read",
    arguments: [
      ("42", .sequence(42)), ("0", .sequence(0)), ("18446744073709551615", .sequence(.max)),
      ("start", .start), ("end", .end), ("end~3", .beforeEnd(3)), ("end~0", .beforeEnd(0)),
      ("2020-06", .time(first: june, last: june + 30 * 86_400 * second - 1)),
      ("2020-06-01", .time(first: june, last: june + 86_400 * second - 1)),
      ("2020-06-01T00:00Z", .time(first: june, last: june + 60 * second - 1)),
      ("2020-06-01 00:00", .time(first: june, last: june + 60 * second - 1)),
      ("2020-06-01T02:00:00+02:00", .time(first: june, last: june + second - 1)),
      ("2020-06-01T00:00:00.000000001Z", .time(first: june + 1, last: june + 1)),
      ("2020-12", .time(first: june + 183 * 86_400 * second, last: june + 214 * 86_400 * second - 1)),
      ("10:30", .timeOfDay(first: 37_800 * second, last: 37_860 * second - 1)),
      ("9:05:07Z", .timeOfDay(first: 32_707 * second, last: 32_708 * second - 1)),
      ("-2h", .beforeLastEvent(nanoseconds: 7200 * second)),
      ("-1d", .beforeLastEvent(nanoseconds: 86_400 * second)),
      ("-90s", .beforeLastEvent(nanoseconds: 90 * second)),
      ("wipe.requested", .lastOfType("wipe.requested")),
      ("wipe.requested#2", .occurrence("wipe.requested", 2)),
    ] as [(String, NamedPosition)])
  func forms(text: String, expected: NamedPosition) throws {
    try expectEqual(NamedPosition(text), expected)
  }

  @Test(
    "Text that is not a position is refused with the reason and an example",
    arguments: [
      ("", "the position is empty; write one like 42, end~3, 2026-10-05T10:00Z, 10:30 or -2h"),
      ("wipe", "\"wipe\" is not a position; write one like 42, end~3, 2026-10-05T10:00Z, 10:30 or -2h"),
      (
        "18446744073709551616",
        "18446744073709551616 is larger than any event's number; write one like 42, end~3, 2026-10-05T10:00Z, 10:30 or -2h"
      ),
      ("end~", "\"end~\" has no number after \"~\"; write end~3 for the fourth last"),
      (
        "end~99999999999999999999",
        "the number in \"end~99999999999999999999\" is too large; write end~3 for the fourth last"
      ),
      (
        "a.b#99999999999999999999",
        "the number in \"a.b#99999999999999999999\" is too large; write a.b#2 for the second one"
      ),
      (
        "-99999999999999999999h",
        "the number in \"-99999999999999999999h\" is too large; write start instead"
      ),
      ("-2x", "\"-2x\" is not a time before the last event; write a number and one of s, m, h, d, w, such as -2h"),
      ("-9999999w", "\"-9999999w\" reaches back more than 100 years; write start instead"),
      (
        "2020-13",
        "\"2020-13\" is not a date or time; write one like 2020-06, 2020-06-01 or 2020-06-01T10:00Z (times are UTC)"
      ),
      (
        "2021-02-29",
        "\"2021-02-29\" is not a date or time; write one like 2020-06, 2020-06-01 or 2020-06-01T10:00Z (times are UTC)"
      ),
      ("25:00", "\"25:00\" is not a time of day; write hours and minutes such as 10:30, in UTC"),
      ("a.b#0", "\"a.b#0\" has no number after \"#\"; write a.b#2 for the second one"),
    ])
  func refusals(text: String, message: String) {
    let error = #expect(throws: PositionError.self) { try NamedPosition(text) }
    expectEqual(error?.description, message)
  }

  @Test("Ranges have two ends, one, or are a position")
  func ranges() throws {
    try expectEqual(NamedRange("41..46"), NamedRange(lower: .sequence(41), upper: .sequence(46)))
    try expectEqual(NamedRange("41.."), NamedRange(lower: .sequence(41), upper: .end))
    try expectEqual(NamedRange("..end~1"), NamedRange(lower: .start, upper: .beforeEnd(1)))
    try expectEqual(NamedRange(".."), .all)
    try expectEqual(NamedRange("7"), NamedRange(lower: .sequence(7), upper: .sequence(7)))
    try expectEqual(NamedRange("wipe.requested..end").lower, .lastOfType("wipe.requested"))
  }

  @Test("The last @ separates a journal from a position")
  func journals() throws {
    try expectEqual(JournalPosition("a@b/c@end"), JournalPosition(path: "a@b/c", position: .end))
    try expectEqual(JournalPosition("field.pj"), JournalPosition(path: "field.pj", position: nil))
    try expectEqual(JournalPosition("a@b/c"), JournalPosition(path: "a@b/c", position: nil))
    try expectEqual(JournalPosition("a@b.example/"), JournalPosition(path: "a@b.example/", position: nil))
    #expect(throws: PositionError.self) { try JournalPosition("@42") }
  }
}
