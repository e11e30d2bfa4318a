import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Work found among many accounts")
struct DueWorkTests {
  /// What is to be done, found by looking at every record.
  private struct Scan: Equatable {
    var due: [AccountNumber]
    var asking: Set<AccountNumber>
    var next: Int64?

    init(_ state: AppProtectionState, after looked: Moment, at moment: Moment) {
      due = state.accounts.records.filter { state.isDue($0, at: moment) }.map(\.account)
      let accounts = state.accounts.records.filter { account in
        let enrollment = account.enrollment
        return enrollment.enrollmentRequest != 0 || enrollment.checkInRequest != 0 || enrollment.awaitsUnenrollment
          || (enrollment.switchQuestion != 0 && enrollment.switchesFrom != nil) || account.additionQuestion != 0
      }
      let wipes = state.wipes.records.filter { wipe in
        wipe.phase == .requested
          || (wipe.phase == .removingFiles && wipe.dueTime.map { state.isReached($0, at: moment) } ?? true)
      }
      asking = Set(accounts.map(\.account) + wipes.map(\.account))
      let times = state.accounts.records.map(state.dueTime) + state.wipes.records.map(\.dueTime)
      next = (times + [state.process.restart?.dueTime]).compactMap(\.self)
        .filter { !state.isReached($0, at: looked) || !state.isReached($0, at: moment) }
        .map { state.launch.clock.remaining(until: $0, at: moment) }.min()
        .map { moment.wallNanoseconds.advancedClamping(by: $0) }
    }
  }

  private func check(_ state: AppProtectionState, after looked: Moment, at moment: Moment, _ place: String) {
    let scan = Scan(state, after: looked, at: moment)
    let pending = state.pendingWork(at: moment)
    expectEqual(pending.filter { $0.kind == .startDueWork }.compactMap(\.account), scan.due, "\(place)")
    let asking = pending.filter { work in
      switch work.kind {
      case .enroll, .checkIn, .unenroll, .askAccountSwitch, .askToAddAccount, .askDelegateToWipe, .removeFiles: true
      case .askRestart, .restart, .remediate, .tellRemediation, .askLogin, .askIdentitySwitch, .startDueWork: false
      }
    }
    expectEqual(Set(asking.compactMap(\.account)), scan.asking, "\(place)")
    expectEqual(state.nextDue(after: looked, at: moment), scan.next, "\(place)")
  }

  @Test("In histories of many accounts, work is found as by looking at each", arguments: 1...6 as ClosedRange<UInt64>)
  func histories(seed: UInt64) throws {
    var random = RandomSequence(seed: seed)
    let accounts = (1...40).map { AccountReference(userPrincipalName: "ada\($0)@contoso.com") }
    var device = LaunchClockTests.Device()
    if seed.isMultiple(of: 3) { device.uptime = 0 }
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.maximumManagedAccounts = random.flag() ? 1 : 30
    try device.start(settings: settings)
    for account in accounts { try device.run(.registerAndEnroll(account)) }
    var (dueCount, kept) = (0, [(state: device.state, moment: device.moment)])
    for step in 0..<400 {
      let looked = device.moment
      let command =
        random.next(below: 4) == 0
        ? RandomHistoryTests.command(&random, for: accounts)
        : RandomHistoryTests.answer(&random, device.state, at: device.moment)
      do { try device.run(command) } catch is AppProtectionRejection {}
      let hours = Int64(random.next(below: 20) == 0 ? random.next(below: 40) : 0)
      device.wall += (hours + Int64(random.next(below: 60) == 0 ? random.next(below: 9) - 4 : 0)) * TestApp.hour
      device.uptime += device.uptime == 0 ? 0 : 1_000_000 + hours * TestApp.hour
      if step % 5 == 0 { check(device.state, after: looked, at: device.moment, "seed \(seed), step \(step)") }
      if !device.state.accounts.records.allSatisfy({ !device.state.isDue($0, at: device.moment) }) { dueCount += 1 }
      if step % 50 == 0 { kept.append((device.state, device.moment)) }
    }
    #expect(dueCount > 20, "work must fall due")
    // Versions that share most of their records with later ones have stayed as they were.
    for (state, moment) in kept { check(state, after: moment, at: moment, "seed \(seed), kept") }
  }

  /// Schedules work for one account, asks about it, or lets it leave.
  private func change(_ state: inout AppProtectionState, with random: inout RandomSequence) throws {
    let number = try #require(AccountNumber(UInt32(1 + random.next(below: 60))))
    func due() -> DueTime? {
      let wall = random.next(below: 40) == 0 ? .max : TestApp.start + Int64(random.next(below: 5_000)) * TestApp.hour
      let elapsed = random.next(below: 40) == 0 ? .max : Int64(random.next(below: 5_000)) * TestApp.hour
      return random.next(below: 3) == 0 ? nil : DueTime(wall: wall, elapsed: elapsed)
    }
    switch random.next(below: 16) {
    case 0: return state.accounts.remove(number)
    case 1, 2:
      var wipe = WipeRecord(account: number, reason: .unspecified, origin: .service, requestedBy: 7)
      wipe.phase = random.pick([.requested, .removingFiles, .completed, .unenrolling])
      wipe.retryDue = due()
      return state.wipes.set(wipe)
    default: break
    }
    var account = Account(number)
    account.enrollment.status = random.pick([
      .registered, .enrolling, .enrolledWithPolicy, .enrolledWithoutPolicy, .unenrolling, .wiping, .removed,
    ])
    (account.enrollment.checkInDue, account.enrollment.retryDue) = (due(), due())
    account.enrollment.awaitsSignIn = random.next(below: 8) == 0
    account.enrollment.checkInRequest = random.next(below: 8) == 0 ? random.next() : 0
    account.enrollment.unenrollmentRequest = random.flag() ? 0 : 7
    account.additionQuestion = random.next(below: 20) == 0 ? 9 : 0
    account.isExclusive = random.next(below: 100) == 0
    if random.flag() { state.accounts.set(account) } else { state.accounts.update(number) { $0 = account } }
  }

  @Test(
    "Whatever times the records have, and whatever the clocks show", arguments: 1...6 as ClosedRange<UInt64>,
    [true, false])
  func anyTimes(seed: UInt64, knowsUptime: Bool) throws {
    var random = RandomSequence(seed: seed)
    var state = AppProtectionState()
    state.settings.app.maximumManagedAccounts = seed % 2 == 0 ? 1 : 40
    if seed % 3 != 0 {
      state.launch.clock.record(Moment(wallNanoseconds: TestApp.start, uptimeNanoseconds: knowsUptime ? 1 : 0))
    }
    for step in 0..<400 {
      try change(&state, with: &random)
      guard step % 8 == 0 else { continue }
      // The wall clock may also have been set back.
      func moment(after passed: Int64) -> Moment {
        let wall = TestApp.start + passed - Int64(random.next(below: 400)) * TestApp.hour
        return Moment(wallNanoseconds: wall, uptimeNanoseconds: knowsUptime ? 1 + passed / 2 : 0)
      }
      let passed = Int64(random.next(below: 6_000)) * TestApp.hour
      let looked = moment(after: passed)
      check(state, after: looked, at: moment(after: passed + 40 * TestApp.hour), "seed \(seed), step \(step)")
    }
  }

  @Test("Looking for work reads the few records that have some, however many there are")
  func reads() {
    var state = AppProtectionState()
    state.launch.clock.record(Moment(wallNanoseconds: TestApp.start, uptimeNanoseconds: 1))
    for number in (1...2_000).compactMap({ AccountNumber($0) }) {
      var account = Account(number)
      account.enrollment.status = .enrolledWithPolicy
      let pause = Int64(number.rawValue * 7 % 2_000 + 1) * TestApp.minute
      account.enrollment.checkInDue = DueTime(wall: TestApp.start + pause, elapsed: pause)
      state.accounts.set(account)
    }
    func looks(at minutes: Int64) -> Int {
      var looks = 0
      let moment = Moment(
        wallNanoseconds: TestApp.start + minutes * TestApp.minute, uptimeNanoseconds: 1 + minutes * TestApp.minute)
      _ = state.accounts.records.first(
        among: { outline in
          looks += 1
          return outline.due.map { state.launch.clock.leastRemaining(until: $0, at: moment) <= 0 } ?? false
        }, where: { _ in false })
      return looks
    }
    expectEqual(looks(at: 0), 1)
    #expect(looks(at: 1) < 50)
    #expect(looks(at: 2_000) > 2_000)
  }
}
