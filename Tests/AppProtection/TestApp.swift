import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

/// An app whose every step is checked: the state encodes and decodes to itself, and a replay gives the same state.
struct TestApp {
  static let start: Int64 = 1_600_000_000_000_000_000
  static let minute = RetrySchedule.minute
  static let hour = RetrySchedule.hour
  static let day = RetrySchedule.day

  private(set) var state = AppProtectionState()
  private(set) var history: [(event: AppProtectionEvent, context: EventContext)] = []
  var now = start
  /// Whether every step is followed by a replay of the whole history.
  var replaysEveryStep = true
  /// Everything the app was told since ``takeCallbacks()``.
  private(set) var callbacks: [String] = []
  /// What a developer should know, as labels.
  private(set) var findings: [String] = []
  private let differ = StateDiffer()
  /// The explanation of the last command.
  private(set) var explanation = Explanation(recording: true)

  /// An app that was started, with these settings.
  init(_ configure: (inout AppSettings) -> Void = { _ in }) throws {
    var settings = AppSettings()
    configure(&settings)
    try run(.startProcess(Self.process, settings: settings))
  }

  static var process: ProcessStart {
    var process = ProcessStart()
    (process.appVersion, process.sdkVersion, process.osVersion) = ("1.2", "19.2.0", "17.5")
    process.deviceModel = "iPhone15,2"
    return process
  }

  /// Whether the device says how long it has been running.
  var knowsUptime = true

  var moment: Moment { Moment(wallNanoseconds: now, uptimeNanoseconds: knowsUptime ? now - Self.start : 0) }

  /// The position of the next event, and now.
  var next: EventContext { EventContext(sequence: UInt64(history.count + 1), moment: moment) }

  /// Runs a command one second after the one before, and returns the names of the events.
  @discardableResult
  mutating func run(_ command: AppProtectionCommand) throws -> [String] {
    now += 1_000_000_000
    explanation = Explanation(recording: true)
    let decided = try AppProtectionMachine.decide(command, in: state, at: next, explanation: &explanation)
    for event in decided.events {
      let before = state
      fold(event)
      if state == before && !Self.mayChangeNothing(event) { Issue.record("\(event) was decided and changes nothing") }
    }
    expectEqual(decided.state, state, "the decision folds its events as a replay does")
    try check()
    return decided.events.map(\.name)
  }

  /// Adds an event that no rule of today decides, as an earlier revision wrote it.
  mutating func inject(_ event: AppProtectionEvent) {
    now += 1_000_000_000
    fold(event)
  }

  mutating func run(_ commands: AppProtectionCommand...) throws {
    for command in commands { try run(command) }
  }

  private mutating func fold(_ event: AppProtectionEvent) {
    let context = next
    let before = state
    AppProtectionMachine.reduce(into: &state, event, context)
    let changed = state.takeChangedSlices() ?? ChangedSlices()
    // Building the trees takes long.
    if history.count.isMultiple(of: 4), before != state {
      expectEqual(
        differ.changes(from: before, to: state, among: changed), StateDiff(from: before.tree(), to: state.tree()),
        "what differs field by field, in the slices that were written, differs in the trees")
    }
    // An account may be used again after it was removed, unmanaged, so this is looked at on the spot.
    switch event {
    case .wipeCompleted, .unenrollmentSucceeded, .accountDeregistered:
      let removed = state.accounts.records.filter { account in
        account.enrollment.status == .removed && before.accounts[account.account] != account
      }
      #expect(!removed.isEmpty && removed.allSatisfy(state.keepsNothing), "\(event)")
    case .identitySwitched(let switched) where switched.origin == .app || state.settings.app.multiIdentity:
      // An identity that was set before the wipe was ordered stays until the data is gone.
      let status = switched.identity.account.flatMap { state.accounts[$0]?.enrollment.status }
      #expect(status != .wiping, "\(event)")
    default: break
    }
    checkBystanders(of: event, before)
    callbacks += AppProtectionMachine.callbacks(for: event, before: before, after: state).map(\.description)
    findings += AppProtectionMachine.findings(for: event, before: before, after: state).map(\.label)
    history.append((event, context))
  }

  /// What belongs to one account is not touched by the wipe of another.
  private func checkBystanders(of event: AppProtectionEvent, _ before: AppProtectionState) {
    let wiped: AccountNumber? =
      switch event {
      case .wipeRequested(let event): event.account
      case .wipeDelegateAnswered(let event): event.account
      case .wipeFilesRemoved(let event): event.account
      case .wipeFailed(let event): event.account
      case .wipeCompleted(let event): event.account
      default: nil
      }
    guard let wiped else { return }
    for account in before.accounts.records where account.account != wiped {
      let number = account.account
      let after = state.accounts[number]
      expectEqual(state.policies[number], before.policies[number], "\(event)")
      expectEqual(state.configuration.accounts[number], before.configuration.accounts[number], "\(event)")
      expectEqual(state.wipes[number], before.wipes[number], "\(event)")
      expectEqual(after?.enrollment.status, account.enrollment.status, "\(event)")
      expectEqual(after?.mayHaveOrganizationData, account.mayHaveOrganizationData, "\(event)")
    }
  }

  /// Whether an event may be decided that the state does not show: what people are told, and what it says already.
  private static func mayChangeNothing(_ event: AppProtectionEvent) -> Bool {
    switch event {
    case .enrollmentConflictDetected, .identitySwitchRefused, .tokenDenied, .enrollmentFailed, .accountRemovalRequired,
      .restartAnswered, .commandRefused:
      true
    case .wipeDelegateAnswered(let answer): answer.removedEverything
    default: false
    }
  }

  /// The rejection of a command, which must not succeed.
  mutating func rejection(of command: AppProtectionCommand) -> AppProtectionRejection? {
    let before = state
    do {
      try run(command)
      return nil
    } catch {
      expectEqual(state, before)
      return error as? AppProtectionRejection
    }
  }

  mutating func takeCallbacks() -> [String] {
    defer { callbacks = [] }
    return callbacks
  }

  /// What is pending, but for what the app is only told.
  var work: [String] {
    state.pendingWork(at: moment).map(\.description).filter { !$0.hasPrefix("tellRemediation") }
  }

  func status(_ account: Int) -> EnrollmentStatus? {
    AccountNumber(UInt32(account)).flatMap { state.accounts[$0]?.enrollment.status }
  }

  func enrollment(_ account: AccountNumber) throws -> Enrollment {
    try #require(state.accounts[account]).enrollment
  }

  /// A process that dies and one that takes its place.
  mutating func restart() throws {
    try run(.startProcess(Self.process))
  }

  /// Registers an account and lets the service answer.
  mutating func enroll(_ account: AccountReference, _ answer: ServiceAnswer = .policy(Self.policy())) throws {
    try run(.registerAndEnroll(account), .answerEnrollment(account, answer))
  }

  static func policy(_ name: String = "Level 2") -> PolicyDocument {
    var policy = PolicyDocument()
    policy.about.displayName = name
    policy.dataTransfer.saveAsBlocked = true
    return policy
  }

  // MARK: Checks

  private func check() throws {
    try expectEqual(Self.decoded(state), state)
    expectEqual(state.violations, [])
    if replaysEveryStep { try checkReplay() }
  }

  /// Folds the history from nothing, with every event through its encoding, and compares the states.
  func checkReplay() throws {
    var again = AppProtectionState()
    for (event, context) in history {
      let read = try EventCatalogTests.decoded(event.type, EventCatalogTests.body(of: event))
      AppProtectionMachine.reduce(into: &again, try #require(read), context)
    }
    expectEqual(again, state)
  }

  /// What the history would have added up to in processes of another revision of the rules.
  func replayed(revision: UInt32) -> AppProtectionState { replay(revision: revision).state }

  /// What the app would have been told by then.
  func callbacks(revision: UInt32) -> [String] { replay(revision: revision).callbacks }

  private func replay(revision: UInt32) -> (state: AppProtectionState, callbacks: [String]) {
    var (state, callbacks) = (AppProtectionState(), [String]())
    for (event, context) in history {
      var event = event
      if case .processStarted(var start) = event {
        start.reducerRevision = revision
        event = .processStarted(start)
      }
      let before = state
      AppProtectionMachine.reduce(into: &state, event, context)
      callbacks += AppProtectionMachine.callbacks(for: event, before: before, after: state).map(\.description)
    }
    return (state, callbacks)
  }

  /// The state after a round trip through its canonical encoding.
  static func decoded(_ state: AppProtectionState) throws -> AppProtectionState {
    var copy = AppProtectionState()
    for index in AppProtectionState.sliceNames.indices {
      var writer = WireWriter()
      state.encodeSlice(index, into: &writer)
      try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try copy.decodeSlice(index, from: &reader)
      }
    }
    return copy
  }
}

extension AccountReference {
  static let a = AccountReference(
    objectID: GUID("aaaaaaaa-0000-4000-8000-00000000000a"), userPrincipalName: "a@contoso.com")
  static let b = AccountReference(
    objectID: GUID("bbbbbbbb-0000-4000-8000-00000000000b"), userPrincipalName: "b@fabrikam.com")
  /// A colleague of ``a``.
  static let colleague = AccountReference(
    objectID: GUID("cccccccc-0000-4000-8000-00000000000c"), userPrincipalName: "c@Contoso.com")
  static let personal = AccountReference(userPrincipalName: "p@example.org")
}

extension AccountNumber {
  static let a1 = AccountNumber.first
  // Numbers that are not zero.
  static var a2: AccountNumber { AccountNumber.first.next ?? .first }
  static var a3: AccountNumber { a2.next ?? .first }
}

extension AppProtectionState {
  /// What must never be, as sentences.
  var violations: [String] {
    var found: [String] = []
    let limit = Int(clamping: settings.app.maximumManagedAccounts)
    let known = Set(accounts.records.map(\.account))
    if policies.count > max(limit, 1) { found.append("\(policies.count) accounts are managed") }
    for policy in policies.records {
      let status = accounts[policy.account]?.enrollment.status
      if status == nil || status == .unknown || status == .registered || status == .removed {
        found.append("\(policy.account) has a policy in status \(String(describing: status))")
      }
    }
    if policies.records.contains(where: { !$0.isEnforced }) && process.restart == nil {
      found.append("a policy waits for a restart that nobody asks for")
    }
    for account in accounts.records {
      let enrollment = account.enrollment
      let hasPolicy = policies[account.account] != nil
      if enrollment.status == .enrolledWithPolicy && !hasPolicy { found.append("\(account.account) lacks its policy") }
      if enrollment.status == .enrolledWithoutPolicy && hasPolicy { found.append("\(account.account) has a policy") }
      if enrollment.status == .wiping && wipes[account.account]?.phase == .completed {
        found.append("\(account.account) is wiping and wiped")
      }
      if enrollment.status == .removed && (hasPolicy || compliance.isInProgress(account.account)) {
        found.append("\(account.account) is removed and has a policy or a remediation")
      }
    }
    for wipe in wipes.records where wipe.phase != .completed {
      let status: EnrollmentStatus = wipe.phase == .unenrolling ? .unenrolling : .wiping
      if accounts[wipe.account]?.enrollment.status != status { found.append("\(wipe.account)'s wipe is orphaned") }
      if wipe.phase == .unenrolling && policies[wipe.account] != nil {
        found.append("\(wipe.account) keeps its policy")
      }
    }
    for record in configuration.accounts.records
    where accounts[record.account]?.enrollment.status.isRegistered != true {
      found.append("\(record.account) is configured and not registered")
    }
    for record in launch.accounts.records where accounts[record.account]?.enrollment.status.isRegistered != true {
      found.append("\(record.account) has launch conditions and is not registered")
    }
    if Set(compliance.queue).count != compliance.queue.count { found.append("an account is queued twice") }
    for (index, account) in compliance.queue.enumerated() {
      let status = compliance.accounts[account]?.status
      if status != (index == 0 ? .remediating : .queued) {
        found.append("\(account) is number \(index) of the queue and \(String(describing: status))")
      }
    }
    if !Set(wipes.records.map(\.account)).isSubset(of: known) { found.append("an unknown account is wiped") }
    return found
  }

  /// Whether an account has lost everything but its number and its name.
  func keepsNothing(_ account: Account) -> Bool {
    var empty = Enrollment()
    empty.status = .removed
    empty.lastCode = account.enrollment.lastCode
    let identity = Identity.account(account.account)
    return account.enrollment == empty && policies[account.account] == nil && identities.process != identity
      && identities.ui != identity && !identities.windows.contains { $0.identity == identity }
      && !identities.threads.contains { $0.identity == identity } && compliance.accounts[account.account] == nil
      && !compliance.queue.contains(account.account) && configuration.accounts[account.account] == nil
      && !account.isSignedIn && !account.isExclusive && account.additionQuestion == 0
      && launch.accounts[account.account] == nil
  }
}
