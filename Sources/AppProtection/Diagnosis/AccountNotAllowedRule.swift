import EventSourcing

/// Device management does not allow an account: it is not in the list of allowed accounts, or the device belongs to another
/// user.
///
/// The deciding event is the later one of the restriction and the sign-in or request that it refuses.
struct AccountNotAllowedRule: ProblemRule {
  /// A stay of an account that is not allowed.
  private struct Refusal: Sendable {
    let decided: EventContext
    let text: String
    let code: EnrollmentStatusCode?
    var refused = Sightings()
  }

  private static let codes: Set<EnrollmentStatusCode> = [.notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount]

  private var refusals = PerAccount<Refusal>()
  /// The last change of the restriction that is in force.
  private var restriction: EventContext?
  /// The last sign-in or registration of an account.
  private var arrivals = PerAccount<EventContext>()

  init() {}

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountRegistered(let event): arrivals[event.account] = context
    case .signInsReported, .accountAdditionAnswered:
      compare(before, after, context, "an account signs in that is not allowed")
    case .allowedAccountsChanged, .managedDeviceAccountChanged:
      restriction = context
      compare(before, after, context, "device management restricts which accounts are allowed")
      lift(after)
    case .enrollmentFailed(let event): fail(event.account, event.code, context, before)
    case .checkInFailed(let event): fail(event.account, event.code, context, before)
    case .commandRefused(let event):
      if event.rule == AppProtectionRejection.notAllowed(.first).rule, let account = event.account {
        note(account, context, "a call names an account that is not allowed", nil)
      }
    case .enrollmentSucceeded(let event): refusals[event.account] = nil
    default: event.unread(by: .accountNotAllowed, ())
    }
    if let account = event.leavingAccount { refusals[account] = nil }
  }

  /// Accounts in use that have just become, or ceased to be, disallowed.
  private mutating func compare(
    _ before: AppProtectionState, _ after: AppProtectionState, _ context: EventContext, _ text: String
  ) {
    let (earlier, now) = (before.disallowedAccounts, after.disallowedAccounts)
    for account in now where !earlier.contains(account) { note(account, context, text, nil) }
    for account in earlier where !now.contains(account) { refusals[account] = nil }
  }

  private mutating func note(
    _ account: AccountNumber, _ context: EventContext, _ text: String, _ code: EnrollmentStatusCode?
  ) {
    if refusals[account] == nil { refusals[account] = Refusal(decided: context, text: text, code: code) }
    refusals[account]?.refused.note(context)
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState
  ) {
    let unlisted = before.settings.app.assumptions.unlistedAccountCode
    guard Self.codes.contains(code) || (code == unlisted && !before.settings.allows(account)) else { return }
    if refusals[account] == nil, let restriction, let arrival = arrivals[account],
      arrival.sequence < restriction.sequence, before.isRestricted(account)
    {
      refusals[account] = Refusal(
        decided: restriction, text: "device management restricts which accounts are allowed", code: code)
    }
    note(account, context, "the account is refused: \(code.words)", code)
  }

  /// A restriction that is lifted refuses no account any more.
  private mutating func lift(_ state: AppProtectionState) {
    for (account, _) in refusals.inOrder where !state.isRestricted(account) { refusals[account] = nil }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    refusals.inOrder.map { account, refusal in
      let code = refusal.code.map { " (\($0.words))" } ?? ""
      let allowed = state.accountsAllowedInstead(of: account)
      let comparison =
        allowed.isEmpty
        ? "the history does not show which account is"
        : allowed.map { EnrolledAccountComparison(state.reference(of: account), with: $0).difference }
          .joined(separator: "; ")
      let rest = refusal.refused.evidence("\(account) is refused").filter { $0.sequence != refusal.decided.sequence }
      var others = rest
      others.append(DiagnosisEvidence(nil, "the app has not signed \(account) out"))
      return Problem(
        .accountNotAllowed, of: account.description,
        "\(account) is not allowed on this device\(code): \(comparison)",
        evidence: DiagnosisEvidence(refusal.decided.sequence, refusal.text), others,
        next:
          "let the app sign \(account) out, or correct the allowed account's name and object id in device management",
        command: "show JOURNAL \(refusal.decided.sequence)")
    }
  }
}

extension AppProtectionState {
  /// The accounts that the app uses, registered or signed in, although they are not allowed.
  fileprivate var disallowedAccounts: [AccountNumber] {
    guard settings.allowedAccounts != nil else { return [] }
    return accounts.records.map(\.account).filter { account in
      !settings.allows(account)
        && (accounts[account].map { $0.isSignedIn || $0.enrollment.status.isRegistered } ?? false)
    }
  }

  /// Whether device management restricts the device to others than an account.
  fileprivate func isRestricted(_ account: AccountNumber) -> Bool {
    !settings.allows(account) || (settings.deviceAccount.map { $0 != account } ?? false)
  }

  /// The accounts that are allowed where this one is not.
  fileprivate func accountsAllowedInstead(of account: AccountNumber) -> [Account] {
    let device = settings.deviceAccount.map { [$0] } ?? []
    let numbers = settings.allows(account) ? device : settings.allowedAccounts ?? device
    return numbers.filter { $0 != account }.compactMap { accounts[$0] }
  }

  fileprivate func reference(of account: AccountNumber) -> AccountReference {
    accounts[account]?.reference ?? AccountReference(account)
  }
}

extension EnrolledAccountComparison {
  /// By which of object id, name and case the account differs from the one that is allowed.
  fileprivate var difference: String {
    let objectIDs: String? =
      switch objectID {
      case .equal, .equalIgnoringCase: nil
      case .different: "by object id"
      case .notKnown: "perhaps by object id, which one of them lacks"
      }
    let names: (different: String?, note: String?) =
      switch name {
      case .equal: (nil, "the names are equal")
      case .equalIgnoringCase: (nil, "the names differ in case only, which does not count")
      case .different: ("by name", nil)
      case .notKnown: (nil, "one of them has no name")
      }
    let ways = [objectIDs, names.different].compactMap { $0 }.joined(separator: " and ")
    return "it differs from \(enrolled), which is allowed, \(ways)\(names.note.map { "; \($0)" } ?? "")"
  }
}
