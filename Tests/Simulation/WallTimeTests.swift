import EventSourcing
import JSON
import Testing

@testable import Simulation

@Suite("Times and values in scenarios")
struct WallTimeTests {
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
  func readable(text: String, nanoseconds: Int64, printed: String) {
    #expect(WallTime.nanoseconds(text) == nanoseconds)
    #expect(WallTime.text(nanoseconds) == printed)
  }

  @Test(
    "Text that is not a time is refused",
    arguments: [
      "", "2020", "2020-03-05", "2020-03-05T09:00:00", "2020-03-05 09:00:00Z", "2020-02-30T00:00:00Z",
      "2021-02-29T00:00:00Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2020-01-00T00:00:00Z",
      "2020-01-01T24:00:00Z", "2020-01-01T00:60:00Z", "2020-01-01T00:00:60Z", "2020-01-01T00:00:00.Z",
      "2020-01-01T00:00:00.1234567890Z", "2020-01-01T00:00:00+24:00", "2020-01-01T00:00:00Zz",
      "1677-12-31T00:00:00Z", "2262-01-01T00:00:00Z", "２020-01-01T00:00:00Z",
    ])
  func refused(_ text: String) {
    #expect(WallTime.nanoseconds(text) == nil)
  }

  @Test(
    "The earliest and the latest possible time are written",
    arguments: [(Int64.min, "1677-09-21T00:12:43.145224192Z"), (.max, "2262-04-11T23:47:16.854775807Z")])
  func ends(nanoseconds: Int64, printed: String) {
    #expect(WallTime.text(nanoseconds) == printed)
  }

  @Test("Every day of five centuries is read as it is written")
  func everyDay() {
    for day in Int64(-100_000)..<100_000 {
      let nanoseconds = day * 86_400_000_000_000
      guard WallTime.nanoseconds(WallTime.text(nanoseconds)) != nanoseconds else { continue }
      Issue.record("day \(day) is written as \(WallTime.text(nanoseconds))")
    }
  }

  @Test(
    "An expected value is compared by its meaning, and the actual value is written in the same form",
    arguments: [
      (#"true"#, StateValue.bool(true), "true"), ("7", .integer(7), "7"), ("-7", .integer(-7), "-7"),
      ("12", .sequence(12), "12"), (#""registered""#, .name("registered"), #""registered""#),
      (#""alice""#, .name("a1"), #""a1""#), (#""x y""#, .text("x y"), #""x y""#),
      (#""alice@contoso.com""#, .personal("alice@contoso.com", .account), #""alice@contoso.com""#),
      (#""1970-01-01T01:00:00+01:00""#, .time(0), #""1970-01-01T00:00:00Z""#),
      (#""PT1M30S""#, .duration(90_000_000_000), #""PT90S""#),
      (#""PT0.25S""#, .duration(250_000_000), #""PT0.25S""#),
      (#"["a", "b"]"#, .list([.text("a"), .name("b")]), #"["a", "b"]"#), ("null", .unset, "nothing"),
    ])
  func values(expected: String, value: StateValue, printed: String) throws {
    let numbered = { $0 == "alice" ? "a1" : $0 }
    let json = try JSONDocument.parse(expected).value
    #expect(ValueMatching.matches(json, .value(value), numbered: numbered))
    #expect(JSONExcerpt.$showsPersons.withValue(true) { ValueMatching.text(.value(value)) } == printed)
    for other: JSONValue in [false, 8, "another", [], ["a"]] {
      #expect(!ValueMatching.matches(other, .value(value), numbered: numbered))
    }
  }

  @Test("A secret is neither compared nor shown")
  func secrets() {
    let tree = StateTree.value(.personal("1234", .secret))
    #expect(!ValueMatching.matches("1234", tree, numbered: { $0 }))
    #expect(ValueMatching.text(tree) == "a secret")
  }

  @Test("An object lists parts of what is there")
  func parts() throws {
    let tree = StateTree.members([.init("a", .integer(1)), .init("b", .members([.init("c", .bool(true))]))])
    func matches(_ text: String) throws -> Bool {
      ValueMatching.matches(try JSONDocument.parse(text).value, tree, numbered: { $0 })
    }
    #expect(try matches(#"{"a": 1}"#))
    #expect(try matches(#"{"b": {"c": true}, "x": null}"#))
    #expect(try matches(#"{"b/c": true}"#))
    #expect(try !matches(#"{"b": {"c": false}}"#))
    #expect(try !matches(#"{"b": null}"#))
    #expect(try !matches("1"))
  }
}
