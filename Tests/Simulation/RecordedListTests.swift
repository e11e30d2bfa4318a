import Expectations
import Testing

@testable import Simulation

@Suite("Lists of texts that repeat")
struct RecordedListTests {
  @Test("The items come back in their order, from any place on")
  func items() {
    var list = RecordedList()
    let texts = ["a", "b", "a", "", "b", "c"]
    for text in texts { list.append(text) }
    expectEqual(list.count, texts.count)
    for start in 0...texts.count + 1 { expectEqual(list.items(from: start), Array(texts.dropFirst(start))) }
  }
}
