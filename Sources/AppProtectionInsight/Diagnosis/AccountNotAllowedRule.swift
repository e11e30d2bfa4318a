import AppProtection
import EventSourcing

/// Device management does not allow an account: it is not in the list of allowed accounts, or the device belongs to another
/// user.
///
/// The deciding event is the later one of the restriction and the sign-in or request that it refuses. That the app obeys, and
/// signs the account out, changes nothing for a user who comes back and is refused again.
struct AccountNotAllowedRule: ProblemRule {
  /// A stay of an account that is not allowed.
  private struct Stay: Sendable {
    let decided: EventContext
    let text: String
    var refused = Observations<EnrollmentStatusCode?>()
    /// How it ended; `nil` while it lasts.
    var ending: DiagnosisEnding?
    /// The event with which the account first left, the refusals since then, and whether it is gone now.
    var departed: EventContext?
    var returns = 0
    var isGone = false
    /// Whether the app meant to manage it: a private account that is signed out misses nothing.
    var isWanted = false
    /// Whether the service, or the engine, ever refused it something.
    var wasRefused = false

    /// Whether it lasted so long that it is reported although it is over.
    var wasLong: Bool {
      guard isWanted || wasRefused, let first = refused.first, let ending else { return false }
      return ending.event.elapsed(since: first) > Episodes.pause
    }
  }

  /// What follows where the app removes an account as it must.
  private static let ofRemoval: Set<ProblemFamily> = [.staleAccount, .unexpectedWipe]

  private static let restricts = "device management restricts which accounts are allowed"

  private static let codes: Set<EnrollmentStatusCode> = [.notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount]

  private var refusals = PerAccount<Stay>()
  /// The last stay of every account that was allowed after it; a short one hides no long one.
  private var over = PerAccount<Stay>()
  /// When every account was refused, in all its stays.
  private var episodes = PerAccount<Episodes>()
  /// The last change of the restriction that is in force.
  private var restriction: EventContext?
  /// The last sign-in or registration of an account.
  private var arrivals = PerAccount<EventContext>()

  init() {}

  static let events: [any EventPayload.Type] =
    [
      CommandRefused.self, AllowedAccountsChanged.self, ManagedDeviceAccountChanged.self, AccountRegistered.self,
      AccountAdditionAnswered.self, SignInsReported.self, EnrollmentSucceeded.self, EnrollmentFailed.self,
      CheckInFailed.self,
    ] + AppProtectionEvent.leaving

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .accountRegistered(let event):
      arrivals[event.account] = context
      refusals[event.account]?.isGone = false
    case .signInsReported, .accountAdditionAnswered:
      compare(before, after, context, "an account signs in that is not allowed")
    case .allowedAccountsChanged, .managedDeviceAccountChanged:
      restriction = context
      compare(before, after, context, Self.restricts)
      lift(after, context)
    case .enrollmentFailed(let event): fail(event.account, event.code, context, before)
    case .checkInFailed(let event): fail(event.account, event.code, context, before)
    case .commandRefused(let event):
      if event.rule == AppProtectionRejection.notAllowed(.first).rule, let account = event.account {
        recordRefusal(account, context, "a call names an account that is not allowed", nil)
        refusals[account]?.isWanted = true
        refusals[account]?.wasRefused = true
      }
    case .enrollmentSucceeded(let event):
      // Before the first event, an account that enrolled may have done so before the restriction.
      if !notes.isMissing(context) { end(event.account, context) }
    default: break
    }
    if let account = event.leavingAccount { depart(account, context) }
  }

  /// Accounts in use that have just become, or ceased to be, disallowed.
  private mutating func compare(
    _ before: AppProtectionState, _ after: AppProtectionState, _ context: EventContext, _ text: String
  ) {
    let (earlier, now) = (before.disallowedAccounts, after.disallowedAccounts)
    for account in now where !earlier.contains(account) {
      recordRefusal(account, context, text, nil)
      refusals[account]?.isGone = false
      if after.accounts[account]?.isForWorkOrSchool == true || arrivals[account] != nil {
        refusals[account]?.isWanted = true
      }
    }
    for account in earlier where !now.contains(account) {
      if after.settings.allows(account) { end(account, context) } else { depart(account, context) }
    }
  }

  /// The account is allowed.
  private mutating func end(_ account: AccountNumber, _ context: EventContext) {
    leave(account, .recovered, context)
    if let stay = refusals[account], stay.wasLong || over[account]?.wasLong != true { over[account] = stay }
    refusals[account] = nil
  }

  private mutating func depart(_ account: AccountNumber, _ context: EventContext) {
    leave(account, .abandoned, context)
    refusals[account]?.isGone = true
    if refusals[account]?.departed == nil { refusals[account]?.departed = context }
  }

  /// Nothing refuses the account any longer.
  private mutating func leave(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ context: EventContext) {
    guard refusals[account] != nil, refusals[account]?.ending == nil else { return }
    refusals[account]?.ending = DiagnosisEnding(kind, at: context)
    episodes[account]?.end(kind, at: context)
  }

  private mutating func recordRefusal(
    _ account: AccountNumber, _ context: EventContext, _ text: String, _ code: EnrollmentStatusCode?
  ) {
    if refusals[account] == nil { refusals[account] = Stay(decided: context, text: text) }
    refusals[account]?.refused.add(context, code)
    refusals[account]?.ending = nil
    episodes[account, default: Episodes()].see(context)
    if refusals[account]?.departed != nil { refusals[account]?.returns += 1 }
  }

  private mutating func fail(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ context: EventContext, _ before: AppProtectionState
  ) {
    let unlisted = before.settings.app.assumptions.unlistedAccountCode
    // The service enrolls one user's account; where device management names another one, that is why.
    let isOfAnother = code == .notEnrolledAccount && before.isRestricted(account)
    guard Self.codes.contains(code) || isOfAnother || (code == unlisted && !before.settings.allows(account)) else {
      return
    }
    if refusals[account] == nil, let restriction, let arrival = arrivals[account],
      arrival.sequence < restriction.sequence, before.isRestricted(account)
    {
      refusals[account] = Stay(decided: restriction, text: Self.restricts)
    }
    recordRefusal(account, context, "the account is refused: \(code.words)", code)
    refusals[account]?.wasRefused = true
  }

  /// A restriction that is lifted refuses no account any more.
  private mutating func lift(_ state: AppProtectionState, _ context: EventContext) {
    for (account, _) in refusals.inOrder where !state.isRestricted(account) { end(account, context) }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    let gone = over.inOrder.filter { refusals[$0.account] == nil }.compactMap { past($0.account, $0.value, last) }
    return gone
      + refusals.inOrder.compactMap { account, refusal in
        // An account that left as demanded, and stayed away, is not kept out; one that was never let in is.
        let isKeptOut =
          refusal.isWanted && (refusal.returns > 0 || arrivals[account] == nil)
          && !Episodes.isOutOfSight(refusal.refused.last, at: last)
        guard !refusal.isGone || isKeptOut else {
          return past(account, refusal, last) ?? over[account].flatMap { past(account, $0, last) }
        }
        let episodes = episodes[account] ?? Episodes()
        let code = refusal.refused.firstValue?.map { " (\($0.words))" } ?? ""
        let allowed = state.accountsAllowedInstead(of: account)
        let comparison =
          allowed.isEmpty
          ? "the history does not show which account is"
          : allowed.map { state.difference(of: account, from: $0) }.joined(separator: "; ")
        var others = Self.evidence(account, refusal)
        let deciding = DiagnosisEvidence(refusal.decided, refusal.text)
        guard refusal.isGone, let departed = refusal.departed else {
          others.append(DiagnosisEvidence(nil, "the app has not signed \(account) out"))
          var problem = Problem(
            .accountNotAllowed, of: account.description,
            "\(account) is not allowed on this device\(code): \(comparison)", evidence: deciding, others,
            next:
              "let the app sign \(account) out, or correct the allowed account's name and object id in device management",
            command: "show JOURNAL \(refusal.decided.sequence)")
          if refusal.departed != nil { problem.consequences = Self.ofRemoval }
          if episodes.count > 1 { problem.describe(episodes) }
          // No user is kept out by an account that asks for nothing beside the one that is allowed.
          if !refusal.wasRefused, state.isStranger(account, beside: allowed) {
            problem.severity = state.accounts[account]?.isSignedIn == true ? .warning : .note
            problem.harm = .irregular
          }
          return problem
        }
        others.insert(DiagnosisEvidence(departed, "the app signs \(account) out, as it must"), at: 0)
        var problem = Problem(
          .accountNotAllowed, of: account.description,
          "\(account) is not allowed on this device\(code) and was signed out, refused \(refusal.refused.times) up to event "
            + "\(refusal.refused.last?.sequence ?? refusal.decided.sequence): \(comparison)",
          evidence: deciding, others,
          next:
            "compare the allowed account's name and object id in device management with the user's in the directory",
          command: "show JOURNAL \(refusal.decided.sequence)")
        problem.consequences = Self.ofRemoval
        if episodes.count > 1 { problem.describe(episodes) }
        return problem
      }
  }

  private static func evidence(_ account: AccountNumber, _ stay: Stay) -> [DiagnosisEvidence] {
    stay.refused.evidence { "\(account) is refused" + ($0.map { ": \($0.words)" } ?? "") }
      .filter { $0.sequence != stay.decided.sequence }
  }

  /// An account that was refused again and again, until it left as demanded or was allowed.
  private func past(_ account: AccountNumber, _ stay: Stay, _ last: EventContext) -> Problem? {
    var stay = stay
    if stay.ending == nil, let latest = stay.refused.last, Episodes.isOutOfSight(latest, at: last) {
      stay.ending = DiagnosisEnding(.outOfSight, at: latest)
    }
    let episodes = (episodes[account] ?? Episodes()).seen(at: last)
    guard episodes.isRecurrent || stay.wasLong, let ending = stay.ending, let first = stay.refused.first,
      let latest = stay.refused.last
    else { return nil }
    let until =
      switch ending.kind {
      case .abandoned: ", until the app removed it with event \(ending.event.sequence)"
      case .outOfSight: ""
      case .recovered, .replaced, .wiped: ", until it was allowed with event \(ending.event.sequence)"
      }
    var problem = Problem(
      .accountNotAllowed, of: account.description,
      "\(account) was not allowed on this device, and was refused "
        + (first == latest
          ? "at event \(first.sequence)"
          : "\(stay.refused.times) from event \(first.sequence) to event \(latest.sequence)") + until,
      evidence: DiagnosisEvidence(stay.decided, stay.text), Self.evidence(account, stay),
      next: ending.kind == .abandoned
        ? "let the app remove an account at the first refusal, as it must"
        : "compare the allowed account's name and object id in device management with the user's in the directory",
      command: "show JOURNAL \(stay.decided.sequence)")
    problem.describe(episodes)
    let end = episodes.kept.last?.ending ?? ending
    problem.end(end.kind, at: end.event)
    problem.severity = .note
    return problem
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
  func isRestricted(_ account: AccountNumber) -> Bool {
    !settings.allows(account) || (settings.deviceAccount.map { $0 != account } ?? false)
  }

  /// Whether an account that is not managed has nothing to do with those that are allowed, one of which is: a guest's or a
  /// private one.
  fileprivate func isStranger(_ account: AccountNumber, beside allowed: [Account]) -> Bool {
    guard let record = accounts[account], !isManaged(account), !record.mayHaveOrganizationData,
      allowed.contains(where: { isManaged($0.account) })
    else { return false }
    return allowed.allSatisfy { other in
      let comparison = EnrolledAccountComparison(record.reference ?? AccountReference(account), with: other)
      return comparison.objectID == .different && comparison.name == .different && record.kinship(with: other) == nil
    }
  }

  /// The accounts that are allowed where this one is not.
  fileprivate func accountsAllowedInstead(of account: AccountNumber) -> [Account] {
    let device = settings.deviceAccount.map { [$0] } ?? []
    let numbers = settings.allows(account) ? device : settings.allowedAccounts ?? device
    return numbers.filter { $0 != account }.compactMap { accounts[$0] }
  }

  /// By what an account differs from one that is allowed, and whether both may be one person all the same.
  fileprivate func difference(of account: AccountNumber, from allowed: Account) -> String {
    let comparison = EnrolledAccountComparison(accounts[account]?.reference ?? AccountReference(account), with: allowed)
    let kinship = comparison.objectID == .different ? nil : accounts[account]?.kinship(with: allowed)
    return comparison.difference + (kinship.map { "; \($0)" } ?? "")
  }
}

extension Account {
  /// What the names of two accounts have in common, if they are not equal and one of them may be the other's: an address for
  /// mail is often no user principal name.
  fileprivate func kinship(with other: Account) -> String? {
    guard let name = userPrincipalName?.lowercased(), let otherName = other.userPrincipalName?.lowercased(),
      name != otherName, let domain = organizationDomain, let otherDomain = other.organizationDomain
    else { return nil }
    if name.prefix(while: { $0 != "@" }) == otherName.prefix(while: { $0 != "@" }) {
      return "the names agree before the @, so that both may be one person"
    }
    // An export knows the domains above another one only down to two labels.
    func isBelow(_ one: String, _ other: String) -> Bool { other.contains(".") && one.hasSuffix("." + other) }
    return domain == otherDomain || isBelow(domain, otherDomain) || isBelow(otherDomain, domain)
      ? "both names are of one organization: they may be one person's, by mail address and by user principal name" : nil
  }
}

extension EnrolledAccountComparison {
  /// By which of object id, name and case the account differs from the one that is allowed.
  fileprivate var difference: String {
    let objectIDs: String? =
      switch objectID {
      case .equal, .equalIgnoringCase: nil
      case .different: "by object id"
      case .notKnown: "perhaps by object id (one of them has none)"
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
