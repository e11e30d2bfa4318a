import Expectations
import JSON
import Testing

/// A journal whose first event records that revision 4 took over a state of revision 3.
@Suite("Journals with a migration, through pj")
struct MigratedJournalTests {
  private static var path: String {
    _ = Repository.root
    return "Tests/Simulation/Updates/frozen/revision-4-migrated"
  }

  @Test(
    "Every command knows the type by its name and its fields",
    arguments: [
      (
        ["log", path],
        "state.migrated                      revision 4 takes over the state of revision 3, stored after event 43\n"
      ),
      (["log", path, "--type", "state.migrated"], "1 of 3 events"),
      (["log", path, "--type", "state.*", "-j"], #""type":"state.migrated","typeNumber":4294967040"#),
      (["show", path, "44"], "event 44  state.migrated"),
      (["show", path, "state.migrated", "-j"], #""from":3,"to":4,"checkpoint":43"#),
      (["stats", path], "state.migrated       1"),
      (["state", path, "--at", "state.migrated", "--path", "/process/launch"], "2"),
      (["diff", path, "43", "44"], "no difference"),
      (["blame", path, "/process/launch"], "set by  45  process.started"),
      (["verify", path], "Sound: 3 events"),
      (["check", path], "Agrees"),
      (["schema", "state.migrated"], "state.migrated  type 4294967040, version 1, must be understood"),
      (["completions", "bash"], "state.migrated"),
    ])
  func commands(_ words: [String], _ expected: String) {
    let run = ToolRun(words)
    expectEqual(run.code, .done, "\(words): \(run.notes)")
    #expect(run.output.contains(expected), "\(words): \(run.output)")
    #expect(!run.output.contains("type 4294967040 "), "\(words): \(run.output)")
  }

  @Test("Both readers agree about it")
  func independentReader() throws {
    try expectEqual(IndependentReaderTests().differs(on: Self.path), [])
  }
}
