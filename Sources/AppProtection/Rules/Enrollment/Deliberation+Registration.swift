import EventSourcing

extension Deliberation {
  /// Refuses calls that an app extension may not make (T3).
  mutating func requireApp() throws(AppProtectionRejection) {
    try require(
      !state.process.isExtension, or: .calledFromExtension, "the call comes from the app and not from an extension",
      reads: { state in [.init("/process/isExtension", .bool(state.process.isExtension))] })
  }

  mutating func registerAndEnroll(_ reference: AccountReference?) throws(AppProtectionRejection) {
    try requireApp()
    let account = try resolve(reference)
    try register(account)
    requestEnrollment(of: account, .registration)
  }

  mutating func loginAndEnroll(_ reference: AccountReference?) throws(AppProtectionRejection) {
    try requireApp()
    if reference == nil {
      guard let user = state.settings.deviceAccount else {
        // T16: the app named no account and the device has no user, so the user is asked; one question at a time.
        if state.process.loginQuestion == 0 { emit(.loginRequested(LoginRequested())) }
        return
      }
      try logIn(user)
      return
    }
    try logIn(try resolve(reference))
  }

  mutating func answerLogin(_ reference: AccountReference?, _ intent: UInt64?) throws(AppProtectionRejection) {
    try require(
      state.process.loginQuestion != 0, or: .nothingAsked(.login, nil), "the user was asked who signs in",
      reads: { state in [.init("/process/loginQuestion", .pending(state.process.loginQuestion))] })
    try requireCurrent(intent, asked: state.process.loginQuestion, .login)
    guard let reference else {
      emit(.loginAnswered(LoginAnswered()))
      return
    }
    let account = try resolve(reference)
    emit(.loginAnswered(LoginAnswered(account: account)))
    // An account that is enrolled, or about to be, has already logged in (208): this answers the question without a new
    // enrollment.
    let status = state.accounts[account]?.enrollment.status ?? .unknown
    if status == .enrolling || status.isEnrolled { return }
    try logIn(account)
  }

  /// Registers an account if necessary, and enrolls it unless that is under way or done.
  private mutating func logIn(_ account: AccountNumber) throws(AppProtectionRejection) {
    if state.accounts[account]?.enrollment.status == .registered {
      try requireAllowed(account)
    } else {
      try register(account)
    }
    requestEnrollment(of: account, .login)
  }

  /// Registers an account (T1); refuses one that is already registered (T2) or leaving.
  mutating func register(_ account: AccountNumber) throws(AppProtectionRejection) {
    try requireAllowed(account)
    try requireStaying(account)
    let status = state.accounts[account]?.enrollment.status ?? .unknown
    try require(
      !status.isRegistered, or: .alreadyRegistered(account), "\(account) is not registered yet",
      reads: { state in [state.statusRead(account)] })
    emit(.accountRegistered(AccountRegistered(account: account)))
  }

  mutating func requireStaying(_ account: AccountNumber) throws(AppProtectionRejection) {
    let status = state.accounts[account]?.enrollment.status ?? .unknown
    try require(
      status != .wiping && status != .unenrolling, or: .leaving(account), "\(account) is not leaving",
      reads: { state in [state.statusRead(account)] })
  }

  mutating func requireAllowed(_ account: AccountNumber) throws(AppProtectionRejection) {
    try require(
      state.settings.allows(account), or: .notAllowed(account), "\(account) may sign in on this device",
      reads: { state in [state.allowedAccountsRead] })
  }

  /// Asks the service to enroll an account, once at a time. An account not allowed on this device is refused instead,
  /// regardless of the trigger, because device management's settings may have changed since it was registered.
  mutating func requestEnrollment(of account: AccountNumber, _ trigger: EnrollmentTrigger) {
    guard state.accounts[account]?.enrollment.enrollmentRequest == 0 else { return }
    let namesake = state.managedNamesake(of: account)
    // Reported when the app or the user asks, not again on each retry.
    if let namesake, trigger != .retry {
      emit(.enrollmentConflictDetected(EnrollmentConflictDetected(account: account, existing: namesake)))
    }
    if let code = enrollmentRefusal(of: account) ?? namesake.flatMap({ namesakeRefusal(of: account, $0) }) {
      refuseEnrollment(of: account, ServiceFailure(code))
    } else {
      emit(.enrollmentRequested(EnrollmentRequested(account: account, trigger: trigger)))
    }
  }

  /// The code with which device management refuses an account; `nil` if it does not. 210 on a device enrolled for
  /// another user (T14), 209 where another management solution provides a different account (T15). An account missing
  /// from the list of allowed accounts (T35) has no published code; an assumption names one.
  mutating func enrollmentRefusal(of account: AccountNumber) -> EnrollmentStatusCode? {
    let user = state.settings.deviceAccount
    let source = state.settings.deviceAccountSource
    guard
      ask(
        source == .mdm ? "T14" : "T15", "the device is managed for no one but \(account)",
        user == nil || user == account,
        reads: { _ in
          [
            .init("/settings/deviceAccount", user.map { .name($0.description) } ?? .unset),
            .init("/settings/deviceAccountSource", .name(source.name)),
          ]
        })
    else { return source == .mdm ? .mdmEnrolledDifferentUser : .notEmmAccount }
    let isAllowed = ask(
      "T35", "\(account) may sign in on this device", state.settings.allows(account),
      reads: { state in [state.allowedAccountsRead] })
    return isAllowed ? nil : state.settings.app.assumptions.unlistedAccountCode
  }

  /// The code that refuses an account with a managed account's name (T13): the user is guided to reset the device's
  /// account instead of being asked which account to keep.
  private mutating func namesakeRefusal(of account: AccountNumber, _ existing: AccountNumber) -> EnrollmentStatusCode? {
    let rule = state.settings.app.assumptions.namesakeRule
    let isAsked = ask(
      "T13", "the user chooses between \(account) and its namesake \(existing)", rule == .askWhichToKeep,
      reads: { state in [state.policyRead(existing), .init("/settings/assumptions/namesakeRule", .name(rule.name))] })
    return isAsked ? nil : state.settings.app.assumptions.refusedAccountCode
  }

  /// Whether an account was refused because it has this account's name.
  func wasRefused(_ account: Account, asNamesakeOf existing: AccountNumber) -> Bool {
    account.enrollment.lastCode == state.settings.app.assumptions.refusedAccountCode
      && state.areNamesakes(account.account, existing)
  }
}

extension AppProtectionState {
  /// A managed account with the same name but a different object id: the name was reassigned to another person, and the
  /// device's account must be reset (T13). `nil` if none exists.
  public func managedNamesake(of account: AccountNumber) -> AccountNumber? {
    if let name = accounts[account]?.userPrincipalName, let candidates = accounts.names[name] {
      return candidates.first { isManaged($0) && areNamesakes(account, $0) }
    }
    return policies.records.lazy.map(\.account).first { areNamesakes(account, $0) }
  }

  /// Whether two accounts share a name but have different object ids.
  func areNamesakes(_ one: AccountNumber, _ other: AccountNumber) -> Bool {
    guard one != other, let first = accounts[one], let second = accounts[other],
      let firstID = first.objectID, let secondID = second.objectID,
      let firstName = first.userPrincipalName, let secondName = second.userPrincipalName
    else { return false }
    return firstID != secondID && AccountReference.areEqual(firstName, secondName)
  }

  fileprivate var allowedAccountsRead: Explanation.Read {
    .init(
      "/settings/allowedAccounts",
      settings.allowedAccounts.map { .list($0.map { .name($0.description) }) } ?? .unset)
  }
}
