import Expectations
import PlainText
import Testing

@Suite("Numbers in sentences")
struct NumbersTests {
  @Test("Groups of three digits have commas between them")
  func grouped() {
    let numbers: [(Int64, String)] = [
      (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_234_567, "1,234,567"),
      (.min, "-9,223,372,036,854,775,808"),
    ]
    expectEqual(numbers.map(\.0.grouped), numbers.map(\.1))
    expectEqual(UInt64.max.grouped, "18,446,744,073,709,551,615")
  }

  @Test("What is counted has an s, or its own plural, for any number but one")
  func counted() {
    expectEqual([0, 1, 2, 9_112].map { $0.counted("event") }, ["0 events", "1 event", "2 events", "9,112 events"])
    expectEqual([1, 3].map { $0.counted("policy is", "policies are") }, ["1 policy is", "3 policies are"])
  }

  @Test("A number has zeros before it up to a width, in any radix")
  func padded() {
    expectEqual([7, 42, 1_234].map { $0.padded(to: 3) }, ["007", "042", "1234"])
    #expect(UInt64.max.padded(to: 20) == "18446744073709551615" && 0.padded(to: 0) == "0")
    expectEqual(0xBEEF.padded(to: 8, radix: 16), "0000beef")
  }
}
