import Expectations
import Simulation
import Testing

@Suite("Unmet expectations and steps that cannot be carried out")
struct UnmetExpectationTests {
  @Test(
    "An unmet expectation names the expected and the actual value, and the event that set it",
    arguments: [
      (
        #"{"expect": {"state": {"/accounts/alice/enrollment/status": "registered"}}}"#,
        """
        s.json: line 9, column 60: /accounts/alice/enrollment/status
          expected  "registered"
          found     "enrolledWithPolicy"
          set by    6 enrollment.succeeded 2026-10-05T09:00:00Z
        """
      ),
      (
        #"{"expect": {"state": {"/policies/alice/pinRequired": null}}}"#,
        """
        s.json: line 9, column 54: /policies/alice/pinRequired
          expected  nothing
          found     true
          set by    7 policy.received 2026-10-05T09:00:00Z
        """
      ),
      (
        #"{"expect": {"state": {"/policies/bob": {"version": 1}}}}"#,
        """
        s.json: line 9, column 40: /policies/bob
          expected  {"version":1}
          found     nothing
        """
      ),
      (
        #"{"expect": {"callbacks": ["enrollmentRequest alice 103"]}}"#,
        """
        s.json: line 9, column 26: callbacks
          expected  enrollmentRequest alice 103
          found     enrollmentRequest alice 100, PolicyDidChange alice, restartApplication
        """
      ),
      (
        #"{"expect": {"eventsContain": ["policy.received", "enrollment.succeeded"]}}"#,
        """
        s.json: line 9, column 30: events
          expected  including policy.received, enrollment.succeeded
          found     settings.changed, process.started, account.introduced, account.registered, \
        enrollment.requested, enrollment.succeeded, policy.received, restart.required, restart.answered
        """
      ),
      (
        #"{"expect": {"pending": ["checkIn alice"]}}"#,
        """
        s.json: line 9, column 24: pending
          expected  checkIn alice
          found     none
        """
      ),
      (
        #"{"expect": {"decisions": [{"managed": "alice", "is": true}]}}"#,
        """
        s.json: line 9, column 27: managed alice
          expected  true
          found     false: the account's first policy is enforced from the next launch on
          set by    7 policy.received 2026-10-05T09:00:00Z
        """
      ),
      (
        #"{"expect": {"decisions": [{"identity": "ui", "is": "alice"}]}}"#,
        """
        s.json: line 9, column 27: identity ui
          expected  alice
          found     unset: nothing is set
        """
      ),
      (
        #"{"restart": {}}, {"expect": {"decisions": [{"saveTo": "box", "account": "alice", "owner": "alice", "is": "denied"}]}}"#,
        """
        s.json: line 9, column 44: saveTo box of alice, owner alice
          expected  denied
          found     allowed by saveTo.3: the owner may send data to all apps, which leaves saving copies unrestricted
        """
      ),
      (
        #"{"registerAndEnroll": "alice"}"#,
        """
        s.json: line 9, column 1: rejected
          expected  the command is accepted
          found     refused by T2: alice is registered already: nothing to do
        """
      ),
      (
        #"{"checkIn": "alice"}, {"expect": {"rejected": "T2"}}"#,
        """
        s.json: line 9, column 47: rejected
          expected  refused by T2
          found     the command was accepted
        """
      ),
    ])
  func unmet(step: String, expected: String) throws {
    let run = try Run("{\"launch\": {}}, {\"registerAndEnroll\": \"alice\"},\n\(step)")
    expectEqual(run.unmet, [expected])
  }

  @Test("Every unmet expectation is reported, and the journal is kept for inspection")
  func all() throws {
    let run = try Run(
      #"{"launch": {}}, {"expect": {"state": {"/process/launch": 2}}}, {"expect": {"state": {"/process/launch": 3}}}"#)
    expectEqual(run.result.unmet.map(\.expected), ["2", "3"])
    expectEqual(run.result.unmet.map(\.found), ["1", "1"])
    try expectEqual(run.types, ["settings.changed", "process.started", "process.ended"])
  }

  @Test(
    "A step that cannot run in its place is reported with the place, the reason and the next step",
    arguments: [
      (
        #"{"checkIn": "alice"}"#,
        "s.json: line 8, column 1: the app is not running; launch it first"
      ),
      (
        #"{"launch": {}}, {"launch": {}}"#,
        "s.json: line 8, column 17: the app is already running; write \"restart\", or let it exit or crash first"
      ),
      (#"{"crash": "now"}"#, "s.json: line 8, column 1: no process is running that could crash; launch the app first"),
      (
        #"{"at": "2026-10-05T08:59:59Z"}"#,
        "s.json: line 8, column 1: the clock already shows 2026-10-05T09:00:00Z; "
          + "name a later time, or set the clock back with the step \"clock\""
      ),
      (
        #"{"clock": {"setAhead": "P100000D"}}"#,
        "s.json: line 8, column 1: the clock would leave the years 1678 to 2261; move it by less"
      ),
      (
        #"{"launch": {}}, {"remediate": "alice"}, {"restart": {}}"#,
        "s.json: line 8, column 41: the service is asked to make alice compliant, but the scenario gives no answer; "
          + "add a step \"service\" or \"compliance\" before this one"
      ),
      (
        #"{"launch": {}}, {"damage": {"event": 99, "offset": 0, "flipBit": 0}}"#,
        "s.json: line 8, column 17: the journal has no such event or segment; "
          + "inspect the journal that the scenario writes without this step"
      ),
      (
        #"{"launch": {}}, {"damage": {"file": "HEAD", "cut": 100000}}"#,
        "s.json: line 8, column 17: HEAD has 576 bytes, so byte 100000 is outside it; "
          + "inspect the journal that the scenario writes without this step"
      ),
    ])
  func outOfPlace(steps: String, expected: String) throws {
    try expectEqual(Run.error(steps), expected)
  }

  @Test("Nothing is overwritten, and a scenario that fails leaves nothing behind")
  func target() throws {
    let folder = try TemporaryFolder()
    func run(_ steps: String, into name: String) throws {
      let scenario = try Scenario(Array(Run.text(steps).utf8), file: "s.json")
      _ = try ScenarioRunner.runBothWays(scenario, into: "\(folder.path)/\(name)")
    }
    try run(#"{"launch": {}}"#, into: "journal")
    let bytes = Files.contents(of: folder.path + "/journal").map(\.bytes)
    let error = #expect(throws: ScenarioError.self) { try run(#"{"launch": {}}"#, into: "journal") }
    expectEqual(
      error?.description,
      "\(folder.path)/journal: the path already exists, and existing files are never overwritten; "
        + "name a folder that does not exist, or remove this one")
    expectEqual(Files.contents(of: folder.path + "/journal").map(\.bytes), bytes)
    #expect(throws: ScenarioError.self) { try run(#"{"launch": {}}, {"launch": {}}"#, into: "other") }
    expectEqual(Files.names(in: folder.path), ["journal"])
    #expect(throws: ScenarioError.self) { try run(#"{"launch": {}}"#, into: "no/such/folder") }
  }

  @Test("Damage hits the byte it names")
  func damage() throws {
    let steps = #"{"launch": {}}, {"exit": {}}"#
    let sound = try Run(steps)
    let flipped = try Run(#"\#(steps), {"damage": {"file": "HEAD", "offset": -1, "flipBit": 7}}"#)
    let cut = try Run(#"\#(steps), {"damage": {"file": "last segment", "cut": -3}}"#)
    func bytes(_ run: Run, _ suffix: String) -> [UInt8] {
      Files.contents(of: run.journal).first { $0.name.hasSuffix(suffix) }?.bytes ?? []
    }
    let head = bytes(sound, "HEAD")
    expectEqual(bytes(flipped, "HEAD"), head.dropLast() + [(head.last ?? 0) ^ 0x80])
    expectEqual(bytes(cut, ".seg"), Array(bytes(sound, ".seg").dropLast(3)))
  }
}
