import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Assumptions: choices where no published rule exists")
struct AssumptionTests {
  /// A managed account whose record the service lost, and whose new enrollment failed on the network once.
  static func lost(_ rule: ReenrollmentRefusal) throws -> TestApp {
    var app = try TestApp { $0.assumptions.reenrollmentRefusal = rule }
    try app.enroll(.a)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone), .answerEnrollment(.a, .failure(.init(.timeout))))
    app.now += RetrySchedule.minute
    try app.run(.startDueWork)
    try expectEqual(app.enrollment(.a1).trigger, .retry)
    _ = app.takeCallbacks()
    try app.run(.answerEnrollment(.a, .gone))
    return app
  }

  @Test("T23: a repeated enrollment after a lost record is refused with 221, whatever failed in between")
  func reenrollmentAfterRetry() throws {
    var app = try Self.lost(.everyAttempt)
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 221"])
    #expect(try app.enrollment(.a1).nextRetry == nil)
    #expect(try !app.enrollment(.a1).recordLost)
    app = try Self.lost(.firstAttempt)
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 220"])
    #expect(try app.enrollment(.a1).nextRetry != nil)
  }

  @Test("T23: an enrollment that succeeds ends the memory of a lost record")
  func recordFound() throws {
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
    #expect(try app.enrollment(.a1).recordLost)
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    #expect(try !app.enrollment(.a1).recordLost)
  }

  @Test("Pauses after failures of the network rise as assumed, and never beyond an hour", arguments: [1, 2, 6, 7, 50])
  func backoff(failures: UInt32) {
    let expected: [UInt32: Int64] = [1: 1, 2: 2, 6: 32, 7: 60, 50: 60]
    expectEqual(RetrySchedule.pause(afterFailures: failures), RetrySchedule.minute * (expected[failures] ?? 0))
    expectEqual(RetrySchedule.pause(afterFailures: failures, .capAtOnce), RetrySchedule.hour)
  }

  @Test("T8: the sequence of pauses that is assumed is the one that is scheduled", arguments: BackoffSequence.allCases)
  func scheduledBackoff(_ sequence: BackoffSequence) throws {
    var app = try TestApp { $0.assumptions.backoffSequence = sequence }
    try app.enroll(.a, .failure(.init(.timeout)))
    try expectEqual(app.enrollment(.a1).nextRetry, app.now + RetrySchedule.pause(afterFailures: 1, sequence))
  }

  @Test("S-30: an unknown code is repeated or not, as assumed", arguments: UnknownCodeRule.allCases)
  func unknownCode(_ rule: UnknownCodeRule) throws {
    var app = try TestApp { $0.assumptions.unknownCodeRule = rule }
    try app.enroll(.a, .failure(.init(EnrollmentStatusCode(rawValue: 228))))
    try expectEqual(app.enrollment(.a1).lastCode?.rawValue, 228)
    #expect(try (app.enrollment(.a1).nextRetry == nil) == (rule == .never))
    // A number that looks like no failure says nothing about the account, whatever is assumed.
    try app.enroll(.b, .failure(.init(EnrollmentStatusCode(rawValue: 302))))
    #expect(try app.enrollment(.a2).nextRetry != nil)
  }

  @Test("Codes 220 and 226 after a check-in are told by the callback that is assumed")
  func serviceCodes() throws {
    for (rule, name) in [(ServiceCodeCallback.answeredRequest, "policyRequest"), (.enrollment, "enrollmentRequest")] {
      var app = try TestApp { $0.assumptions.serviceCodeCallback = rule }
      try app.enroll(.a)
      _ = app.takeCallbacks()
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.deviceBlockedEnrollment))))
      expectEqual(app.takeCallbacks(), ["\(name) a1 226"])
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .gone))
      expectEqual(app.takeCallbacks(), ["\(name) a1 220", "PolicyDidChange a1"])
    }
  }

  @Test("T35: an account that is not allowed is refused with the code that is assumed")
  func unlistedAccount() throws {
    for code in [EnrollmentStatusCode.notEmmAccount, .notDeviceAccount] {
      var app = try TestApp { $0.assumptions.unlistedAccountCode = code }
      try app.enroll(.a, .failure(.init(.authRequired)))
      try app.run(.setAllowedAccounts([.b]))
      _ = app.takeCallbacks()
      try app.run(.acquireToken(.a))
      expectEqual(app.takeCallbacks(), ["enrollmentRequest a1 \(code.rawValue)"])
    }
  }

  @Test("T15: where another management solution provides an account, another one is refused with 209 and removed")
  func emmAccount() throws {
    var app = try TestApp()
    try app.run(.setDeviceAccount(.a, source: .emm), .registerAndEnroll(.b))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a2 209"])
    expectEqual(app.state.accounts[.a2]?.removalCode, .notEmmAccount)
    // The same account by another source: 210 from here on.
    try expectEqual(app.run(.setDeviceAccount(.a)), ["deviceAccount.changed"])
    try expectEqual(app.run(.setDeviceAccount(.a)), [])
    try app.run(.registerAndEnroll(.personal))
    expectEqual(app.takeCallbacks(), ["enrollmentRequest a3 210"])
    try app.run(.setDeviceAccount(nil))
    expectEqual(app.state.settings.deviceAccountSource, .mdm)
    try expectEqual(app.run(.setDeviceAccount(nil)), [])
  }

  @Test("Every choice can be set by its number, and to nothing but its members")
  func byNumber() {
    for field in Assumptions.descriptor.fields {
      var choices = Assumptions()
      let members: [UInt64] =
        if case .enumeration(let enumeration) = field.type { enumeration.members.map(\.number) } else { [0, 1] }
      var trees: Set<String> = []
      for member in members {
        let isMember = choices.set(field.number, to: member)
        #expect(isMember, "\(field.name)")
        trees.insert("\(choices.tree())")
      }
      expectEqual(trees.count, members.count, "\(field.name)")
      // A status code may be any number.
      if case .enumeration(let codes) = field.type, codes.name == EnrollmentStatusCode.schemaName { continue }
      let isMember = choices.set(field.number, to: 99)
      #expect(!isMember, "\(field.name)")
    }
    var choices = Assumptions()
    let isField = choices.set(900, to: 0)
    #expect(!isField)
  }

  @Test("A default that has changed is written, and its absence means what it always meant")
  func changedDefault() throws {
    #expect(!Assumptions().protectionConflictRefuses && Assumptions.blank.protectionConflictRefuses)
    var writer = WireWriter()
    Assumptions().encode(into: &writer)
    expectEqual(writer.bytes, [25 << 3 & 0x7f | 0x80, 25 >> 4, 0], "field 25, false")
    for bytes in [[], writer.bytes] {
      let read = try WireReader.decode(bytes) { (reader) throws(WireError) in try Assumptions(from: &reader) }
      expectEqual(read, bytes.isEmpty ? .blank : Assumptions())
    }
    expectEqual(AppSettings.blank.assumptions, .blank)
  }

  @Test("A journal without settings has the defaults of the revision that began it, until a program records others")
  func changedDefaultInJournals() throws {
    let app = try TestApp()
    expectEqual(app.history.map(\.event.name), ["process.started"])
    expectEqual(app.state.settings.app, AppSettings())
    let earlier = app.replayed(revision: 4)
    expectEqual(earlier.settings.app, .blank)
    try expectEqual(TestApp.decoded(earlier), earlier)
    var explanation = Explanation()
    let next = try AppProtectionMachine.decide(
      .startProcess(TestApp.process, settings: AppSettings()), in: earlier, at: app.next, explanation: &explanation)
    expectEqual(next.events.map(\.name), ["settings.changed", "process.started"])
    expectEqual(next.state.settings.app, AppSettings())
    // What an app chose is recorded, and counts whatever the revision.
    let chosen = try TestApp { $0.assumptions.protectionConflictRefuses = true }
    expectEqual(chosen.history.map(\.event.name), ["settings.changed", "process.started"])
    expectEqual(chosen.replayed(revision: 4).settings, chosen.state.settings)
    let unlike = try TestApp { $0.multiIdentity = true }
    expectEqual(unlike.replayed(revision: 4).settings, unlike.state.settings)
  }
}
