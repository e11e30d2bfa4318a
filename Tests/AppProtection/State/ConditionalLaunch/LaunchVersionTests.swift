import Expectations
import Testing

@testable import AppProtection

@Suite("Versions as launch conditions compare them")
struct LaunchVersionTests {
  @Test("S-74: missing numbers are 0, so versions of different lengths are equal")
  func equal() {
    for group in [["15", "15.0", "15.0.0", "15.0.0.0", "015"], ["16.4.1.a", "16.4.1 (a)", "16.4.1.A", "16.4.1 (A)"]] {
      for one in group {
        for other in group { expectEqual(LaunchVersion(one), LaunchVersion(other), "\(one) \(other)") }
      }
    }
  }

  @Test("S-74: versions are ordered number by number, and a security response is later than what it mends")
  func order() throws {
    let rising = [
      "0.9", "1", "1.0.0.1", "1.2", "1.10", "9.99.99", "14.8", "15.0", "15.0.1", "16.4.1", "16.4.1.a", "16.4.1.b",
      "16.4.1.1", "16.4.2", "17", "99999999999999999999",
    ]
    for (index, lower) in rising.enumerated() {
      for (other, higher) in rising.enumerated() {
        let versions = (try #require(LaunchVersion(lower)), try #require(LaunchVersion(higher)))
        #expect((versions.0 < versions.1) == (index < other), "\(lower) < \(higher)")
        #expect((versions.0 == versions.1) == (index == other), "\(lower) == \(higher)")
      }
    }
  }

  @Test(
    "Text that is no version has no value", arguments: ["", ".", "a", "1.", ".1", "1..2", "1.2.3.4.5", "1 2", "-1"])
  func malformed(text: String) {
    #expect(LaunchVersion(text) == nil)
    #expect(LaunchVersion(setting: text) == nil)
  }

  @Test("S-74: no text, the empty text, 0.0 and placeholders set nothing")
  func unset() {
    for text in [nil, "", "0", "0.0", "0.0.0.0", "Minimum Wipe Os Version value", "16.4.1 (", "16.4.1 (ab)", "1.ab"] {
      #expect(LaunchVersion(setting: text) == nil, "\(text ?? "nil")")
    }
    #expect(LaunchVersion(setting: "0.0.1") != nil)
  }
}
