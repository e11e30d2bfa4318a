import EventSourcing
import Expectations
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

/// Each word about the whole history, with the history in which it would be false.
@Suite("Facts about a whole history")
struct HistoryFactsTests {
  private static let alice = AccountReference(userPrincipalName: "alice@contoso.com")

  /// What the app's history shows.
  private static func facts(_ app: TestApp) -> (facts: HistoryFacts, state: AppProtectionState) {
    var (facts, state) = (HistoryFacts(), AppProtectionState())
    for (event, context) in app.history {
      let before = state
      AppProtectionMachine.reduce(into: &state, event, context)
      facts.observe(event, context, before: before, after: state)
    }
    return (facts, state)
  }

  private static func event(_ sequence: UInt64, day: Int64) -> EventContext {
    EventContext(sequence: sequence, moment: Moment(wallNanoseconds: day * RetrySchedule.day))
  }

  @Test("An account that left was registered once, and one that nothing names never was")
  func registrations() throws {
    var app = try TestApp()
    try app.run(.registerAndEnroll(Self.alice))
    let number = try #require(app.state.accounts.records.first?.account)
    let nameless = try #require(AccountNumber(9))
    var (facts, state) = Self.facts(app)
    #expect(facts.registration(of: number, at: state) == .standing)
    #expect(facts.registration(of: nameless, at: state) == .never)
    try app.run(.deregisterAndUnenroll(Self.alice, wipe: false))
    (facts, state) = Self.facts(app)
    if state.accounts[number]?.enrollment.status.isRegistered == false {
      #expect(facts.registration(of: number, at: state) != .never)
    }
    // Where the history begins late, it cannot say never.
    var late = HistoryFacts()
    late.begin()
    #expect(late.registration(of: nameless, at: state) == .notSeen)
    #expect(late.wasEnrolled(number) == nil)
    #expect(HistoryFacts().wasEnrolled(number) == false)
    #expect(late.needsNoPolicy(number) == nil)
    #expect(HistoryFacts().needsNoPolicy(number) == false)
  }

  @Test("An account that had a policy is not one that needs none, even where it is registered again")
  func policies() {
    var (registered, received, refused) = (AccountRegistered.blank, PolicyReceived.blank, EnrollmentFailed.blank)
    (registered.account, received.account, refused.account) = (.first, .first, .first)
    refused.code = .accountNotLicensed
    var facts = HistoryFacts()
    let events: [(event: AppProtectionEvent, needsNone: Bool)] = [
      (.accountRegistered(registered), false), (.enrollmentFailed(refused), true), (.policyReceived(received), false),
      (.accountRegistered(registered), false), (.enrollmentFailed(refused), false),
    ]
    for (index, (event, needsNone)) in events.enumerated() {
      let state = AppProtectionState()
      facts.observe(event, Self.event(UInt64(index + 1), day: Int64(index)), before: state, after: state)
      expectEqual(facts.needsNoPolicy(.first), needsNone, "\(index)")
    }
  }

  @Test("Time that a change of the clock adds has not passed")
  func clock() {
    var clock = HistoryClock()
    let (begin, end) = (Self.event(1, day: 0), Self.event(9, day: 34))
    expectEqual(clock.elapsed(from: begin, to: end), 34 * RetrySchedule.day)
    clock.change(by: 21 * RetrySchedule.day, before: 5)
    expectEqual(clock.elapsed(from: begin, to: end), 13 * RetrySchedule.day)
    expectEqual(clock.elapsed(from: Self.event(5, day: 21), to: end), 13 * RetrySchedule.day)
    clock.change(by: -21 * RetrySchedule.day, before: 7)
    expectEqual(clock.elapsed(from: begin, to: end), 34 * RetrySchedule.day)
    expectEqual(clock.elapsed(from: Self.event(6, day: 25), to: Self.event(7, day: 5)), RetrySchedule.day)
  }

  @Test(
    "Another account that comes while one is used is a change for it, and not for itself or for those that come later")
  func changes() throws {
    var app = try TestApp { $0.maximumManagedAccounts = 2 }
    try app.run(.registerAndEnroll(Self.alice))
    try app.run(.registerAndEnroll(AccountReference(userPrincipalName: "bob@contoso.com")))
    let numbers = app.state.accounts.records.map(\.account.description)
    let registered = try #require(
      app.history.last { if case .accountRegistered = $0.event { true } else { false } }?.context)
    let changes = Self.facts(app).facts.changes
    func found(_ subject: String?, hours: Int64) -> [UInt64?] {
      let moment = Moment(
        wallNanoseconds: registered.moment.wallNanoseconds.advancedClamping(by: hours * RetrySchedule.hour))
      return changes.evidence(before: registered.sequence + 5, at: moment, subject: subject).map(\.sequence)
    }
    expectEqual(found(numbers.first, hours: 1), [registered.sequence])
    expectEqual(found(numbers.first, hours: 2), [])
    expectEqual(found(numbers.last, hours: 1), [])
    expectEqual(found(nil, hours: 1), [])
  }
}
