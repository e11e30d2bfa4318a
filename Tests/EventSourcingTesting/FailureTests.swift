import EventSourcing
import EventSourcingTesting
import Expectations
import Testing

@Suite("What a failed expectation says")
struct FailureTests {
  private let clock = TestClock()

  /// An open till at noon.
  private func openTill() -> GivenEvents<Till> {
    clock.advance(by: .seconds(12 * 3_600))
    return given(Till.self, .opened(by: "Ada"), at: clock.now)
  }

  /// Expects a failure with this reason and this difference, in this file.
  private func expectFailure(
    _ reason: String, _ difference: [String] = [], line: UInt = #line, from body: (UInt) throws -> Void
  ) {
    let error = #expect(throws: ExpectationFailure.self) { try body(line) }
    expectEqual(error?.reason, reason)
    expectEqual(error?.difference, difference)
    expectEqual(error?.fileID, "EventSourcingTestingTests/FailureTests.swift")
    expectEqual(error?.line, line)
  }

  @Test("Events are compared field by field, beside those that are equal")
  func fields() {
    let outcome = given(Till.self, .opened(by: "Ada")).when(.sell("tea", cents: 250))
    expectFailure(
      "the command led to other events than expected",
      [
        "  event 2, article.sold", "    cents: 250", "−   article: coffee", "+   article: tea",
        "  event 3, discount.granted",
      ]
    ) { try outcome.then(.sold(cents: 250, article: "coffee"), .discounted(cents: 25), line: $0) }
  }

  @Test("Events that are missing or too many stand there with all their fields")
  func missing() {
    let outcome = given(Till.self, .opened(by: "Ada")).when(.sell("tea", cents: 250))
    expectFailure(
      "the command led to other events than expected",
      [
        "− event 2, discount.granted", "−   cents: 25", "+ event 2, article.sold", "+   cents: 250", "+   article: tea",
        "+ event 3, discount.granted", "+   cents: 25",
      ]
    ) { try outcome.then(.discounted(cents: 25), line: $0) }
    expectFailure(
      "the command led to other events than expected",
      [
        "  event 2, article.sold", "  event 3, discount.granted", "− event 4, till.opened", "−   by: Bob",
      ]
    ) {
      try outcome.then(.sold(cents: 250, article: "tea"), .discounted(cents: 25), .opened(by: "Bob"), line: $0)
    }
  }

  @Test("A refusal in place of events, and events in place of a refusal, are shown with what was expected")
  func refusal() {
    let closed = given(Till.self).when(.sell("tea", cents: 250))
    expectFailure(
      "the command was refused, and events were expected",
      ["− event 1, article.sold", "−   cents: 250", "+ refused: the till is closed"]
    ) { try closed.then(.sold(cents: 250), line: $0) }
    let open = openTill().when(.sell("tea", cents: 250))
    expectFailure(
      "the command led to events, and a refusal was expected",
      ["− refused: the till is closed", "+ event 2, article.sold", "+   cents: 250", "+   article: tea"]
    ) { try open.then(.isClosed, line: $0) }
  }

  @Test("Another refusal is shown by its words, and where these are the same by its value")
  func otherRefusal() {
    let outcome = openTill().when(.open("Bob"))
    expectFailure(
      "the command was refused for another reason than expected",
      ["− refused: the till is closed", "+ refused: the till is open"]
    ) { try outcome.then(.isClosed, line: $0) }
    expectFailure(
      "the command was refused for another reason than expected",
      [
        "  refused: the till is open", "  ▿ the till is open", "    ▿ isOpen: (1 element)", "−     - since: 1",
        "+     - since: 2",
      ]
    ) { try outcome.then(.isOpen(since: 1), line: $0) }
  }

  @Test("States are compared path by path: what a test does not mention must not change")
  func state() throws {
    let outcome = openTill().when(.sell("tea", cents: 250))
    try outcome.then(.sold(cents: 250, article: "tea"))
    try outcome.then(.sold(cents: 250, article: "tea")) { $0.cents = 250 }
    expectFailure(
      "the state after the command is another one than expected",
      ["− /isOpen: false", "+ /isOpen: true", "− /cents: 0", "+ /cents: 250"]
    ) { try outcome.then(.sold(cents: 250, article: "tea"), line: $0) { $0.isOpen = false } }
  }

  @Test("A property that the list of fields lacks is named as one that a journal would lose")
  func unlisted() {
    let lost = "  all listed fields are equal: a property that the list lacks differs, which a journal would lose"
    let outcome = openTill().when(.note("tea is out", draft: "tea"))
    expectFailure(
      "the command led to other events than expected",
      [
        "  event 2, note.taken", lost, "  ▿ EventSourcingTestingTests.TillEvent.noted", "    ▿ noted: (2 elements)",
        "      - text: \"tea is out\"", "−     - draft: \"\"", "+     - draft: \"tea\"",
      ]
    ) { try outcome.then(.noted(text: "tea is out"), line: $0) }
    expectFailure(
      "the state after the command is another one than expected",
      [
        lost, "  ▿ EventSourcingTestingTests.TillState", "    - isOpen: true", "    - cents: 0", "−   - notes: 0",
        "+   - notes: 1",
      ]
    ) { try outcome.then(.noted(text: "tea is out", draft: "tea"), line: $0) { _ in } }
  }

  @Test("Rules that decide elsewhere than they were asked are found, as a store would find them")
  func elsewhere() {
    let outcome = openTill().when(.note("elsewhere"))
    expectFailure(
      "the rules decided the events for another position or moment than they were given, so a store would refuse them; begin"
        + " DecidedEvents with the arguments of 'decide'"
    ) { try outcome.then(.noted(text: "elsewhere"), line: $0) }
  }

  @Test("The moment is that of the events before, unless the command has its own")
  func moments() throws {
    let next = try openTill().when(.sell("tea", cents: 250)).then(.sold(cents: 250, article: "tea"))
    clock.advance(by: .seconds(12 * 3_600))
    try next.when(.sell("tea", cents: 250), at: clock.now)
      .then(.sold(cents: 250, article: "tea"), .discounted(cents: 25)) { $0.cents = 475 }
    let noon = next.and(.discounted(cents: 50))
    #expect(noon.state.cents == 200 && noon.sequence == 3 && noon.moment == next.moment)
  }

  @Test("A long difference ends after 200 lines, with the number of the others")
  func long() {
    let error = #expect(throws: ExpectationFailure.self) {
      try given(Till.self, .opened(by: "Ada")).when(.stock("tea", count: 70)).then()
    }
    expectEqual(error?.difference.count, 201)
    expectEqual(error?.difference.last, "  … 10 more lines")
  }
}
