import AppProtection
import EventSourcing

/// What holds for the whole history: a finding says *never*, *again*, *still* and *since* only by these functions.
struct HistoryFacts: Sendable {
  /// What became of the registrations of an account.
  enum Registration: Equatable {
    /// None is in the history, and none was before it.
    case never
    /// None is in the history; what was before it is not known.
    case notSeen
    /// The account is registered.
    case standing
    /// It was registered, and left; with the event if the history has it.
    case left(EventContext?)
  }

  private struct Record: Sendable {
    var registered: EventContext?
    var departed: EventContext?
    var enrolled: EventContext?
    var actedFor: EventContext?
    /// Whether it ever had a policy, and whether the service answered that it gets none.
    var hadPolicy = false
    var needsNoPolicy = false
    /// Whether it needed none beside the account that the app was for, when the service last answered about either.
    var isGuest = false
  }

  /// How much time really passed.
  private(set) var clock = HistoryClock()
  /// What changed, besides what a problem is about.
  private(set) var changes = RecentChanges()
  private var records = PerAccount<Record>()
  private var isWhole = true

  /// The history begins late.
  mutating func begin() { isWhole = false }

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    changes.observe(event, context, before: before)
    switch event {
    case .accountRegistered(let event):
      records[event.account, default: Record()].registered = context
    case .accountDeregistered(let event): records[event.account, default: Record()].departed = context
    case .unenrollmentSucceeded(let event): records[event.account, default: Record()].departed = context
    case .wipeCompleted(let event): records[event.account, default: Record()].departed = context
    case .enrollmentSucceeded(let event):
      records[event.account, default: Record()].enrolled = context
      recordAnswer(event.code, event.account, after)
    case .enrollmentFailed(let event): recordAnswer(event.code, event.account, after)
    case .enrollmentRecordGone(let event): recordAnswer(event.code, event.account, after)
    case .checkInUnchanged(let event): recordAnswer(event.code, event.account, after)
    case .checkInFailed(let event): recordAnswer(event.code, event.account, after)
    case .policyReceived(let event):
      records[event.account, default: Record()].hadPolicy = true
      records[event.account]?.needsNoPolicy = false
      records.updateAll { $0.isGuest = $0.needsNoPolicy }
    case .identitySwitched(let event):
      guard let account = event.identity.account, event.scope.showsAccount else { break }
      if records[account]?.actedFor == nil { records[account, default: Record()].actedFor = context }
    default: break
    }
  }

  private mutating func recordAnswer(
    _ code: EnrollmentStatusCode, _ account: AccountNumber, _ state: AppProtectionState
  ) {
    guard code.saysSomethingAboutAccount else { return }
    var record = records[account] ?? Record()
    if !record.hadPolicy, [.noPolicyReceived, .accountNotLicensed].contains(code) { record.needsNoPolicy = true }
    record.isGuest = record.needsNoPolicy && managesOrManagedAnother(than: account, at: state)
    records[account] = record
  }

  /// Observes a change of the clock.
  mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64) {
    clock.change(by: nanoseconds, before: sequence)
    changes.observeClockJump(by: nanoseconds, before: sequence)
  }

  /// What became of an account's registrations.
  func registration(of account: AccountNumber, at state: AppProtectionState) -> Registration {
    let status = state.accounts[account]?.enrollment.status ?? .unknown
    if status.isRegistered { return .standing }
    let record = records[account]
    if let departed = record?.departed, departed.sequence > record?.registered?.sequence ?? 0 { return .left(departed) }
    if status == .removed || record?.registered != nil { return .left(nil) }
    return isWhole ? .never : .notSeen
  }

  /// Whether the service ever enrolled an account; `nil` where only missing events can say.
  func wasEnrolled(_ account: AccountNumber) -> Bool? {
    records[account]?.enrolled != nil ? true : isWhole ? false : nil
  }

  /// Whether the service answered that an account gets no policy (103), or has no license for one (200), and never gave it
  /// one. `nil` where only missing events can say.
  func needsNoPolicy(_ account: AccountNumber) -> Bool? {
    guard let record = records[account] else { return isWhole ? false : nil }
    return record.hadPolicy ? false : isWhole ? record.needsNoPolicy : nil
  }

  /// Whether an account that needs no policy is a guest's or a private one, beside the one that the app is for. It stays one
  /// when that one leaves, until the service answers again.
  func isGuest(_ account: AccountNumber) -> Bool {
    needsNoPolicy(account) == true && records[account]?.isGuest == true
  }

  /// Whether another account is managed, or is registered and was: that it lost its policy makes no guest's the main one.
  func managesOrManagedAnother(than account: AccountNumber, at state: AppProtectionState) -> Bool {
    state.managesAnother(than: account)
      || records.inOrder.contains { other, record in
        other != account && record.hadPolicy && state.accounts[other]?.enrollment.status.isRegistered == true
      }
  }

  /// The first time that the process, a window or the main thread acted for an account; `nil` if none ever did.
  func actedFor(_ account: AccountNumber) -> EventContext? { records[account]?.actedFor }
}

extension AppProtectionState {
  /// Whether another account is managed now.
  func managesAnother(than account: AccountNumber) -> Bool {
    policies.records.contains { $0.account != account && isManaged($0.account) }
  }
}

extension IdentityScope {
  /// Whether its identity makes managed what the user sees.
  var showsAccount: Bool {
    if case .thread(let label) = self { return label == IdentityScope.mainThread }
    return true
  }
}
