import Expectations
import Testing

@testable import AppProtection

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The article about conditional launch")
struct LaunchArticleTests {
  private static let article: String = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5).joined(separator: "/")
    guard let file = fopen("\(root)/Sources/AppProtection/AppProtection.docc/ConditionalLaunch.md", "r") else {
      return ""
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }()

  @Test("Every rule and every outcome of the code stands in it, and no other rule")
  func rules() {
    for rule in LaunchRule.allCases { #expect(Self.article.contains("| `\(rule.id)` |"), "\(rule.id)") }
    for outcome in LaunchOutcome.allCases { #expect(Self.article.contains("`\(outcome.name)`"), "\(outcome)") }
    for refusal in PINRefusal.allCases { #expect(Self.article.contains("`pin.\(refusal)`"), "\(refusal)") }
    let others = ["launch.resume", "launch.evaluated", "launch.account", "launch.checkIn", "launch.claimed"]
    let known = Set(LaunchRule.allCases.map(\.id) + others)
    for word in Self.article.split(whereSeparator: { $0 == "`" || $0 == " " }) where word.hasPrefix("launch.") {
      #expect(known.contains(String(word)), "\(word)")
    }
  }

  @Test("Every setting that a rule reads stands in it, and is one of the policy's")
  func settings() {
    for rule in LaunchRule.allCases {
      for outcome in LaunchOutcome.allCases {
        for setting in rule.settings(for: outcome) {
          expectEqual(PolicyProperty.named(setting)?.effect, .steersDecisions, "\(setting)")
        }
        // The row says "its action" where the policy has one.
        let shown = rule.settings(for: outcome).filter { !$0.hasPrefix("appAction") && !$0.hasSuffix("Action") }
        for setting in shown { #expect(Self.article.contains("`\(setting)`"), "\(setting)") }
      }
    }
  }

  @Test("Every assumption after a rule stands in it under its name")
  func assumptions() {
    let names = Set(LaunchRule.allCases.compactMap(\.assumption)).union([
      "launchOrder", "wipeVersionInclusive", "unreportedFactsPass", "uncertainClockStatusCountsAsOut",
      "failedCheckInEndsOfflineStay", "oldSDKCountsAnyAnswer",
    ])
    for name in names {
      #expect(Self.article.contains("`\(name)`"), "\(name)")
      #expect(Assumptions.descriptor.fields.contains { $0.name == name }, "\(name)")
    }
  }
}
