import EventSourcing

extension AppProtectionState {
  /// The due time that an event names, counted from that event. `nil` if it names none or the account is unknown.
  ///
  /// A pause outside ``RetrySchedule/pauses`` can only come from a clock at the end of its range.
  mutating func due(at wall: Int64?, for account: AccountNumber, _ context: EventContext) -> DueTime? {
    guard let wall, accounts.index(of: account) != nil else { return nil }
    let pauses = RetrySchedule.pauses
    let pause = wall.distanceClamping(from: context.moment.wallNanoseconds)
    return due(at: wall, after: min(max(pause, pauses.lowerBound), pauses.upperBound), context)
  }

  /// The time this many nanoseconds after an event.
  mutating func due(at wall: Int64, after pause: Int64, _ context: EventContext) -> DueTime {
    launch.clock.record(context.moment)
    return DueTime(wall: wall, elapsed: launch.clock.elapsed.advancedClamping(by: pause))
  }

  /// Whether a due time has come. All scheduled work uses this check; ``nextDue(after:)`` follows the same rule.
  func isReached(_ due: DueTime, at moment: Moment) -> Bool {
    launch.clock.remaining(until: due, at: moment) <= 0
  }

  /// When a check-in or a repetition for the account is due; `nil` when none is scheduled, when one is under way, or
  /// when another account's enrollment suspends it.
  package func dueTime(of account: Account) -> DueTime? {
    guard let due = account.enrollment.due else { return nil }
    // One success stops the repetitions of all other accounts; they resume after the unenrollment (guide, FAQ).
    return account.enrollment.status != .registered || hasRoom(for: account.account) ? due : nil
  }

  /// Whether the account has work due.
  func isDue(_ account: Account, at moment: Moment) -> Bool {
    dueTime(of: account).map { isReached($0, at: moment) } ?? false
  }

  /// The first account with work due, among those after another one if one is given. It looks only at accounts whose time
  /// has come, or has in a part of the table with them.
  ///
  /// - Parameter accounts: The accounts as they were when the search began.
  func firstDue(
    after account: AccountNumber? = nil, in accounts: AccountTable<Account>, at moment: Moment
  ) -> Account? {
    accounts.records.first(
      after: account?.key,
      among: { outline in
        outline.due.map { launch.clock.leastRemaining(until: $0, at: moment) <= 0 } ?? false
      },
      where: { isDue($0, at: moment) })
  }

  /// Whether an account without a policy may become managed: the limit is not reached, and neither this account nor a
  /// managed one must be the only one.
  package func hasRoom(for account: AccountNumber) -> Bool {
    guard !policies.isEmpty else { return true }
    return policies.count < Int(clamping: settings.app.maximumManagedAccounts) && rival(of: account) == nil
  }

  /// The managed account that must leave before this one can be managed, because one of the two must be the only one.
  func rival(of account: AccountNumber) -> AccountNumber? {
    if accounts.records.withRow(key: account.key, { $0.isExclusive }) ?? false {
      return policies.records.lazy.map(\.account).first { $0 != account }
    }
    return accounts.records.first(
      among: { $0.isExclusive }, where: { $0.account != account && isManaged($0.account) })?.account
  }
}
