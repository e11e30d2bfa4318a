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
    AppProtectionMachine.tell(event, in: headline)
    let untold = changes.indices.filter { !headline.isTold($0) }.map { changes[$0].0 }
    return (String(decoding: headline.text, as: UTF8.self), untold)
  }

  @Test("Every event says what it means, without a state and without naming a person")
  func everyEvent() {
    let lines = EventSamples.all.map { "\($0.name): \(Self.headline($0).text)" }
    let expected = Self.expected.split(separator: "\n").map(String.init)
    #expect(lines.count == expected.count)
    for (line, reviewed) in zip(lines, expected) { #expect(line == reviewed) }
    for line in lines { #expect(!line.contains("alice") && !line.hasSuffix(": "), "\(line)") }
  }

  private static let expected = """
    process.started: extension, launch 300: app text, SDK text, OS text, text
    process.ended: ended in an orderly way
    restart.required: conditionalLaunchWipe
    restart.answered: postponed by 7 minutes
    launch.warned: the account has no policy; the user goes on without one
    command.refused: text refused by text, 207 nilAccount
    clock.offsetChanged: UTC-05:00
    settings.changed: the app's settings
    allowedAccounts.changed: only these may sign in: a1, a3
    deviceAccount.changed: the device is managed for a3, says emm
    deviceConfiguration.changed: 1 value, the device is named, only the device's account may sign in
    settings.overridden: what the token library uses
    account.introduced: known by object id and name
    account.identified: object id and name are known
    account.registered: registered
    account.deregistered: deregistered, but the service still counts it as enrolled
    account.removalRequired: the app must remove it: 200 accountNotLicensed
    token.acquired: the app has a token
    token.removed: the app removed its tokens
    account.additionRequested: the app is asked to add it
    account.additionAnswered: failed
    signIns.reported: signed in: a2, a3; for work or school: a2
    account.exclusivityChanged: must be the only managed account
    enrollment.requested: remediation
    enrollment.succeeded: 200 accountNotLicensed, next time 1600000000000000000
    enrollment.failed: 200 accountNotLicensed: (withheld), again time 1600000000000000000
    enrollment.switchAsked: the user is asked: keep a2 or switch to a2
    enrollment.switchAnswered: canceled
    enrollment.conflictDetected: has the name of a2 and another object id
    enrollment.recordGone: 221 reEnrollForUnenrolledUser
    enrollment.lapsed: silent for too long
    login.requested: the user is asked who signs in
    login.answered: a3 signs in
    checkIn.requested: retry
    checkIn.unchanged: 200 accountNotLicensed, next time 1600000000000000000
    checkIn.failed: 200 accountNotLicensed: (withheld), again time 1600000000000000000
    unenrollment.requested: by accountSwitch, with a wipe
    unenrollment.succeeded: 104 unenrollmentSuccess
    unenrollment.failed: 200 accountNotLicensed: (withheld), again time 1600000000000000000; it leaves, but the service still counts it as enrolled
    policy.received: a policy, from the next launch on
    policy.withdrawn: recordGone
    configuration.received: 1 value
    configuration.withdrawn: no configuration any more
    identity.switched: thread worker: a2, by engine
    identity.switchRefused: thread worker: not a2, failed (accountLeaving)
    identity.switchRequested: thread worker: to a2, for documentImport
    identity.switchAnswered: thread worker: to a2, failed, from a constant for added accounts
    identity.scopeClosed: thread worker closed
    wipe.requested: by engine: 608 offlineInterval
    wipe.delegateAnswered: the app removed everything
    wipe.filesRemoved: 300 files removed
    wipe.completed: data, policy and registration are gone
    wipe.failed: 215 failedToClearMamData: (withheld), 300 files removed, again time 1600000000000000000
    token.denied: -50004 protectionRequired, again after compliance, before the remediation ended
    remediation.requested: without asking the user
    remediation.queued: waits for another account
    remediation.started: started
    remediation.finished: userCancelled, again after interaction: (withheld)
    remediation.told: the app was told
    device.reported: the device's facts
    userStatus.received: clockedOutStale, disabled
    launch.evaluated: wipe by launch.jailbreak: pinLength text duration 7 ago, minimumPinLength text and 1 more, at identitySwitch, after a check-in, by the app's word on launch.pin
    launch.canceled: the user did not answer; the app stays closed
    launch.signedIn: the user signed in as asked
    pin.set: 6 characters, digits, letters, symbols, simple
    pin.verified: by biometrics
    pin.failed: wrong PIN
    pin.reset: another PIN must be chosen
    biometrics.changed: the PIN is asked for next time
    """

  @Test("What an event changed completes what it says, and counts as told")
  func changes() {
    let failed = AppProtectionEvent.enrollmentFailed(EnrollmentFailed(account: .first, code: .notEnrolledAccount))
    let changes: [(String, StateValue?, StateValue?)] = [
      ("/accounts/a1/enrollment/status", .name("enrolling"), .name("registered")),
      ("/accounts/a1/enrollment/lastCode", nil, .integer(214)), ("/compliance/a1/status", .name("a"), .name("b")),
    ]
    let line = Self.headline(failed, changes)
    #expect(line.text == "214 notEnrolledAccount, enrolling → registered, not repeated")
    #expect(line.untold == ["/compliance/a1/status"])

    let switched = AppProtectionEvent.identitySwitched(
      IdentitySwitched(scope: .thread("upload"), identity: .unmanaged, origin: .app))
    let from: [(String, StateValue?, StateValue?)] = [
      ("/identities/threads/upload", .name("a1"), .name("unmanaged"))
    ]
    #expect(Self.headline(switched, from).text == "thread upload: a1 → unmanaged, by app")
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
    #expect(few.text == "version 17 → 18, 1 setting changed: minimumPinLength: 4 → 6")
    #expect(few.untold == ["/policies/a1/displayName"])
    // A list of pairs is one setting, whose entries change one by one.
    let pairs = Self.headline(
      event,
      changes([
        "exemptedAppProtocols/one", "exemptedAppProtocols/two", "minimumPinLength", "pinRequired", "printBlocked",
      ]))
    #expect(pairs.text == "version 17 → 18, 4 settings changed" && pairs.untold == [])
    let first = Self.headline(
      event, [("/policies/a1/version", nil, .integer(1)), ("/policies/a1/pinRequired", nil, .bool(true))])
    #expect(first.text == "version 1, 1 setting")
    #expect(Self.headline(event).text == "a policy")
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
    #expect(Self.headline(.launchEvaluated(event)).text == line)
  }

  @Test(
    "An offset from UTC has hours and minutes",
    arguments: [
      (0, "UTC+00:00"), (7_200, "UTC+02:00"), (-12_600, "UTC-03:30"), (50_400, "UTC+14:00"), (-300, "UTC-00:05"),
    ] as [(Int64, String)])
  func offsets(seconds: Int64, text: String) {
    #expect(Self.headline(.clockOffsetChanged(ClockOffsetChanged(utcOffset: seconds * 1_000_000_000))).text == text)
  }
}
