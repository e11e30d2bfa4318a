import EventSourcing
import Expectations
import Testing

@testable import AppProtection

/// What is due is what the rules do at that time, and not before.
@Suite("Deadlines")
struct DeadlineTests {
  private static let start = Moment(wallNanoseconds: 1_795_800_000_000_000_000)

  private static func hours(_ count: Int) -> PolicyDuration? { try? PolicyDuration("PT\(count)H") }

  private static let strict: PolicyDocument = {
    var policy = PolicyDocument()
    policy.conditionalLaunch.periodOfflineBeforeAccessCheck = hours(9)
    policy.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = hours(70)
    policy.access.pinRequired = true
    policy.access.periodOnlineBeforeAccessCheck = hours(2)
    policy.access.periodBeforePinReset = hours(30 * 24)
    policy.access.organizationalCredentialsRequired = true
    return policy
  }()

  /// A device on which an account had checked in at a moment, chosen its PIN, signed in and opened the app.
  private static func state(_ policy: PolicyDocument, at moment: Moment = start) -> AppProtectionState {
    var state = AppProtectionState()
    state.settings.app.retryProfile = .guide2019
    state.launch.clock.record(moment)
    let now = state.launch.clock.elapsed
    state.launch.update(.first) { record in
      (record.checkedInAt, record.passedAt, record.signedInAt) = (now, now, now)
    }
    state.launch.pin.setAt = now
    state.launch.pin.facts = PINFacts(of: "2580")
    state.launch.pin.enter(at: now)
    state.policies.set(PolicyRecord(account: .first, document: policy, version: 1, receivedBy: 1, isEnforced: true))
    var account = Account(.first)
    account.enrollment.status = .enrolledWithPolicy
    account.enrollment.lastCompletedCheckIn = moment.wallNanoseconds
    let pause = RetrySchedule(.guide2019).checkIn
    account.enrollment.checkInDue = DueTime(wall: moment.wallNanoseconds + pause, elapsed: now + pause)
    state.accounts.set(account)
    return state
  }

  private static func moment(after length: Int64) -> Moment {
    Moment(wallNanoseconds: start.wallNanoseconds + length)
  }

  @Test("Every kind that a policy asks for is due after its setting, the earliest first")
  func kinds() {
    let deadlines = Self.state(Self.strict).deadlines(for: .first, at: Self.start)
    expectEqual(deadlines.map(\.kind), [.pin, .signIn, .checkIn, .block, .wipe, .pinReset])
    expectEqual(deadlines.map { $0.remaining / RetrySchedule.hour }, [2, 2, 8, 9, 70, 30 * 24])
    expectEqual(
      deadlines.map { $0.setting?.name },
      [
        "periodOnlineBeforeAccessCheck", "periodOnlineBeforeAccessCheck", nil, "periodOfflineBeforeAccessCheck",
        "periodOfflineBeforeWipeIsEnforced", "periodBeforePinReset",
      ])
    expectEqual(Self.state(PolicyDocument()).deadlines(for: .first, at: Self.start).map(\.kind), [.checkIn])
    expectEqual(AppProtectionState().deadlines(for: .first, at: Self.start), [])
  }

  @Test(
    "The launch condition of a deadline is met a nanosecond before it, and not at it", arguments: Deadline.Kind.allCases
  )
  func conditions(kind: Deadline.Kind) throws {
    let state = Self.state(Self.strict)
    let found = state.deadlines(for: .first, at: Self.start).first { $0.kind == kind }
    guard let deadline = found, let rule = deadline.condition else { return }
    for (length, isDue) in [(deadline.remaining - 1, false), (deadline.remaining, true)] {
      let decision = state.conditionalLaunch(for: .first, at: Self.moment(after: length))
      expectEqual(decision.findings.contains { $0.rule == rule }, isDue, "\(kind) after \(length)")
      let later = try #require(
        state.deadlines(for: .first, at: Self.moment(after: length)).first { $0.kind == kind })
      expectEqual(later.remaining, deadline.remaining - length)
      expectEqual(later.wall(from: Self.moment(after: length)), deadline.wall(from: Self.start))
    }
  }

  @Test("A wipe that was ordered waits for no time, and the intervals count no longer")
  func ordered() {
    var state = Self.state(Self.strict)
    state.accounts.update(.first) { $0.enrollment.status = .wiping }
    #expect(!state.deadlines(for: .first, at: Self.start).contains { [.wipe, .block, .pin].contains($0.kind) })
  }

  @Test("Working time that is over counts from its end, and a PIN that was never chosen is due at once")
  func others() {
    var policy = PolicyDocument()
    policy.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = Self.hours(3)
    policy.access.pinRequired = true
    var state = Self.state(policy)
    state.launch.pin.setAt = nil
    let now = state.launch.clock.elapsed
    state.launch.update(.first) { record in
      record.clockStatus = .clockedOut
      record.offWorkSince = now
    }
    let deadlines = state.deadlines(for: .first, at: Self.moment(after: RetrySchedule.hour))
    expectEqual(deadlines.map(\.kind), [.pinReset, .clockOut, .checkIn])
    expectEqual(deadlines.map { $0.remaining / RetrySchedule.hour }, [0, 2, 7])
    // No interval led to it, so that it has neither a time nor a setting.
    expectEqual(deadlines[0].wall(from: Self.start), nil)
    expectEqual(deadlines.map { $0.setting?.name }, [nil, "gracePeriodToBlockAppsDuringOffClockHours", nil])
    expectEqual(deadlines[1].statement, "access is blocked, because the user is not at work")
  }

  @Test("After work, what comes is what the policy's action says, and a warning that was shown does not come again")
  func actions() throws {
    var policy = PolicyDocument()
    policy.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = Self.hours(1)
    policy.conditionalLaunch.appActionIfAccountIsClockedOut = .warn
    var state = Self.state(policy)
    let now = state.launch.clock.elapsed
    state.launch.update(.first) { ($0.clockStatus, $0.offWorkSince) = (.clockedOut, now) }
    func clockOut() -> Deadline? { state.deadlines(for: .first, at: Self.start).first { $0.kind == .clockOut } }
    expectEqual(try #require(clockOut()).outcome, .warn)
    expectEqual(try #require(clockOut()).statement, "the user is warned, because the user is not at work")
    state.launch.update(.first) { $0.warned = [.clockOut] }
    expectEqual(clockOut(), nil)
    expectEqual(
      Deadline.Kind.clockOut.statement(of: .wipe), "the account's data is wiped, because the user is not at work")
  }

  @Test("A PIN that is weaker than a changed policy asks for is replaced at once")
  func weakPIN() {
    var policy = Self.strict
    policy.access.minimumPinLength = 6
    var state = Self.state(policy)
    state.settings.app.assumptions.policyChangeNeedsNewPIN = true
    let first = state.deadlines(for: .first, at: Self.start).first
    expectEqual(first?.condition, .pinQuality)
    expectEqual(first?.kind, .pinReset)
    state.settings.app.assumptions.policyChangeNeedsNewPIN = false
    expectEqual(state.deadlines(for: .first, at: Self.start).first?.condition, .pin)
  }

  @Test("A PIN that is both too weak and too old is asked for once, since the earlier of the two")
  func weakAndOldPIN() {
    var policy = Self.strict
    policy.access.minimumPinLength = 7
    var state = Self.state(policy)
    state.settings.app.assumptions.policyChangeNeedsNewPIN = true
    func resets(after days: Int64) -> [LaunchRule?] {
      state.deadlines(for: .first, at: Self.moment(after: days * RetrySchedule.day))
        .filter { $0.kind == .pinReset }.map(\.condition)
    }
    expectEqual(resets(after: 29), [.pinQuality])
    expectEqual(resets(after: 31), [.pinExpired])
  }

  @Test("Setting the clock back delays nothing where the uptime is known")
  func clock() throws {
    let state = Self.state(
      Self.strict,
      at: Moment(wallNanoseconds: Self.start.wallNanoseconds, uptimeNanoseconds: RetrySchedule.hour))
    let back = Moment(
      wallNanoseconds: Self.start.wallNanoseconds - RetrySchedule.day, uptimeNanoseconds: 5 * RetrySchedule.hour)
    let block = try #require(state.deadlines(for: .first, at: back).first { $0.kind == .block })
    expectEqual(block.remaining, 5 * RetrySchedule.hour)
  }

  @Test("Every kind says what happens, by which clock, and what moves it")
  func texts() {
    for kind in Deadline.Kind.allCases {
      #expect(!kind.statement.isEmpty && !kind.clock.isEmpty && !kind.movedBy.isEmpty, "\(kind)")
      #expect(!kind.statement.hasSuffix(".") && !kind.movedBy.hasSuffix("."), "\(kind)")
    }
  }
}
