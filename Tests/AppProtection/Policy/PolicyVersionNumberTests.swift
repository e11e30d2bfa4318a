import Expectations
import AppProtection
import Testing

@Suite("Versions in policies")
struct PolicyVersionNumberTests {
  @Test("Missing numbers are zero, and a suffix does not count")
  func equality() {
    for text in ["15", "15.0", "15.0.0", "15.0.0.0", "15.", "15.a", "15 (a)", "15-beta"] {
      expectEqual(PolicyVersionNumber(text)?.numbers, [15], "\(text)")
    }
    expectEqual(PolicyVersionNumber("16.4.1.a")?.numbers, [16, 4, 1])
    expectEqual(PolicyVersionNumber("16.4.1 (a)")?.numbers, [16, 4, 1])
    expectEqual(PolicyVersionNumber("2020-01-05")?.numbers, [2020, 1, 5])
    expectEqual(PolicyVersionNumber("99999999999.1")?.numbers, [.max, 1])
  }

  @Test("An empty text and zeros are no version, and other text is none either")
  func unset() {
    for text in ["", "0", "0.0", "0.0.0"] {
      #expect(PolicyVersionNumber(text) == nil && PolicyVersionNumber.isUnset(text), "\(text)")
    }
    #expect(PolicyVersionNumber.isUnset(nil))
    for text in ["x", ".", "v15", "Minimum Wipe Os Version value"] {
      #expect(PolicyVersionNumber(text) == nil && !PolicyVersionNumber.isUnset(text), "\(text)")
    }
  }

  @Test("Versions are compared number by number")
  func order() throws {
    let rising = ["9", "9.0.1", "9.1", "9.10", "10.0", "14.8", "15.0.1", "16.4.1.a", "16.5"]
    for (index, one) in rising.enumerated() {
      for (place, other) in rising.enumerated() {
        let (a, b) = (try #require(PolicyVersionNumber(one)), try #require(PolicyVersionNumber(other)))
        #expect((a < b) == (index < place), "\(one) \(other)")
      }
    }
  }
}
