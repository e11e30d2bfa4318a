import Expectations
import AppProtection
import Testing

/// `pj compare` of histories that programs of different revisions of the rules wrote.
@Suite("Comparing across revisions of the rules")
struct ComparisonTests {
  /// Compares what two earlier revisions wrote of one day.
  private func compare(_ name: String, revision: UInt32, _ options: String...) -> ToolRun {
    let folder = "\(Repository.root)/Tests/Simulation/Golden"
    return ToolRun(["compare", "\(folder)/revision-\(revision)/\(name)", "\(folder)/revision-3/\(name)"] + options)
  }

  @Test("Where the rules alone differ that is said, with what does not count and what to do")
  func rulesOnly() {
    let run = compare("remediation-queue", revision: 2)
    expectEqual(run.code, .different)
    #expect(run.output.hasPrefix("same until  event 1 (1 event, found with "))
    #expect(
      run.lines.contains("then        metadata only: the same happened, but 2 events were recorded differently"))
    #expect(run.lines.contains("  reducerRevision  2 ≠ 3"))
    #expect(
      run.lines.contains(
        "rules       revision 2 ≠ revision 3 from event 2 on, and at 1 later start. The digests of states "
          + "recorded from there cannot be compared and do not count; what the events say does. The states at the end are by "
          + "revision \(AppProtectionMachine.revision) for both. Next: pj check for each, with a pj of its revision"),
      "\(run.output)")
    let records = compare("remediation-queue", revision: 2, "-j")
    #expect(
      records.output.contains(#""rules":{"at":[2,2],"revisions":[2,3],"starts":2},"reads":"#),
      "\(records.output)")
    let journal = Repository.journal("remediation-queue")
    #expect(ToolRun("compare", journal, journal, "-j").output.contains(#""rules":null,"#))
  }

  @Test("The first difference in what happened is found after other rules")
  func differenceBehind() {
    let run = compare("first-enrollment", revision: 1)
    expectEqual(run.code, .different)
    #expect(
      run.output.contains("; events 2–13 say the same but partly were recorded differently\n"), "\(run.output)")
    #expect(run.output.contains("then        gap: "))
    #expect(run.lines.contains { $0.contains("  14  2026-10-05T09:15:00Z  launch.evaluated") }, "\(run.output)")
    #expect(run.output.contains("rules       revision 1 ≠ revision 3 from event 2 on"))
  }
}
