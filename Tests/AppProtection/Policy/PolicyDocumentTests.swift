import Expectations
import Testing

@testable import AppProtection

@Suite("A policy as a value")
struct PolicyDocumentTests {
  @Test("Changing a copy leaves the original alone, in every group")
  func copies() throws {
    let original = PolicySamples.full
    let expected = PolicyWireFormatTests.encoded(original)
    for property in PolicyProperty.all {
      var copy = original
      copy[property] = .absent
      #expect(copy != original, "\(property.name)")
      copy = original
      property.write(&copy, nil)
      #expect(copy != original, "\(property.name)")
    }
    var copy = original
    copy.kind = .targetedPolicy
    copy.access.pinRequired = false
    copy.keptMembers = []
    #expect(copy != original)
    expectEqual(PolicyWireFormatTests.encoded(original), expected)
    try expectEqual(PolicyWireFormatTests.decoded(expected), original)
  }

  @Test("Policies are equal exactly when they are written as the same bytes")
  func equality() {
    var composed = PolicyDocument()
    composed.about.displayName = "\u{e9}"
    var decomposed = PolicyDocument()
    decomposed.about.displayName = "e\u{301}"
    expectEqual(composed.about.displayName, decomposed.about.displayName, "Swift takes the texts for equal")
    #expect(composed != decomposed)
    decomposed.about.displayName = "\u{e9}"
    expectEqual(composed, decomposed)
  }

  @Test("A value counts more than an earlier null")
  func valueAfterNull() throws {
    let property = try #require(PolicyProperty.named("pinRequired"))
    var policy = PolicyDocument()
    policy[property] = .null
    policy.access.pinRequired = true
    expectEqual(policy[property], .value(.flag(true)))
    var plain = PolicyDocument()
    plain.access.pinRequired = true
    expectEqual(policy, plain)
  }
}
