import AppProtectionInsight
import EventSourcing
import Expectations
import Simulation
import Testing

/// Several troubles of one family in one history: none hides another, and none takes over what belongs to another.
@Suite("Troubles beside troubles")
struct TroubleBesideTroubleTests {
  private typealias Ended = EndedTroubleTests

  private static func all(
    _ family: ProblemFamily, _ policies: [String], device: String = "", _ steps: [String]
  ) throws -> [Problem] {
    try Ended.problems(policies, device: device, steps).filter { $0.family == family }
  }

  private static func days(_ count: Int, _ steps: [String] = []) -> [String] {
    Array(repeating: Ended.nextDay + steps, count: count).flatMap { $0 }
  }

  // MARK: Questions

  @Test("A PIN answers what asks for one: of every account if it is right, and no sign-in")
  func questions() throws {
    func steps(_ policy: String, isRight: Bool) -> [String] {
      let attempt = #"{"pinAttempt": {"account": "mia", "isRight": \#(isRight)}}"#
      return [
        #"{"service": {"theo": {"policy": "\#(policy)"}}}"#, #"{"registerAndEnroll": "theo"}"#, #"{"restart": {}}"#,
        #"{"setPIN": {"account": "mia", "pin": "4826"}}"#,
      ] + Self.days(7, [Ended.evaluate, #"{"evaluateLaunch": "theo"}"#, attempt])
    }
    let policies = [
      #""pinRequired": true, "maximumPinRetries": 9"#,
      #""pinRequired": false, "organizationalCredentialsRequired": true"#,
    ]
    for isRight in [true, false] {
      let signIn = try Self.all(.refusedAgain, policies, steps("p2", isRight: isRight))
      expectEqual(signIn.map(\.subject), ["a2"])
      #expect(signIn.first?.sentence.contains("launch.signIn for a2 has no answer, 7 times") == true)
      expectEqual(signIn.first?.severity, .critical)
    }
    expectEqual(try Self.all(.refusedAgain, policies, steps("p1", isRight: true)), [])
  }

  // MARK: Policies

  private static let off = Ended.strict.replacing("true", with: "false")
  private static let printOff = Ended.strict.replacing(#""printBlocked": true"#, with: #""printBlocked": false"#)

  @Test("Of a weaker policy, what was set right is over, and what was not stands beside it")
  func setRight() throws {
    let steps = Ended.service("p2") + Self.days(4) + Ended.service("p3") + Self.days(2)
    let found = try Self.all(.policyDrift, [Ended.strict, Self.off, Self.printOff], steps)
    let present = try #require(found.first { !$0.isOver })
    #expect(present.severity == .note && present.sentence.hasSuffix("weaker: printBlocked"), "\(present.sentence)")
    let past = try #require(found.first { $0.isOver })
    #expect(past.sentence.contains("contactSyncBlocked") && past.sentence.contains("screenCaptureBlocked"))
    #expect(!past.sentence.contains("printBlocked"), "\(past.sentence)")
    // The account leaves later.
    let left = try Self.all(
      .policyDrift, [Ended.strict, Self.off, Self.printOff], steps + [#"{"deregisterAndUnenroll": "mia"}"#])
    expectEqual(left.map(\.sentence), [past.sentence])
    expectEqual(left.first?.ending, past.ending)
  }

  @Test("A later drift, or a return, does not hide an earlier one")
  func laterDrift() throws {
    let steps = Ended.service("p2") + Self.days(4) + Ended.service("p3") + Self.days(3)
    let right = Ended.strict + #", "dataBackupBlocked": true"#
    let other = right.replacing(#""dataBackupBlocked": true"#, with: #""dataBackupBlocked": false"#)
    let loosened = try Self.all(
      .policyDrift, [Ended.strict, Self.off, right, other], steps + Ended.service("p4") + Self.days(2))
    expectEqual(loosened.count, 2, "\(loosened.map(\.sentence))")
    #expect(loosened.contains { $0.isOver && $0.sentence.contains("contactSyncBlocked") })
    #expect(loosened.contains { !$0.isOver && $0.sentence.hasSuffix("dataBackupBlocked") })
    let back = try Self.all(
      .policyDrift, [Ended.strict, Self.off], Ended.service("p2") + Self.days(4) + Ended.service("p1") + Self.days(2))
    #expect(back.contains { $0.isOver && $0.sentence.contains("weaker") }, "\(back.map(\.sentence))")
    #expect(back.contains { !$0.isOver && $0.sentence.contains("went back") && $0.severity == .note })
  }

  @Test("Returns of a policy are one trouble, which an account that leaves long after them does not end")
  func returns() throws {
    let turns = ["p2", "p1", "p2", "p1"].flatMap { Ended.service($0) + Self.days(2) }
    let month = [#"{"exit": {}}"#, #"{"wait": "P33D"}"#, #"{"launch": {}}"#]
    let leave = [#"{"deregisterAndUnenroll": "mia"}"#]
    let found = try Self.all(.policyDrift, [Ended.strict, Self.off], turns + month + leave + Self.days(1))
    expectEqual(found.count, 1, "\(found.map(\.sentence))")
    let problem = try #require(found.first)
    #expect(problem.sentence.contains("went back to an earlier one 3 times"), "\(problem.sentence)")
    expectEqual(problem.ending?.kind, .outOfSight)
    expectEqual(problem.ending?.event.sequence, problem.evidence.last?.sequence)
    // What the policy in force shows lasts meanwhile, and is reported beside the returns once they are out of sight.
    let weak = turns + Ended.service("p2") + Self.days(2) + month
    let open = try Self.all(.policyDrift, [Ended.strict, Self.off], weak)
    #expect(open.contains { !$0.isOver && $0.sentence.contains("weaker") && $0.severity == .warning })
    #expect(open.contains { $0.isOver && $0.sentence.contains("4 times") }, "\(open.map(\.sentence))")
    let gone = try Self.all(.policyDrift, [Ended.strict, Self.off], weak + leave + Self.days(1))
    expectEqual(Set(gone.map { $0.ending?.kind }), [.outOfSight, .abandoned], "\(gone.map(\.sentence))")
    let soon = try Self.all(.policyDrift, [Ended.strict, Self.off], turns + leave + Self.days(1))
    expectEqual(soon.map { $0.ending?.kind }, [.abandoned])
  }

  // MARK: Remediations

  private static let token = [#"{"removeToken": "mia"}"#, #"{"acquireToken": "mia"}"#]

  @Test("A loop that is over stands beside remediations that lead nowhere now")
  func loopAndRow() throws {
    let turn = [#"{"denyToken": "mia"}"#, #"{"remediate": "mia"}"#, #"{"wait": "PT2M"}"#]
    let loop = [#"{"compliance": {"mia": "compliant"}}"#] + Array(repeating: turn, count: 5).flatMap { $0 }
    let found = try Self.all(
      .remediationLoop, [Ended.plain],
      loop + Self.token + Self.days(4) + Ended.remediations("serviceFailure", 3))
    expectEqual(found.count, 2, "\(found.map(\.sentence))")
    #expect(found.contains { !$0.isOver && $0.sentence.contains("in a row") })
    let over = try #require(found.first { $0.isOver })
    #expect(over.sentence.contains("were refused again and again"), "\(over.sentence)")
    expectEqual(over.ending?.kind, .recovered)
    expectEqual(over.severity, .warning)
  }

  @Test("Attempts that say nothing do not keep an old trouble in sight")
  func ownSighting() throws {
    let canceled = Self.days(16, Ended.remediations("userCancelled", 1))
    let row = try Self.all(.remediationLoop, [Ended.plain], Ended.remediations("serviceFailure", 3) + canceled)
    expectEqual(row.map { $0.ending?.kind }, [.outOfSight])
    expectEqual(row.first?.ending?.event.sequence, row.first?.evidence.last?.sequence)
    // So it ended before what helped later.
    let helped = try Self.all(
      .remediationLoop, [Ended.plain], Ended.remediations("interactionRequired", 2) + canceled + Self.token)
    expectEqual(helped.map { $0.ending?.kind }, [.outOfSight])
  }

  // MARK: Wipes

  @Test("A wipe that failed for two reasons names both, and its time counts from the first failure")
  func slowWipes() throws {
    let both =
      [
        #"{"files": {"mia": {"count": 2, "failure": "open"}}}"#, #"{"service": {"mia": "networkFailure"}}"#,
        #"{"deregisterAndUnenroll": {"account": "mia", "wipe": true}}"#, #"{"wait": "PT2M"}"#,
        #"{"files": {"mia": 2}}"#,
      ] + Self.days(4) + [#"{"service": {"mia": "unchanged"}}"#] + Self.days(1)
    let problem = try #require(try Self.all(.wipeUnfinished, [Ended.plain], both).first)
    #expect(problem.sentence.contains("could not be removed (215), once at event"), "\(problem.sentence)")
    #expect(
      problem.sentence.contains(#/, and the service could not be notified that a1 left: .*, \d times from event/#),
      "\(problem.sentence)")
    #expect(problem.next.contains("connect the device"), "\(problem.next)")
    expectEqual(problem.severity, .warning)
    let late =
      [
        #"{"files": {"mia": {"count": 2, "failure": "open"}}}"#, #"{"service": {"mia": "wipe"}}"#,
        #"{"crash": {"after": "wipe.requested"}}"#, #"{"checkIn": "mia"}"#, #"{"wait": "P2D"}"#, #"{"launch": {}}"#,
        #"{"exit": {}}"#, #"{"wait": "PT2H"}"#, #"{"files": {"mia": 2}}"#, #"{"launch": {}}"#,
      ] + Self.days(1)
    expectEqual(try Self.all(.wipeUnfinished, [Ended.plain], late).map(\.severity), [.note])
  }

  @Test("Wipes count for each cause")
  func wipes() throws {
    let own = [
      #"{"deregisterAndUnenroll": {"account": "mia", "wipe": true}}"#, #"{"wait": "PT1M"}"#,
      #"{"registerAndEnroll": "mia"}"#, #"{"restart": {}}"#,
    ]
    let twice = own + Self.days(1) + own + Self.days(1)
    let policies = [
      Ended.plain, #""minimumWipeOsVersion": "17.5""#,
      #""deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "wipe""#,
    ]
    let version = try #require(
      try Self.all(.unexpectedWipe, policies, twice + Ended.service("p2") + [Ended.evaluate]).first)
    #expect(!version.sentence.contains("times"), "\(version.sentence)")
    expectEqual(version.episodeCount, 1)
    // Two launch conditions are two causes.
    let back =
      [#"{"update": {"os": "17.6"}}"#] + Self.days(1) + [#"{"registerAndEnroll": "mia"}"#, #"{"restart": {}}"#]
    let other =
      Ended.service("p2") + [Ended.evaluate] + back + Ended.service("p3")
      + [#"{"reportDevice": {"isJailbroken": true}}"#, Ended.evaluate]
    let jailbreak = try #require(try Self.all(.unexpectedWipe, policies, other).first)
    #expect(jailbreak.sentence.contains("jailbroken") && !jailbreak.sentence.contains("times"), "\(jailbreak.sentence)")
    let again = try #require(try Self.all(.unexpectedWipe, policies, twice + own).first)
    #expect(again.sentence.contains("it was wiped 3 times"), "\(again.sentence)")
  }

  // MARK: Processes and the clock

  private static func process(_ version: String, _ end: String, for length: String, _ count: Int) -> [String] {
    let steps = [
      #"{"update": {"app": "\#(version)"}}"#, #"{"launch": {}}"#, #"{"wait": "\#(length)"}"#, end, #"{"wait": "PT1M"}"#,
    ]
    return Array(repeating: steps, count: count).flatMap { $0 }
  }

  private static let (crash, exit) = (#"{"crash": "now"}"#, #"{"exit": {}}"#)

  @Test("Processes that are killed after the end of a loop are none of its")
  func laterKills() throws {
    let calm = Self.process("2.1", Self.exit, for: "P2D", 10)
    let kill = Self.process("2.1", Self.crash, for: "P2D", 1)
    let steps =
      [Self.exit] + Self.process("2.0", Self.exit, for: "PT1H", 3) + Self.process("2.1", Self.crash, for: "PT1M", 4)
      + calm + kill + calm + kill + calm
    let found = try Self.all(.crashLoop, [Ended.plain], steps)
    expectEqual(found.map(\.severity), [.note])
    let problem = try #require(found.first)
    #expect(problem.sentence.contains("4 of 7 processes of version 2.1"), "\(problem.sentence)")
    expectEqual(problem.ending?.kind, .recovered)
  }

  @Test("No evidence is after the end, whatever processes do", arguments: 1...8 as ClosedRange<UInt64>)
  func randomProcesses(seed: UInt64) throws {
    var random = seed &* 0x9E37_79B9_7F4A_7C15
    func pick<Value>(_ values: [Value]) -> Value {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return values[Int((random >> 33) % UInt64(values.count))]
    }
    var steps = [Self.exit]
    for _ in 0..<14 {
      steps += Self.process(
        pick(["2.0", "2.1"]), pick([Self.crash, Self.exit]), for: pick(["PT1M", "PT5H", "P2D"]), pick([1, 1, 3, 5]))
    }
    for problem in try Ended.problems([Ended.plain], steps) {
      guard let ending = problem.ending else { continue }
      let late = problem.evidence.compactMap(\.sequence).filter { $0 > ending.event.sequence }
      expectEqual(late, [], "seed \(seed): \(problem.sentence)")
    }
  }

  @Test("A clock that is right again is not reported beside one that is wrong")
  func clock() throws {
    func set(_ way: String, _ length: String) -> [String] {
      [#"{"clock": {"\#(way)": "\#(length)"}}"#, #"{"wait": "PT15M"}"#, #"{"setUI": "mia"}"#, #"{"setUI": ""}"#]
    }
    for (first, second) in [("setAhead", "setBack"), ("setBack", "setAhead")] {
      let right = set(first, "PT4H") + set(second, "PT4H") + Self.days(1)
      let found = try Self.all(.clockSetBack, [Ended.plain], right + set("setBack", "PT6H") + Self.days(1))
      let problem = try #require(found.first)
      #expect(problem.sentence.contains("set back by 06:00:00"), "\(problem.sentence)")
      #expect(!problem.sentence.contains("first of"), "\(problem.sentence)")
      #expect(!problem.isOver)
    }
  }
}
