import Expectations
import EventSourcing
import JSON
import Testing

@testable import Simulation

@Suite("Values in scenarios")
struct ValueMatchingTests {
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
    expectEqual(JSONExcerpt.$showsPersons.withValue(true) { ValueMatching.text(.value(value)) }, printed)
    for other: JSONValue in [false, 8, "another", [], ["a"]] {
      #expect(!ValueMatching.matches(other, .value(value), numbered: numbered))
    }
  }

  @Test("A secret is neither compared nor shown")
  func secrets() {
    let tree = StateTree.value(.personal("1234", .secret))
    #expect(!ValueMatching.matches("1234", tree, numbered: { $0 }))
    expectEqual(ValueMatching.text(tree), "a secret")
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
