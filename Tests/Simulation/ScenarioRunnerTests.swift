import Expectations
import AppProtection
import EventSourcing
import Journal
import Simulation
import Testing

/// A scenario around some steps, and what came of running it.
struct Run {
  let folder: TemporaryFolder
  let result: ScenarioResult
  var journal: String { folder.path + "/journal" }

  /// - Parameters:
  ///   - steps: What happens, as JSON, without the brackets around it. Every step begins a line, the first one line 8.
  ///   - app: Settings of the app, as JSON members.
  init(_ steps: String, app: String = #""multiIdentity": true"#) throws {
    folder = try TemporaryFolder()
    let scenario = try Scenario(Array(Run.text(steps, app: app).utf8), file: "s.json")
    result = try ScenarioRunner.runBothWays(scenario, into: folder.path + "/journal")
  }

  static func text(_ steps: String, app: String = #""multiIdentity": true"#) -> String {
    """
    {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z", "app": {\(app)},
     "journal": {"id": "00000000-0000-4000-8000-000000000001"},
     "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@contoso.com"},
                  "bob": {"objectID": "7b4b6d2f-1a8f-4b63-8e4c-6f3d9b2a0b02", "upn": "bob@fabrikam.com"}},
     "policies": {"basic": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true}},
                  "strict": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "saveAsBlocked": true}}},
     "steps": [{"service": {"alice": {"policy": "basic"}, "bob": {"policy": "basic"}}},
    \(steps)
     ]}
    """
  }

  /// Why a scenario with these steps does not run to its end.
  static func error(_ steps: String) throws -> String {
    do {
      _ = try Run(steps)
      return "none"
    } catch let error as ScenarioError {
      return "\(error)"
    }
  }

  var unmet: [String] { result.unmet.map(\.description) }

  var types: [String] {
    get throws {
      var cursor = try History<AppProtectionMachine>(at: journal).events()
      var types: [String] = []
      while let item = try cursor.next() { if case .event(let step) = item { types.append(step.record.typeName) } }
      return types
    }
  }
}

@Suite("Running scenarios")
struct ScenarioRunnerTests {
  static let enrolled =
    #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"restart": {}}, {"expect": {"callbacksContain": []}}"#

  @Test(
    "Every kind of step does what the help text says",
    arguments: [
      // Commands.
      #"{"setPIN": {"account": "alice", "pin": "2580"}}, {"setUI": "alice"}, {"expect": {"state": {"/identities/ui": "alice"}}}, {"setUI": ""}, {"expect": {"state": {"/identities/ui": "unmanaged"}}}, {"setUI": null}, {"expect": {"state": {"/identities/ui": null}}}"#,
      #"{"setProcess": "alice"}, {"expect": {"decisions": [{"identity": "file", "is": "alice"}, {"identity": "ui", "is": "alice"}]}}"#,
      #"{"setPIN": {"account": "alice", "pin": "2580"}}, {"setWindow": {"window": 2, "identity": "alice"}}, {"expect": {"decisions": [{"identity": "ui", "window": 2, "is": "alice"}, {"identity": "ui", "is": null}]}}, {"closeWindow": 2}, {"expect": {"decisions": [{"identity": "ui", "window": 2, "is": null}]}}"#,
      #"{"setThread": {"thread": "w", "identity": ""}}, {"expect": {"decisions": [{"identity": "file", "thread": "w", "is": ""}]}}, {"closeThread": "w"}, {"expect": {"eventsContain": ["identity.switched", "identity.scopeClosed"]}}"#,
      #"{"deregisterAndUnenroll": "alice"}, {"expect": {"callbacks": ["PolicyDidChange alice", "unenrollRequest alice 104"], "state": {"/accounts/alice/enrollment/status": "removed"}, "decisions": [{"managed": "alice", "is": false}]}}"#,
      #"{"delegate": {"wipeData": true}}, {"deregisterAndUnenroll": {"account": "alice", "wipe": true}}, {"expect": {"callbacksContain": ["wipeData alice", "WipeDidComplete alice"], "state": {"/wipes/alice/filesRemoved": 0}}}"#,
      #"{"files": {"alice": 3}}, {"wipe": {"account": "alice", "reason": 608, "origin": "engine"}}, {"expect": {"state": {"/wipes/alice": {"reason": "offlineInterval", "filesRemoved": 3, "status": "completed"}}}}"#,
      #"{"files": {"alice": {"count": 3, "failure": "busy"}}}, {"wipe": "alice"}, {"expect": {"pending": [], "eventsContain": ["wipe.failed"]}}, {"files": {"alice": 2}}, {"wait": "PT30M"}, {"expect": {"pending": [], "eventsContain": ["wipe.filesRemoved", "wipe.completed"]}}"#,
      #"{"service": {"alice": {"policy": "strict"}}}, {"checkIn": "alice"}, {"expect": {"callbacks": ["policyRequest alice 100", "PolicyDidChange alice"], "state": {"/policies/alice": {"version": 2, "saveAsBlocked": true}}}}, {"checkIn": "alice"}, {"expect": {"callbacks": ["policyRequest alice 101"]}}"#,
      #"{"service": {"alice": ["networkFailure", {"code": 216}, "noPolicy"]}}, {"checkIn": "alice"}, {"checkIn": "alice"}, {"checkIn": "alice"}, {"expect": {"callbacks": ["policyRequest alice 212", "policyRequest alice 216", "policyRequest alice 103", "PolicyDidChange alice"], "state": {"/policies/alice": null}}}"#,
      #"{"service": {"alice": ["gone", {"policy": "basic"}]}}, {"checkIn": "alice"}, {"expect": {"callbacksContain": ["policyRequest alice 220", "enrollmentRequest alice 100"]}}"#,
      #"{"allowedAccounts": ["bob"]}, {"expect": {"callbacks": ["AllowedAccountsDidChange"]}}, {"allowedAccounts": null}, {"expect": {"callbacks": ["AllowedAccountsDidChange"]}}"#,
      #"{"deviceAccount": "bob"}, {"expect": {"eventsContain": ["deviceAccount.changed"]}}"#,
      #"{"settings": {"maximumManagedAccounts": 2}}, {"expect": {"state": {"/settings/maximumManagedAccounts": 2}}}, {"registerAndEnroll": "bob"}, {"expect": {"state": {"/accounts/bob/enrollment/status": "enrolledWithPolicy"}}}"#,
      #"{"removeToken": "alice"}, {"expect": {"state": {"/accounts/alice/tokensRemoved": true}}}, {"acquireToken": "alice"}, {"expect": {"state": {"/accounts/alice/tokensRemoved": false}}}"#,
      #"{"compliance": {"alice": "compliant"}}, {"denyToken": "alice"}, {"remediate": "alice"}, {"expect": {"callbacks": ["complianceStatus alice compliant"]}}"#,
      #"{"delegate": {"accountChoice": "switchAccounts"}}, {"registerAndEnroll": "bob"}, {"expect": {"callbacksContain": ["chooseAccount bob alice", "enrollmentRequest bob 218", "WipeDidComplete alice", "enrollmentRequest bob 100"], "state": {"/accounts/alice/enrollment/status": "removed"}}}"#,
      #"{"delegate": {"login": "bob"}}, {"settings": {"maximumManagedAccounts": 2}}, {"loginAndEnroll": null}, {"expect": {"callbacksContain": ["askLogin", "enrollmentRequest bob 100"]}}"#,
      #"{"delegate": {"login": null}}, {"loginAndEnroll": null}, {"expect": {"callbacks": ["askLogin", "enrollmentRequest none 219"]}}"#,
      #"{"loginAndEnroll": null}, {"expect": {"pending": ["askLogin"]}}, {"answerLogin": null}, {"expect": {"pending": []}}"#,
      #"{"setPIN": {"account": "alice", "pin": "2580"}}, {"delegate": {"identitySwitch": "canceled"}}, {"setUI": "alice"}, {"requestIdentitySwitch": {"identity": "", "reason": "documentImport"}}, {"expect": {"callbacks": ["identitySwitchRequired ui unmanaged documentImport"], "state": {"/identities/ui": "alice"}}}"#,
      #"{"identifyAccount": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01", "upn": "alice@fabrikam.com"}}, {"expect": {"state": {"/accounts/alice/userPrincipalName": "alice@fabrikam.com"}}}"#,
      #"{"service": {"alice": {"policy": "strict"}}}, {"checkIn": "alice"}, {"expect": {"decisions": [{"saveTo": "dropbox", "owner": "alice", "is": "allowed", "rule": "saveTo.3"}, {"saveTo": "other", "is": "allowed", "rule": "saveTo.1"}, {"openFrom": "camera", "receiver": "alice", "is": "allowed"}, {"openFrom": "other", "is": "allowed"}]}}"#,
      #"{"signIns": {"accounts": ["alice"], "workOrSchool": ["bob"]}}, {"expect": {"findings": [], "state": {"/accounts/bob/isSignedIn": true}}}, {"allowedAccounts": ["alice"]}, {"expect": {"findings": ["T35 bob"]}}, {"restart": {}}, {"expect": {"findings": ["T39 bob"]}}"#,
      #"{"signIns": ["alice", "bob"]}, {"restart": {}}, {"expect": {"findings": []}}"#,
      #"{"settings": {"maximumManagedAccounts": 2}}, {"exclusive": "alice"}, {"registerAndEnroll": "bob"}, {"expect": {"pending": ["askAccountSwitch bob alice"]}}, {"exclusive": {"account": "alice", "is": false}}, {"expect": {"state": {"/accounts/alice/isExclusive": false}}}"#,
      #"{"configuration": {"account": "alice", "default": {"k": "d"}, "targeted": [{"k": 7, "on": true}]}}, {"expect": {"callbacks": ["ConfigurationDidChange alice"], "state": {"/configuration/alice/2/values": {"k": "7", "on": "true"}}}}, {"configuration": {"account": "alice"}}, {"expect": {"state": {"/configuration/alice": null}}}"#,
      #"{"deviceConfiguration": {"IntuneMAMUPN": "alice@contoso.com", "IntuneMAMAllowedAccountsOnly": "Enabled"}}, {"expect": {"callbacks": ["ConfigurationDidChange device", "AllowedAccountsDidChange"], "state": {"/settings/deviceAccount": "alice"}}}, {"deviceConfiguration": null}, {"expect": {"state": {"/settings/deviceAccount": null, "/configuration/device": null}}}"#,
      #"{"deviceConfiguration": {"values": {"IntuneMAMDeviceID": "0b0b0b0b-0000-4000-8000-00000000000b"}, "source": "emm"}}, {"expect": {"findings": ["T38"]}}"#,
      #"{"deviceAccount": {"account": "alice", "source": "emm"}}, {"registerAndEnroll": "bob"}, {"expect": {"callbacks": ["enrollmentRequest bob 209"]}}"#,
      #"{"delegate": {"identitySwitch": {"addIdentity": "failed"}}}, {"requestIdentitySwitch": {"identity": "alice", "reason": "openURL"}}, {"expect": {"findings": ["S-45 ui"], "state": {"/identities/ui": null}}}"#,
      #"{"delegate": {"addAccount": "failed"}}, {"deregisterAndUnenroll": "alice"}, {"settings": {"autoEnrollOnLaunch": true}}, {"deviceAccount": "alice"}, {"restart": {}}, {"expect": {"callbacksContain": ["addAccount alice"], "findings": ["T17 alice"]}}"#,
      #"{"settings": {"backoffSequence": "capAtOnce", "copiedFilesKeepOwner": false, "unlistedAccountCode": 211}}, {"expect": {"state": {"/settings/assumptions": {"backoffSequence": "capAtOnce", "copiedFilesKeepOwner": false, "unlistedAccountCode": 211}}}}"#,
      // The process and the clock.
      #"{"update": {"app": "9", "os": "18.1", "sdk": "20.0.0"}}, {"expect": {"state": {"/process/appVersion": "1.0"}}}, {"restart": {}}, {"expect": {"state": {"/process": {"appVersion": "9", "osVersion": "18.1", "sdkVersion": "20.0.0", "launch": 3}}}}"#,
      #"{"wait": "PT1H"}, {"expect": {"callbacks": ["policyRequest alice 101", "policyRequest alice 101"], "state": {"/accounts/alice/enrollment/lastCompletedCheckIn": "2026-10-05T10:00:00Z"}}}"#,
      #"{"exit": {}}, {"wait": "PT1H"}, {"expect": {"callbacks": []}}, {"launch": {}}, {"expect": {"callbacks": ["policyRequest alice 101"]}}"#,
      #"{"at": "2026-10-05T09:00:10+00:00"}, {"clock": {"setBack": "PT5S"}}, {"checkIn": "alice"}, {"expect": {"state": {"/accounts/alice/enrollment/lastCompletedCheckIn": "2026-10-05T09:00:05Z"}}}"#,
      #"{"clock": {"setAhead": "P1D"}}, {"expect": {"state": {"/accounts/alice/enrollment/lastCompletedCheckIn": "2026-10-06T09:00:00Z"}}}"#,
      #"{"expect": {"state": {"/process/utcOffset": null}}}, {"clock": {"utcOffset": "+02:00"}}, {"expect": {"eventsCount": {"clock.offsetChanged": 1}, "state": {"/process/utcOffset": "PT2H"}}}, {"clock": {"utcOffset": "-05:30"}}, {"expect": {"state": {"/process/utcOffset": "-PT5H30M"}}}, {"clock": {"utcOffset": null}}, {"expect": {"eventsCount": {"clock.offsetChanged": 1}, "state": {"/process/utcOffset": "-PT5H30M"}}}, {"restart": {}}, {"expect": {"state": {"/process/utcOffset": null}}}, {"exit": {}}, {"clock": {"utcOffset": "+00:00"}}, {"launch": {}}, {"expect": {"state": {"/process/utcOffset": "PT0S"}}}"#,
      // Refusals.
      #"{"registerAndEnroll": "alice"}, {"expect": {"rejected": "T2"}}, {"checkIn": "alice"}, {"expect": {"rejected": null}}"#,
      #"{"registerAndEnroll": null}, {"expect": {"rejected": "T4", "callbacks": ["enrollmentRequest none 207"]}}"#,
      #"{"registerAndEnroll": ""}, {"expect": {"rejected": "T4"}}"#,
    ])
  func steps(_ steps: String) throws {
    let run = try Run("\(Self.enrolled), \(steps)")
    expectEqual(run.unmet, [])
  }

  @Test("An app that restarts itself is not shown the dialog, and a postponed restart comes back")
  func restarts() throws {
    let steps =
      #"{"launch": {}}, {"delegate": {"restartApplication": REPLY}}, {"registerAndEnroll": "alice"}, {"expect": {"state": {"/process/restart/answer": "ANSWER"}}}"#
    for (reply, answer) in [
      ("true", "appRestartsItself"), ("false", "dialogShown"), (#"{"postpone": "PT5M"}"#, "postponed"),
    ] {
      let text = steps.replacing("REPLY", with: reply).replacing("ANSWER", with: answer)
      try expectEqual(Run(text).unmet, [])
    }
    let postponed =
      #", {"wait": "PT5M"}, {"expect": {"callbacksContain": ["restartApplication", "restartOverdue firstPolicy"]}}, {"postponeRestart": "PT5M"}, {"wait": "PT5M"}, {"expect": {"callbacksContain": ["restartOverdue firstPolicy"]}}"#
    let first = steps.replacing("REPLY", with: #"{"postpone": "PT5M"}"#).replacing("ANSWER", with: "postponed")
    try expectEqual(Run(first + postponed).unmet, [])
  }

  @Test("A warning that there is no policy can be dismissed, and an extension cannot enroll")
  func otherApps() throws {
    let warned = #"{"launch": {}}, {"dismissWarning": {}}, {"expect": {"state": {"/process/wasWarned": true}}}"#
    try expectEqual(Run(warned, app: #""warnsWhenPolicyAbsent": true"#).unmet, [])
    let isExtension =
      #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"expect": {"rejected": "T3", "callbacks": ["enrollmentRequest none 223"]}}"#
    try expectEqual(Run(isExtension, app: #""isExtension": true"#).unmet, [])
  }

  @Test("The app and its extension take turns on one journal, and a restart starts what the app is")
  func appAndExtension() throws {
    let turns =
      #"{"launch": {"isExtension": true}}, {"checkIn": "alice"}, {"crash": "now"}, {"launch": {}}, "#
      + #"{"expect": {"state": {"/process/isExtension": false}, "callbacksCount": {"policyRequest": {"atLeast": 2}}}}, {"exit": {}}, "#
      + #"{"launch": {"isExtension": true}}, {"expect": {"state": {"/process/isExtension": true}}}, {"restart": {}}, "#
      + #"{"expect": {"state": {"/process/isExtension": false}}}"#
    let run = try Run(
      #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"exit": {}}, {"expect": {"callbacksContain": []}}, "# + turns)
    expectEqual(run.unmet, [])
    let other = #"{"launch": {"isExtension": false}}, {"registerAndEnroll": "alice"}, {"expect": {"rejected": null}}"#
    try expectEqual(Run(other, app: #""isExtension": true"#).unmet, [])
  }

  @Test("A reboot begins another boot session, a restart does not")
  func bootSessions() throws {
    let run = try Run(#"{"launch": {}}, {"wait": "PT1H"}, {"restart": {}}, {"reboot": {}}, {"wait": "PT2H"}"#)
    var cursor = try History<AppProtectionMachine>(at: run.journal).events()
    var sessions: [GUID?] = []
    var uptimes: [Int64] = []
    while let item = try cursor.next() {
      guard case .event(let step) = item, case .processStarted(let started)? = step.record.event else { continue }
      sessions.append(started.bootSession)
      uptimes.append(step.record.envelope.moment.uptimeNanoseconds / 1_000_000_000)
    }
    #expect(sessions.count == 3 && sessions[0] == sessions[1] && sessions[1] != sessions[2])
    expectEqual(uptimes, [1, 3_601, 1])
  }

  @Test("Two runs of a scenario write the same bytes")
  func determinism() throws {
    let steps =
      "\(Self.enrolled), {\"crash\": {\"during\": \"checkIn.requested\", \"bytes\": 9}}, {\"wait\": \"PT2H\"}, {\"launch\": {}}"
    let (one, other) = (try Run(steps), try Run(steps))
    let (files, others) = (Files.contents(of: one.journal), Files.contents(of: other.journal))
    #expect(files.map(\.name) == others.map(\.name) && files.count >= 4)
    for (file, twin) in zip(files, others) { expectEqual(file.bytes, twin.bytes) }
  }

  @Test("Accounts that never occur and policies that are never delivered cause warnings")
  func warnings() throws {
    try expectEqual(
      Run(#"{"launch": {}}"#).result.warnings,
      [
        "account alice never occurs", "account bob never occurs", "policy basic is never delivered",
        "policy strict is never delivered",
      ])
  }
}
