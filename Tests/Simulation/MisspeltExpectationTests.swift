import Expectations
import AppProtection
import EventSourcing
import JSON
import Testing

@testable import Simulation

@Suite("Misspelt words in expectations")
struct MisspeltExpectationTests {
  static let enrolled = #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"restart": {}},"#

  /// Every place of an expectation where a word can be wrong without making the expectation fail.
  static let misspelt: [(expectation: String, word: String, nearest: String)] = [
    (#"{"callbacksExclude": ["complianceStatus alice compilant"]}"#, "compilant", "compliant"),
    (#"{"callbacksExclude": ["conditionalLaunch alice blok"]}"#, "blok", "block"),
    (
      #"{"callbacksExclude": ["conditionalLaunch alice block launch.jailbrek"]}"#, "launch.jailbrek", "launch.jailbreak"
    ),
    (#"{"callbacksExclude": ["restartOverdue frstPolicy"]}"#, "frstPolicy", "firstPolicy"),
    (#"{"callbacksExclude": ["identitySwitchRequired windw/1 alice openURL"]}"#, "windw/1", "windows/1"),
    (#"{"callbacksExclude": ["identitySwitchRequired windows/x"]}"#, "windows/x", "windows/1"),
    (#"{"callbacksExclude": ["identitySwitchRequired ui unmanged"]}"#, "unmanged", "unmanaged"),
    (#"{"callbacksExclude": ["identitySwitchRequired ui alice openUrl"]}"#, "openUrl", "openURL"),
    (#"{"callbacksExclude": ["policyRequest alice 10l"]}"#, "10l", "100"),
    (#"{"callbacksCount": {"enrollmentRequest non": 0}}"#, "non", "none"),
    (#"{"pendingExclude": ["remediate alice silnt"]}"#, "silnt", "silent"),
    (#"{"pendingExclude": ["enroll alice registraton"]}"#, "registraton", "registration"),
    (#"{"pendingExclude": ["checkIn alise"]}"#, "alise", "alice"),
    (#"{"pendingExclude": ["askRestart alice firstPolcy"]}"#, "firstPolcy", "firstPolicy"),
    (#"{"pendingExclude": ["askDelegateToWipe alice adminstrator"]}"#, "adminstrator", "administrator"),
    (#"{"pendingExclude": ["tellRemediation alice complaint"]}"#, "complaint", "compliant"),
    (#"{"pendingCount": {"askIdentitySwitch thread/w": 0}}"#, "thread/w", "threads/w"),
    (#"{"findingsExclude": ["S-45 proces"]}"#, "proces", "process"),
    (#"{"findingsExclude": ["S-30 alice 20x"]}"#, "20x", "200"),
    (#"{"state": {"/acounts": null}}"#, "acounts", "accounts"),
    (#"{"state": {"/accounts/alice/enrolment/status": null}}"#, "enrolment", "enrollment"),
    (#"{"state": {"/wipes/alice/statos": null}}"#, "statos", "status"),
    (#"{"state": {"/accounts/alise": null}}"#, "alise", "alice"),
    (#"{"state": {"/accounts/alice": {"enrollment": {"statos": null}}}}"#, "statos", "status"),
    (#"{"state": {"/accounts/bob": {"enrollment/statos": null}}}"#, "statos", "status"),
    (#"{"state": {"/policies/bob/pinRequird": null}}"#, "pinRequird", "pinRequired"),
    (#"{"state": {"/process/restart/awnser": null}}"#, "awnser", "answer"),
    (#"{"state": {"/compliance/untold/alise": null}}"#, "alise", "alice"),
    (#"{"state": {"/compliance/queu": null}}"#, "queu", "queue"),
    (#"{"state": {"/configuration/alice/1/valus": null}}"#, "valus", "values"),
    (#"{"state": {"/configuration/devise": null}}"#, "devise", "device"),
    (#"{"state": {"/identities/requests/window.2": null}}"#, "window.2", "windows.2"),
    (#"{"state": {"/launch/accounts/alice/outcom": null}}"#, "outcom", "outcome"),
    (#"{"state": {"/settings/assumptions/launchOrdr": null}}"#, "launchOrdr", "launchOrder"),
    (#"{"anyOf": [{"state": {"/wipes/alise": null}}, {"pending": []}]}"#, "alise", "alice"),
  ]

  @Test("A misspelt word is refused with its place and the nearest word", arguments: misspelt)
  func refused(_ expectation: String, _ word: String, _ nearest: String) throws {
    let message = try Run.error(Self.enrolled + "\n" + #"{"expect": \#(expectation)}"#)
    #expect(message.hasPrefix("s.json: line 9, column "), "\(message)")
    let reason = #""\#(word)" is not one of the names allowed here; write "\#(nearest)""#
    #expect(message.contains(reason), "\(message)")
  }

  @Test(
    "A possible list item, and a possible path of the state, are accepted before they occur",
    arguments: [
      #"{"callbacksExclude": ["enrollmentRequest none 999", "policyRequest alice 4294967295", "wipeData a7"]}"#,
      #"{"callbacksExclude": ["identitySwitchRequired threads/w.1 unset documentImport", "conditionalLaunch a2 wipe"]}"#,
      #"{"pendingExclude": ["askDelegateToWipe bob unknown(605)", "remediate bob interactive", "askIdentitySwitch ui"]}"#,
      #"{"findingsExclude": ["S-47 worker bob alice", "S-45 windows/3", "S-30 bob 1"]}"#,
      #"{"state": {"/accounts/a9/enrollment/status": null, "/wipes/bob/lastError": null, "/policies/bob": null}}"#,
      #"{"state": {"/policies/bob/exemptedAppProtocols/any name": null, "/policies/bob/otherMembers/x": null}}"#,
      #"{"state": {"/policies/bob/assignments/any/groupId": null, "/policies/bob/apps/any/bundleId": null}}"#,
      #"{"state": {"/identities/windows/3": null, "/identities/threads/w": null, "/compliance/untold/bob/title": null}}"#,
      #"{"state": {"/identities/requests/ui": null, "/identities/requests/windows.3/reason": null}}"#,
      #"{"state": {"/configuration/bob/2/values/any": null, "/configuration/device/values/any": null}}"#,
    ])
  func accepted(_ expectation: String) throws {
    try expectEqual(Run(Self.enrolled + #"{"expect": \#(expectation)}"#).unmet, [])
  }

  @Test("A path below a single value is refused")
  func belowValue() throws {
    let message = try Run.error(
      Self.enrolled + #"{"expect": {"state": {"/accounts/alice/enrollment/status/name": null}}}"#)
    #expect(message.contains(#""name" is below a single value, which has no parts; end the path before it"#))
  }

  @Test("Whatever happens in the golden journals can be expected, word by word", arguments: GoldenJournalTests.names)
  func everythingCanBeExpected(_ name: String) throws {
    var cursor = try History<AppProtectionMachine>(at: "\(GoldenJournalTests.folder)/\(name)/journal").cursor()
    let node = JSONNode(.string(""))
    let paths = StatePathCheck(accounts: [])
    while let item = try cursor.next() {
      guard case .event(let step) = item, let before = step.before, let after = step.after,
        let event = step.record.event
      else { continue }
      for path in after.tree().paths() { try paths.check(path, at: node) }
      let callbacks = AppProtectionMachine.callbacks(for: event, before: before, after: after)
      let findings = AppProtectionMachine.findings(for: event, before: before, after: after)
      let pending = after.pendingWork(at: Moment(wallNanoseconds: .max))
      let lists: [(ExpectedList, [String])] = [
        (.callbacks, callbacks.map(\.description)), (.findings, findings.map(\.label)),
        (.pending, pending.map(\.description)),
      ]
      for (list, items) in lists {
        for item in items { try list.check(item, at: node, accounts: [], isWhole: true) }
      }
    }
  }
}
