import AppProtection
import EventSourcing
import Expectations
import Testing

@testable import Simulation

@Suite("Scenarios of conditional launch")
struct LaunchStepTests {
  @Test(
    "Every step about conditional launch does what the page says",
    arguments: [
      // Alice's policy asks for a PIN.
      #"{"expect": {"decisions": [{"launch": "alice", "is": "promptNewPIN", "rule": "launch.pinMissing", "findings": ["launch.pinMissing promptNewPIN"]}]}}, {"setPIN": {"account": "alice", "pin": "2580"}}, {"expect": {"decisions": [{"launch": "alice", "is": "allowed", "rule": "launch.met", "findings": []}], "state": {"/launch/pin": {"length": 4, "failures": 0}}}}"#,
      #"{"setPIN": {"account": "alice", "pin": "2580", "equalTo": 1}}, {"wait": "PT1H"}, {"setUI": {"identity": "alice", "outcome": null}}, {"expect": {"state": {"/identities/ui": null}, "callbacksContain": ["conditionalLaunch alice promptPIN launch.pin"]}}, {"pinAttempt": {"account": "alice", "isRight": true}}, {"setUI": {"identity": "alice", "outcome": null}}, {"expect": {"state": {"/identities/ui": "alice"}}}"#,
      #"{"setPIN": {"account": "alice", "pin": "2580"}}, {"wait": "PT1H"}, {"evaluateLaunch": "alice"}, {"cancelLaunch": "alice"}, {"expect": {"rejected": null, "eventsContain": ["launch.evaluated", "launch.canceled"]}}"#,
      #"{"setPIN": {"account": "alice", "pin": "2580"}}, {"pinAttempt": {"account": "alice", "isRight": false}}, {"pinAttempt": {"account": "alice", "isRight": false}}, {"pinAttempt": {"account": "alice", "isRight": false}}, {"pinAttempt": {"account": "alice", "isRight": false}}, {"pinAttempt": {"account": "alice", "isRight": false}}, {"expect": {"decisions": [{"launch": "alice", "is": "resetPIN", "rule": "launch.pinAttempts"}]}}, {"signIn": {"account": "alice", "as": "bob"}}, {"expect": {"rejected": "launch.account"}}, {"signIn": "alice"}, {"expect": {"eventsContain": ["launch.signedIn", "pin.reset"]}}"#,
      #"{"reportDevice": {"biometry": "face"}}, {"setPIN": {"account": "alice", "pin": "2580"}}, {"wait": "PT1H"}, {"expect": {"decisions": [{"launch": "alice", "is": "promptBiometrics"}]}}, {"pinAttempt": {"account": "alice", "isRight": true, "byBiometrics": true}}, {"changeBiometrics": {}}, {"wait": "PT1H"}, {"expect": {"decisions": [{"launch": "alice", "is": "promptPIN"}]}}"#,
      #"{"reportDevice": {"isKeychainUnreadable": true}}, {"evaluateLaunch": {"account": "alice", "trigger": "launch"}}, {"expect": {"callbacksContain": ["conditionalLaunch alice block launch.keychain"], "state": {"/launch/accounts/alice": {"outcome": "block", "rule": "launch.keychain"}}}}, {"reportDevice": {"isKeychainUnreadable": false, "hasPasscode": null}}, {"restart": {}}, {"expect": {"state": {"/launch/device/isKeychainUnreadable": false}}}"#,
      #"{"userStatus": {"account": "alice", "clockStatus": "clockedOut"}}, {"expect": {"callbacksContain": ["UserStatusDidChange alice"], "state": {"/launch/accounts/alice/clockStatus": "clockedOut"}}}"#,
    ])
  func steps(_ steps: String) throws {
    let run = try Run("\(ScenarioRunnerTests.enrolled), \(steps)")
    expectEqual(run.unmet, [])
  }

  @Test("Every fact about the device can become unknown again", arguments: ScenarioDecoder.deviceFactNames)
  func unknown(_ fact: String) throws {
    let values: [String: String] = [
      "biometry": "\"face\"", "threatDefense": "\"active\"", "threatLevel": "\"high\"", "defender": "\"active\"",
      "defenderThreatLevel": "\"low\"",
    ]
    let run = try Run(
      #"{"launch": {}}, {"reportDevice": {"\#(fact)": \#(values[fact] ?? "true")}}, {"reportDevice": {"\#(fact)": null}}"#
    )
    let device = try History<AppProtectionMachine>(at: run.journal).state(at: .end).state.launch.device
    #expect(device == DeviceFacts())
  }

  @Test("A device's facts are known from the first launch on")
  func device() throws {
    let text = Run.text(
      #"{"launch": {}}, {"registerAndEnroll": "alice"}, {"expect": {"state": {"/launch/device": {"isJailbroken": true, "threatLevel": "low"}}}}"#
    )
    let scenario = try Scenario(
      Array(
        text.replacing(#""accounts":"#, with: #""device": {"isJailbroken": true, "threatLevel": "low"}, "accounts":"#)
          .utf8),
      file: "s.json")
    let target = try TemporaryFolder()
    try expectEqual(ScenarioRunner.runBothWays(scenario, into: target.path + "/journal").unmet.map(\.description), [])
  }

  @Test("An unmet expectation about a launch says what was found")
  func unmet() throws {
    let run = try Run(
      "\(ScenarioRunnerTests.enrolled), "
        + #"{"expect": {"decisions": [{"launch": "alice", "is": "block", "rule": "launch.jailbreak", "findings": []}]}}"#
    )
    let found = try #require(run.unmet.first)
    #expect(found.contains("launch alice"))
    #expect(found.contains("block [] by launch.jailbreak"))
    #expect(
      found.contains(
        "promptNewPIN [launch.pinMissing promptNewPIN] by launch.pinMissing: a PIN is required, and none was chosen"))
  }
}
