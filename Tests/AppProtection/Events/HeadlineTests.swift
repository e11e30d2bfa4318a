import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("What events say of themselves in a log")
struct HeadlineTests {
  /// A value as a log shows it, near enough.
  private static func text(_ value: StateValue?) -> String {
    switch value {
    case nil, .unset?: "unset"
    case .bool(let flag)?: "\(flag)"
    case .integer(let number)?: "\(number)"
    case .name(let name)?: name
    case .text(let text)?: text
    case .personal?: "(withheld)"
    case .sealed?: "‹sealed›"
    case .time(let time)?: "time \(time)"
    case .duration(let duration)?: "duration \(duration)"
    case .sequence(let sequence)?: "\(sequence)"
    case .list(let values)?: "[\(values.map(text).joined(separator: ", "))]"
    }
  }

  private static func headline(
    _ event: AppProtectionEvent, _ changes: [(String, StateValue?, StateValue?)] = []
  ) -> (text: String, untold: [String]) {
    let headline = Headline { $1.append(contentsOf: text($0).utf8) }
    headline.begin(changes.map { StateChange(path: $0.0, before: $0.1, after: $0.2) })
    AppProtectionMachine.describe(event, in: headline)
    let untold = changes.indices.filter { !headline.covers($0) }.map { changes[$0].0 }
    return (String(decoding: headline.text, as: UTF8.self), untold)
  }

  @Test("Every event says what it means, without a state and without naming a person")
  func everyEvent() {
    for (event, words) in EventSamples.table {
      expectEqual(Self.headline(event).text, words, "\(event.name)")
      #expect(!words.contains("alice") && !words.isEmpty, "\(event.name)")
    }
  }

  @Test("What an event changed completes what it says, and counts as told")
  func changes() {
    let failed = AppProtectionEvent.enrollmentFailed(EnrollmentFailed(account: .first, code: .notEnrolledAccount))
    let changes: [(String, StateValue?, StateValue?)] = [
      ("/accounts/a1/enrollment/status", .name("enrolling"), .name("registered")),
      ("/accounts/a1/enrollment/lastCode", nil, .integer(214)), ("/compliance/a1/status", .name("a"), .name("b")),
    ]
    let line = Self.headline(failed, changes)
    expectEqual(line.text, "214 notEnrolledAccount, enrolling → registered, not repeated")
    expectEqual(line.untold, ["/compliance/a1/status"])

    let switched = AppProtectionEvent.identitySwitched(
      IdentitySwitched(scope: .thread("upload"), identity: .unmanaged, origin: .app))
    let from: [(String, StateValue?, StateValue?)] = [
      ("/identities/threads/upload", .name("a1"), .name("unmanaged"))
    ]
    expectEqual(Self.headline(switched, from).text, "thread upload: a1 → unmanaged, by app")
  }

  @Test("A policy's headline counts the settings that changed, and names them where they are few")
  func policies() {
    let event = AppProtectionEvent.policyReceived(PolicyReceived(account: .first, document: PolicyDocument()))
    func changes(_ names: [String]) -> [(String, StateValue?, StateValue?)] {
      var changes: [(String, StateValue?, StateValue?)] = [("/policies/a1/version", .integer(17), .integer(18))]
      for name in names { changes.append(("/policies/a1/\(name)", .integer(4), .integer(6))) }
      return changes
    }
    let few = Self.headline(event, changes(["displayName", "minimumPinLength"]))
    expectEqual(few.text, "version 17 → 18, 1 setting changed: minimumPinLength: 4 → 6")
    expectEqual(few.untold, ["/policies/a1/displayName"])
    // A list of pairs is one setting, whose entries change one by one.
    let pairs = Self.headline(
      event,
      changes([
        "exemptedAppProtocols/one", "exemptedAppProtocols/two", "minimumPinLength", "pinRequired", "printBlocked",
      ]))
    #expect(pairs.text == "version 17 → 18, 4 settings changed" && pairs.untold == [])
    let first = Self.headline(
      event, [("/policies/a1/version", nil, .integer(1)), ("/policies/a1/pinRequired", nil, .bool(true))])
    expectEqual(first.text, "version 1, 1 setting")
    expectEqual(Self.headline(event).text, "a policy")
  }

  @Test(
    "A launch condition's fact stands beside the limit",
    arguments: [
      (
        LaunchComparison(setting: .minimumRequiredOsVersion, settingValue: "15.0", fact: .osVersion, factValue: "14.8"),
        "block by launch.osMinimum: osVersion 14.8, minimumRequiredOsVersion 15.0, at launch"
      ),
      (
        LaunchComparison(fact: .isJailbroken, factValue: "true"),
        "block by launch.osMinimum: isJailbroken true, at launch"
      ),
      (
        LaunchComparison(setting: .periodOfflineBeforeAccessCheck, settingValue: "PT12H", fact: .checkedInAt, age: 5),
        "block by launch.osMinimum: checkedInAt duration 5 ago, periodOfflineBeforeAccessCheck PT12H, at launch"
      ),
    ])
  func launch(comparison: LaunchComparison, line: String) {
    let finding = LaunchFinding(.osMinimum, .block, comparison: comparison)
    let event = LaunchEvaluated(account: .first, outcome: .block, rule: .osMinimum, findings: [finding])
    expectEqual(Self.headline(.launchEvaluated(event)).text, line)
  }

  @Test(
    "An offset from UTC has hours and minutes",
    arguments: [
      (0, "UTC+00:00"), (7_200, "UTC+02:00"), (-12_600, "UTC-03:30"), (50_400, "UTC+14:00"), (-300, "UTC-00:05"),
    ] as [(Int64, String)])
  func offsets(seconds: Int64, text: String) {
    expectEqual(Self.headline(.clockOffsetChanged(ClockOffsetChanged(utcOffset: seconds * 1_000_000_000))).text, text)
  }
}
