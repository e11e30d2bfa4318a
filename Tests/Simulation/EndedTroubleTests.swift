import AppProtectionInsight
import EventSourcing
import Expectations
import Simulation
import Testing

/// Troubles that end, or only seem to: what is said of them, and how they ended.
@Suite("How troubles end")
struct EndedTroubleTests {
  /// A day later, the app starts again.
  static let nextDay = [#"{"exit": {}}"#, #"{"wait": "P1D"}"#, #"{"launch": {}}"#]
  static let plain = #""saveAsBlocked": true, "pinRequired": false"#
  static let evaluate = #"{"evaluateLaunch": "mia"}"#

  /// What the history of an enrolled account shows.
  ///
  /// - Parameters:
  ///   - policies: Settings of the policies `p1`, `p2`, and so on; the account is enrolled with the first one.
  static func problems(
    _ policies: [String], device: String = "", _ steps: [String]
  ) throws -> [Problem] {
    let documents = policies.enumerated().map { place, settings in
      ##""p\##(place + 1)": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(settings)}}"##
    }
    let begin = [
      #"{"service": {"mia": {"policy": "p1"}}}"#, #"{"launch": {}}"#, #"{"registerAndEnroll": "mia"}"#,
      #"{"restart": {}}"#,
    ]
    let text = """
      {"scenario": 1, "title": "Trouble that ends", "start": "2026-02-09T07:30:00Z",
       "app": {"version": "2.0", "multiIdentity": true, "maximumManagedAccounts": 2},
       "device": {"os": "17.2", "model": "iPhone14,5", "sdk": "19.4.0", "isJailbroken": false, "hasPasscode": true\(device)},
       "accounts": {"mia": {"objectID": "3f0d8a52-71c4-4c3e-9a0b-6d1e5c7b9a11", "upn": "mia.lang@fabrikam.example"},
                    "theo": {"objectID": "9b27c1f4-5d83-4f0a-8e61-2c4a7d90e3b5", "upn": "theo.falk@fabrikam.example"}},
       "policies": {\(documents.joined(separator: ", "))},
       "steps": [\((begin + steps).joined(separator: ",\n  "))]}
      """
    let target = try TemporaryFolder()
    let scenario = try Scenario(Array(text.utf8), file: "ended.json")
    let result = try ScenarioRunner.run(scenario, into: target.path + "/journal")
    expectEqual(result.unmet.map(\.description), [])
    return try DiagnosisTests.diagnose(journal: target.path + "/journal").findings.map(\.diagnosis)
  }

  static func service(_ policy: String) -> [String] {
    [#"{"service": {"mia": {"policy": "\#(policy)"}}}"#, #"{"checkIn": "mia"}"#]
  }

  static func first(_ family: ProblemFamily, _ problems: [Problem]) throws -> Problem {
    try #require(problems.first { $0.family == family }, "\(problems.map(\.sentence))")
  }

  // MARK: Launch conditions

  private static let threats =
    #""maximumAllowedDeviceThreatLevel": "low", "mobileThreatDefenseRemediationAction": "block""#
  private static let defended = #", "threatDefense": "active", "threatLevel": "secured", "isManaged": true"#

  @Test("What the device reported last is so now, although no launch was evaluated since")
  func lastReport() throws {
    func report(_ level: String) -> String { #"{"reportDevice": {"threatLevel": "\#(level)"}}"# }
    let once = [report("high"), Self.evaluate, report("secured"), Self.evaluate] + Self.nextDay
    let over = try Self.first(.threatLevel, try Self.problems([Self.threats], device: Self.defended, once))
    #expect(over.isOver)
    let again = try Self.first(
      .threatLevel, try Self.problems([Self.threats], device: Self.defended, once + [report("medium")] + Self.nextDay))
    #expect(!again.isOver && again.severity == .critical, "\(again.sentence)")
    #expect(again.sentence.contains("is blocked from event"), "\(again.sentence)")
    #expect(again.sentence.contains("defense reports medium"), "\(again.sentence)")
    expectEqual(again.decidingEvent, again.episodes.last?.first.sequence)
    expectEqual(again.episodes.map { $0.ending?.kind }, [.recovered, nil])
  }

  @Test("So is what the policy demands, whether it blocks or wipes")
  func lastPolicy() throws {
    for (demand, verb) in [("Required", "is blocked"), ("Wipe", "is to be wiped")] {
      let raised = #""minimum\#(demand)OsVersion": "17.5""#
      let problems = try Self.problems([Self.plain, raised], Self.nextDay + Self.service("p2"))
      let problem = try Self.first(.osVersion, problems)
      #expect(!problem.isOver && problem.sentence.contains(verb), "\(problem.sentence)")
      expectEqual(problem.evidence.first?.text, "the policy demands it")
      let app = try Self.problems(
        [Self.plain, #""minimum\#(demand)AppVersion": "2.4""#], Self.nextDay + Self.service("p2"))
      #expect(try Self.first(.launchBlocked, app).sentence.contains(verb))
    }
  }

  @Test("A block that the policy turns into a warning is over, and stands beside the warning")
  func warned() throws {
    let problems = try Self.problems(
      [#""minimumRequiredAppVersion": "2.3""#, #""minimumWarningAppVersion": "2.3""#],
      [Self.evaluate] + Self.nextDay + [Self.evaluate] + Self.nextDay + Self.service("p2") + Self.nextDay + [
        Self.evaluate
      ]
    )
    .filter { $0.family == .launchBlocked }
    let warned = try #require(problems.first { !$0.isOver })
    let blocked = try #require(problems.first { $0.isOver })
    #expect(warned.sentence.contains("is warned") && warned.episodes.isEmpty, "\(warned.sentence)")
    #expect(blocked.sentence.contains("was blocked"), "\(blocked.sentence)")
    // The device's report is about other facts than the app's version.
    let other = try #require(blocked.evidence.first { $0.text == "before that, the app starts with this version" })
    expectEqual(other.sequence, 2)
    #expect(blocked.sentence.contains(", until another policy came with event"), "\(blocked.sentence)")
  }

  @Test("What is over names one end, the event with which the condition was met")
  func oneEnd() throws {
    let problems = try Self.problems(
      [#""maximumRequiredOsVersion": "17.0""#, #""maximumRequiredOsVersion": "17.4""#],
      [Self.evaluate] + Self.nextDay + Self.service("p2") + Self.nextDay + [Self.evaluate])
    let problem = try Self.first(.osVersion, problems)
    let ending = try #require(problem.ending)
    #expect(
      problem.sentence.hasSuffix("until another policy came with event \(ending.event.sequence)"), "\(problem.sentence)"
    )
    expectEqual(problem.evidence.last?.sequence, ending.event.sequence)
  }

  @Test("Blocks with several values tell the first ones and the last ones")
  func values() throws {
    let policies = ["2.0", "2.5", "3.5"].map { #""minimumRequiredAppVersion": "\#($0)""# }
    let steps =
      Self.service("p2") + [Self.evaluate, #"{"update": {"app": "3.0"}}"#] + Self.nextDay + Self.service("p3")
      + Self.nextDay + [Self.evaluate]
    let open = try Self.first(.launchBlocked, try Self.problems(policies, steps))
    #expect(
      open.sentence.contains("3.5 is demanded") && open.sentence.contains("it was 2.5 beside 2.0"), "\(open.sentence)")
    let over = try Self.first(
      .launchBlocked, try Self.problems(policies, steps + [#"{"update": {"app": "3.6"}}"#] + Self.nextDay))
    #expect(
      over.sentence.contains("2.5 was demanded") && over.sentence.contains("it was 3.5 beside 3.0"), "\(over.sentence)")
  }

  @Test("A block that the state shows all the time is one, however seldom it is evaluated")
  func rare() throws {
    let month = [#"{"exit": {}}"#, #"{"wait": "P26D"}"#, #"{"launch": {}}"#, Self.evaluate]
    let steps = [Self.evaluate] + month + month + Self.nextDay
    let blocked = try Self.first(.deviceModel, try Self.problems([#""allowedIosDeviceModels": "iPhone15,4""#], steps))
    expectEqual(blocked.episodeCount, 1)
    #expect(!blocked.sentence.contains("it came"), "\(blocked.sentence)")
    let pin = [#"{"setPIN": {"account": "mia", "pin": "4826"}}"#] + Self.service("p2") + steps
    let refused = try Self.first(
      .pinQuality, try Self.problems([#""pinRequired": true"#, #""pinRequired": true, "minimumPinLength": 6"#], pin))
    expectEqual(refused.episodeCount, 1)
  }

  @Test("After a wipe, a device that meets the condition is right, and the account is to be enrolled again")
  func wiped() throws {
    let steps = [Self.evaluate] + Self.nextDay + [#"{"update": {"os": "17.6"}}"#] + Self.nextDay
    let updated = try Self.problems([#""minimumWipeOsVersion": "17.5""#], steps)
    let version = try Self.first(.osVersion, updated)
    expectEqual(version.ending?.kind, .recovered, "\(version.sentence)")
    #expect(version.sentence.contains("the device had 17.2, until the device started with"), "\(version.sentence)")
    let wipe = try Self.first(.unexpectedWipe, updated)
    #expect(!wipe.isOver && wipe.next.contains("enroll again"), "\(wipe.next)")
    let back = try Self.problems([#""minimumWipeOsVersion": "17.5""#], steps + [#"{"registerAndEnroll": "mia"}"#])
    let done = try Self.first(.unexpectedWipe, back)
    #expect(done.isOver && !done.next.contains("enroll again"), "\(done.next)")
    // An older system again.
    let undone = try Self.problems(
      [#""minimumWipeOsVersion": "17.5""#], steps + [#"{"update": {"os": "17.3"}}"#] + Self.nextDay)
    #expect(try !Self.first(.osVersion, undone).isOver)
    #expect(try !Self.first(.unexpectedWipe, undone).next.contains("enroll again"))
  }

  @Test("Without its app, threat defense is to be installed")
  func notInstalled() throws {
    let report = #"{"reportDevice": {"threatDefense": "notInstalled", "threatLevel": null}}"#
    let problem = try Self.first(
      .threatLevel, try Self.problems([Self.threats], device: Self.defended, [report, Self.evaluate]))
    #expect(problem.next.contains("install and activate"), "\(problem.next)")
  }

  // MARK: PINs

  @Test("A wrong PIN answers the question for it")
  func wrongPIN() throws {
    let days = Array(repeating: Self.nextDay + [Self.evaluate], count: 6).flatMap { $0 }
    let steps = [#"{"setPIN": {"account": "mia", "pin": "482619"}}"#] + days
    let wrong = #"{"pinAttempt": {"account": "mia", "isRight": false}}"#
    let problems = try Self.problems(
      [#""pinRequired": true, "maximumPinRetries": 2"#], steps + [wrong, wrong, Self.evaluate])
    expectEqual(problems.first?.family, .pinAttempts, "\(problems.map(\.sentence))")
    let question = try Self.first(.refusedAgain, problems)
    expectEqual(question.ending?.kind, .recovered)
    #expect(question.sentence.contains("had no answer"), "\(question.sentence)")
    let right = #"{"pinAttempt": {"account": "mia", "isRight": true}}"#
    #expect(try Self.first(.refusedAgain, try Self.problems([#""pinRequired": true"#], steps + [right])).isOver)
    #expect(try !Self.first(.refusedAgain, try Self.problems([#""pinRequired": true"#], steps)).isOver)
  }

  @Test("A PIN that the policy accepts again is right again")
  func acceptedPIN() throws {
    let problems = try Self.problems(
      [#""pinRequired": true"#, #""pinRequired": true, "pinCharacterSet": "alphanumericAndSymbol""#],
      [#"{"setPIN": {"account": "mia", "pin": "4826"}}"#] + Self.service("p2") + [Self.evaluate] + Self.nextDay
        + [Self.evaluate] + Self.service("p1"))
    expectEqual(try Self.first(.pinQuality, problems).ending?.kind, .recovered)
  }

  // MARK: Remediations and requests

  static func remediations(_ status: String, _ count: Int) -> [String] {
    [#"{"compliance": {"mia": "\#(status)"}}"#]
      + Array(repeating: [#"{"remediate": "mia"}"#, #"{"wait": "PT25M"}"#], count: count).flatMap { $0 }
  }

  @Test("Remediations that led nowhere last until one helps, or for 14 days")
  func remediations() throws {
    let failed = Self.remediations("serviceFailure", 3) + Self.nextDay + Self.nextDay
    let open = try Self.first(.remediationLoop, try Self.problems([Self.plain], failed))
    #expect(!open.isOver, "\(open.sentence)")
    let helped = failed + Self.remediations("compliant", 1)
    let over = try Self.first(.remediationLoop, try Self.problems([Self.plain], helped))
    expectEqual(over.ending?.kind, .recovered, "\(over.sentence)")
    let quiet = failed + [#"{"exit": {}}"#, #"{"wait": "P13D"}"#, #"{"launch": {}}"#]
    let gone = try Self.first(.remediationLoop, try Self.problems([Self.plain], quiet))
    expectEqual(gone.ending?.kind, .outOfSight)
    // Two that fail on days apart are no row.
    let rare =
      Self.remediations("serviceFailure", 2) + Self.nextDay + Self.nextDay + Self.remediations("serviceFailure", 2)
    expectEqual(try Self.problems([Self.plain], rare).filter { $0.family == .remediationLoop }, [])
    // Interaction that is demanded again is over with the remediation that helps.
    let demanded = Self.remediations("interactionRequired", 2) + Self.nextDay + Self.remediations("compliant", 1)
    expectEqual(
      try Self.first(.remediationLoop, try Self.problems([Self.plain], demanded)).ending?.kind, .recovered)
  }

  @Test("A refused token after a loop that is over is no other loop")
  func refusedLater() throws {
    let turn = [#"{"denyToken": "mia"}"#, #"{"remediate": "mia"}"#, #"{"wait": "PT1M"}"#]
    let loop = [#"{"compliance": {"mia": "compliant"}}"#] + Array(repeating: turn, count: 4).flatMap { $0 }
    let steps = loop + [#"{"exit": {}}"#, #"{"wait": "P15D"}"#, #"{"launch": {}}"#] + turn + [turn[0]]
    let problem = try Self.first(.remediationLoop, try Self.problems([Self.plain], steps))
    expectEqual(problem.ending?.kind, .outOfSight, "\(problem.sentence)")
    let again = try Self.first(
      .remediationLoop, try Self.problems([Self.plain], steps + Array(loop.dropFirst())))
    #expect(!again.isOver, "\(again.sentence)")
  }

  @Test("A storm of requests is over with its last one, and within a time that is not shorter than it was")
  func storm() throws {
    let requests = Array(repeating: [#"{"checkIn": "mia"}"#, #"{"wait": "PT14S"}"#], count: 8).flatMap { $0 }
    let problem = try Self.first(
      .retryStorm, try Self.problems([Self.plain], [#"{"wait": "PT1M"}"#] + requests + Self.nextDay))
    #expect(problem.sentence.contains("within 2 minutes;"), "\(problem.sentence)")
    let ending = try #require(problem.ending)
    let first = try #require(problem.episodes.first?.first)
    #expect(ending.event.moment.wallNanoseconds - first.moment.wallNanoseconds < 120_000_000_000)
    expectEqual(ending.event, problem.episodes.last?.last)
  }

  // MARK: Policies, wipes, processes, the clock

  static let strict = #""contactSyncBlocked": true, "printBlocked": true, "screenCaptureBlocked": true"#

  @Test("Protections that were off for days are told when the policy is right again, or the account has left")
  func drift() throws {
    let off = Self.strict.replacing("true", with: "false")
    for weak in [off, #""pinRequired": false"#] {
      let policies = [
        Self.strict + #", "lastModifiedDateTime": "2026-01-05T00:00:00Z""#,
        weak + #", "lastModifiedDateTime": "2026-02-09T00:00:00Z""#,
        Self.strict + #", "lastModifiedDateTime": "2026-02-11T00:00:00Z""#,
      ]
      let steps = Self.service("p2") + Self.nextDay + Self.nextDay
      let open = try Self.first(.policyDrift, try Self.problems(policies, steps))
      #expect(!open.isOver && open.severity == .warning && open.sentence.contains("weaker"), "\(open.sentence)")
      for (end, kind) in [
        (Self.service("p3"), .recovered), ([#"{"deregisterAndUnenroll": "mia"}"#], .abandoned),
        ([#"{"service": {"mia": "wipe"}}"#, #"{"checkIn": "mia"}"#], .wiped),
      ] as [([String], DiagnosisEnding.Kind)] {
        let over = try Self.first(.policyDrift, try Self.problems(policies, steps + end + Self.nextDay))
        expectEqual(over.ending?.kind, kind, "\(over.sentence)")
        expectEqual(over.severity, .note)
      }
    }
  }

  @Test("A wipe that failed for days, of files or of the service, is told when it is complete")
  func slowWipe() throws {
    let files = try Self.problems(
      [Self.plain],
      [
        #"{"files": {"mia": {"count": 2, "failure": "open"}}}"#, #"{"service": {"mia": "wipe"}}"#,
        #"{"checkIn": "mia"}"#,
      ] + Self.nextDay + Self.nextDay + [#"{"files": {"mia": 2}}"#] + Self.nextDay + Self.nextDay)
    let problem = try Self.first(.wipeUnfinished, files)
    #expect(problem.sentence.contains("could not be removed (215), 3 times"), "\(problem.sentence)")
    expectEqual(problem.ending?.kind, .recovered)
    let service = try Self.problems(
      [Self.plain],
      [#"{"service": {"mia": "networkFailure"}}"#, #"{"deregisterAndUnenroll": {"account": "mia", "wipe": true}}"#]
        + Self.nextDay + [#"{"service": {"mia": "unchanged"}}"#] + Self.nextDay)
    let notified = try Self.first(.wipeUnfinished, service)
    #expect(notified.sentence.contains("the service could not be notified that a1 left"), "\(notified.sentence)")
    expectEqual(notified.ending?.kind, .recovered)
  }

  @Test("A version that crashes is told beside healthy processes, of its own or of another version")
  func crashes() throws {
    func process(_ version: String, _ end: String, _ count: Int = 1) -> [String] {
      let steps = [
        #"{"update": {"app": "\#(version)"}}"#, #"{"launch": {}}"#, #"{"wait": "PT30M"}"#, end, #"{"wait": "PT6H"}"#,
      ]
      return Array(repeating: steps, count: count).flatMap { $0 }
    }
    let (crash, exit) = (#"{"crash": "now"}"#, #"{"exit": {}}"#)
    let begin = [exit] + process("2.0", exit, 3)
    let diluted = begin + process("2.1", crash, 6) + process("2.1", exit, 12)
    let loop = try Self.first(.crashLoop, try Self.problems([Self.plain], diluted))
    #expect(
      loop.sentence.contains(#/6 of 9 processes of version 2\.1 of the app up to event \d+ ended/#), "\(loop.sentence)")
    expectEqual(loop.ending?.kind, .recovered)
    // One crash later does not make it a loop again.
    let later = try Self.first(
      .crashLoop, try Self.problems([Self.plain], diluted + process("2.1", crash) + process("2.1", exit)))
    expectEqual(later.ending?.kind, .recovered, "\(later.sentence)")
    let turns = Array(repeating: process("2.1", crash) + process("2.0", exit), count: 7).flatMap { $0 }
    let between = try Self.first(.crashLoop, try Self.problems([Self.plain], begin + turns))
    #expect(between.sentence.contains("7 of 7 processes of version 2.1"), "\(between.sentence)")
    // The other version ends each of its episodes.
    expectEqual(between.episodeCount, 5)
    expectEqual(between.ending?.kind, .recovered)
  }

  @Test("A clock that was set ahead and back in steps was not set back by the first of them")
  func clock() throws {
    func set(_ way: String, _ length: String) -> [String] {
      [#"{"clock": {"\#(way)": "\#(length)"}}"#, #"{"wait": "PT15M"}"#, #"{"setUI": "mia"}"#, #"{"setUI": ""}"#]
    }
    let steps = set("setAhead", "PT5H") + set("setBack", "PT2H") + set("setBack", "PT3H") + Self.nextDay
    let right = try Self.first(.clockSetBack, try Self.problems([Self.plain], steps))
    #expect(
      right.sentence.contains(#/was set ahead by 05:00:00 before event \d+, and back again in 2 steps/#),
      "\(right.sentence)")
    expectEqual(right.ending?.kind, .recovered)
    let ahead = try Self.problems([Self.plain], Array(steps.prefix(8)) + Self.nextDay)
    let wrong = try Self.first(.clockSetBack, ahead)
    #expect(wrong.sentence.contains("set back by 02:00:00") && wrong.sentence.contains("when it was ahead by 05:00:00"))
  }
}
