import AppProtection
import AppProtectionInsight
import Expectations
import Testing

/// The names that findings and explanations mention lead somewhere.
@Suite("pj help on rules")
struct RuleHelpTests {
  @Test("Every status code, family, launch condition and mistake has a text")
  func complete() {
    let names =
      EnrollmentStatusCode.table.map { "\($0.code.rawValue)" } + ProblemFamily.allCases.map(\.id)
      + LaunchRule.allCases.map(\.id) + TraceFinding.Kind.allCases.map(\.rawValue)
    for name in names {
      let run = ToolRun("help", name)
      #expect(run.code == .done && run.output.hasPrefix(name) && run.output.contains("."), "\(name): \(run.output)")
    }
  }

  @Test("A code says what user, administrator and developer can do")
  func roles() {
    let text = ToolRun("help", "222").output
    for word in ["tenantMigration", "user", "administrator", "developer", "license"] {
      #expect(text.contains(word), "\(word)")
    }
    expectEqual(ToolRun("help", "299").code, .wrongUse)
    expectEqual(ToolRun("help", "t39").output, ToolRun("help", "T39").output)
  }
}
