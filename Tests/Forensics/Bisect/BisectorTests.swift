import Expectations
import Forensics
import Testing

@Suite("Bisector")
struct BisectorTests {
  @Test("The first bad event is found in as many questions as the logarithm of the distance")
  func search() {
    for first in UInt64(1)...100 {
      var halving = Bisector(good: 0, bad: 100)
      var asked = 0
      while let next = halving.next {
        halving.record(next >= first ? .bad : .good, at: next)
        asked += 1
      }
      expectEqual(halving.suspects, first...first)
      #expect(asked <= 7)
    }
  }

  @Test("Events that cannot be tested leave several suspects, among them the first bad one")
  func skipping() {
    for first in UInt64(1)...40 {
      var halving = Bisector(good: 0, bad: 40)
      while let next = halving.next {
        halving.record(next % 3 != 0 ? .skipped : next >= first ? .bad : .good, at: next)
      }
      #expect(halving.suspects.contains(first))
      #expect(halving.suspects.count <= 3)
    }
  }

  @Test("Nothing is asked between two events that follow each other", arguments: [0, 7, UInt64.max - 1] as [UInt64])
  func neighbours(good: UInt64) {
    #expect(Bisector(good: good, bad: good + 1).next == nil)
    #expect(Bisector(good: good, bad: good).next == nil)
  }
}
