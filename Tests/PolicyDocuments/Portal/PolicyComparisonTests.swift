import Expectations
import AppProtection
import PolicyDocuments
import Testing

@Suite("Policies that say the same")
struct PolicyComparisonTests {
  @Test("The texts of exempted schemes are sets, those of custom settings are the app's own")
  func pairs() throws {
    let rows: [(name: String, one: String, other: String, isSame: Bool)] = [
      ("exemptedAppProtocols", "b;a", "a;b;b", true), ("exemptedAppProtocols", "a", "a;b", false),
      ("customSettings", "b;a", "a;b;b", false), ("customSettings", "b;a", "a;b", false),
      ("customSettings", "b;a", "b;a", true),
    ]
    for row in rows {
      let property = try #require(PolicyProperty.all.first { $0.name == row.name })
      func policy(_ text: String) -> PolicyDocument {
        var policy = PolicyDocument()
        policy[property] = .value(.pairs([PolicyPair("list", text)]))
        return policy
      }
      expectEqual(property.isSame(in: policy(row.one), as: policy(row.other)), row.isSame, "\(row)")
    }
  }
}
