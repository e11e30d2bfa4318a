import Expectations
import AppProtection
import EventSourcing
import Journal
import Simulation
import Testing

@Suite("Crashes in scenarios")
struct CrashTests {
  /// Alice is enrolled, and the service orders a wipe at the next check-in.
  static let wipe = #"""
    {"launch": {}}, {"registerAndEnroll": "alice"}, {"restart": {}}, {"files": {"alice": 7}},
    {"service": {"alice": "wipe"}}
    """#

  /// Every event of the wipe.
  static let points = [
    "checkIn.requested", "wipe.requested", "wipe.delegateAnswered", "wipe.filesRemoved", "wipe.completed",
  ]

  @Test("A wipe is finished wherever a crash interrupts it", arguments: points)
  func wipe(_ point: String) throws {
    for crash in [#"{"before": "\#(point)"}"#, #"{"after": "\#(point)"}"#, #"{"during": "\#(point)", "bytes": 21}"#] {
      // A check-in that was not even announced must be requested again.
      let wasAnnounced = point != "checkIn.requested" || crash.contains("after")
      let run = try Run(
        """
        \(Self.wipe), {"crash": \(crash)}, {"checkIn": "alice"}, {"launch": {}}\(wasAnnounced ? "" : #", {"checkIn": "alice"}"#),
        {"expect": {"state": {"/accounts/alice/enrollment/status": "removed", "/policies/alice": null,
                              "/wipes/alice": {"status": "completed", "filesRemoved": 7}}, "pending": []}}
        """)
      expectEqual(run.unmet, [], "crash \(crash)")
      let types = try run.types
      expectEqual(types.filter { $0 == "wipe.completed" }.count, 1)
      expectEqual(types.filter { $0 == "wipe.requested" }.count, 1)
      #expect(try JournalReader(path: run.journal).verify().isSound)
    }
  }

  @Test("An event prevented by a crash is not in the journal, and a durable one is")
  func beforeAndAfter() throws {
    let before = try Run(#"\#(Self.wipe), {"crash": {"before": "wipe.requested"}}, {"checkIn": "alice"}"#)
    try expectEqual(before.types.last, "checkIn.requested")
    let after = try Run(#"\#(Self.wipe), {"crash": {"after": "wipe.requested"}}, {"checkIn": "alice"}"#)
    try expectEqual(after.types.last, "wipe.requested")
    expectEqual(after.result.eventCount, try after.types.count)
  }

  @Test("A write of the first process, which has its own segment, is torn like any other", arguments: [0, 7, 40])
  func firstProcess(bytes: Int) throws {
    let run = try Run(
      #"{"launch": {}}, {"crash": {"during": "account.registered", "bytes": \#(bytes)}}, {"registerAndEnroll": "alice"}"#
    )
    try expectEqual(run.types.last, "process.started")
    expectEqual(run.result.eventCount, 2)
  }

  @Test("Events whose writer died after writing all their bytes are events like any other")
  func wholeWrite() throws {
    let run = try Run(
      #"""
      {"launch": {}}, {"crash": {"during": "account.registered", "bytes": 1000000}}, {"registerAndEnroll": "alice"},
      {"launch": {}}, {"expect": {"eventsContain": ["account.registered", "enrollment.requested", "process.started"]}}
      """#)
    expectEqual(run.unmet, [])
    expectEqual(run.result.eventCount, try run.types.count)
  }

  @Test("An answer that was lost with the process is given to the next one, whatever follows it in the script")
  func lostAnswers() throws {
    let run = try Run(
      #"""
      {"launch": {}}, {"registerAndEnroll": "alice"}, {"restart": {}},
      {"service": {"alice": [{"policy": "strict"}, {"policy": "basic"}]}},
      {"crash": {"before": "policy.received"}}, {"checkIn": "alice"},
      {"expect": {"state": {"/policies/alice/saveAsBlocked": null}}},
      {"launch": {}}, {"expect": {"state": {"/policies/alice/saveAsBlocked": true}}},
      {"checkIn": "alice"}, {"expect": {"state": {"/policies/alice/saveAsBlocked": null}}},
      {"checkIn": "alice"}, {"expect": {"eventsContain": ["checkIn.requested", "checkIn.unchanged"]}},
      {"compliance": {"alice": ["networkFailure", "compliant"]}},
      {"crash": {"before": "remediation.finished"}}, {"remediate": {"account": "alice", "isSilent": true}},
      {"launch": {}}, {"expect": {"state": {"/compliance/alice/status": "networkFailure"}}}
      """#)
    expectEqual(run.unmet, [])
  }

  @Test("An event that is durable when the process dies is told by the next one, once")
  func callbacks() throws {
    let steps = #"""
      {"launch": {}}, {"crash": {"after": "enrollment.succeeded"}}, {"registerAndEnroll": "alice"},
      {"expect": {"callbacks": [], "state": {"/accounts/alice/enrollment/status": "enrolledWithPolicy"}}},
      {"launch": {}}, {"expect": {"callbacks": ["enrollmentRequest alice 100", "PolicyDidChange alice"]}},
      {"crash": "now"}, {"launch": {}}, {"expect": {"callbacks": []}}
      """#
    try expectEqual(Run(steps).unmet, [])
  }

  @Test("A process that dies at once records no end, and releases the journal's lock")
  func now() throws {
    let run = try Run(
      #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"crash": "now"}, {"launch": {}}, {"crash": "now"}"#)
    expectEqual(run.unmet, [])
    let types = try run.types
    #expect(!types.contains("process.ended"))
    expectEqual(types.filter { $0 == "process.started" }.count, 2)
    #expect(!(try JournalReader(path: run.journal).wasClosed))
  }

  @Test("A write torn anywhere leaves a torn tail but no damage", arguments: [0, 1, 15, 16, 17, 40])
  func torn(bytes: Int) throws {
    let run = try Run(
      #"\#(Self.wipe), {"crash": {"during": "wipe.requested", "bytes": \#(bytes)}}, {"checkIn": "alice"}"#)
    try expectEqual(run.types.last, "checkIn.requested")
    let report = try JournalReader(path: run.journal).verify()
    #expect(report.findings.allSatisfy { !$0.isDamage })
    expectEqual(report.findings.isEmpty, bytes == 0)
  }

  @Test("A crash that is never reached is an error, and nothing is left behind")
  func notReached() throws {
    let error = try Run.error(#"{"launch": {}}, {"crash": {"after": "wipe.completed"}}"#)
    expectEqual(
      error,
      "s.json: the crash at wipe.completed was never reached; "
        + "let an event of this type happen after the step, or remove the step")
  }
}
