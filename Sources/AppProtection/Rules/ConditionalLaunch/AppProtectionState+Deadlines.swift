import EventSourcing

extension AppProtectionState {
  /// What time alone brings to an account, the earliest first, and of each kind only the earliest: by the rules that decide when it comes, at a moment before it does.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - moment: The moment to count from, by the wall clock and by the uptime of the running process; zero means that the
  ///     uptime is unknown.
  public func deadlines(for account: AccountNumber, at moment: Moment) -> [Deadline] {
    var found: [Deadline] = []
    if let due = accounts[account].flatMap(dueTime) {
      found.append(Deadline(.checkIn, in: launch.clock.remaining(until: due, at: moment)))
    }
    // A wipe that is ordered waits for no time.
    if accounts[account]?.enrollment.status != .wiping, let policy = enforcedPolicy(for: .account(account)) {
      var explanation = Explanation()
      let base = offlineAccessBase(of: account, explanation: &explanation)
      let evaluation = LaunchEvaluation(state: self, account: account, policy: policy, moment: moment, explanation)
      found += evaluation.deadlines(offlineSince: base)
    }
    if let restart = process.restart, restart.account == nil || restart.account == account, let due = restart.dueTime {
      found.append(Deadline(.restart, in: launch.clock.remaining(until: due, at: moment)))
    }
    let order = Deadline.Kind.allCases
    let sorted = found.sorted {
      ($0.remaining, order.firstIndex(of: $0.kind) ?? 0) < ($1.remaining, order.firstIndex(of: $1.kind) ?? 0)
    }
    // A new PIN may be due for its age and for its quality.
    var kinds: Set<Deadline.Kind> = []
    return sorted.filter { kinds.insert($0.kind).inserted }
  }
}

extension LaunchEvaluation {
  /// When each condition that depends on time is not met, and what comes then.
  ///
  /// - Parameter base: The time from which offline access counts.
  func deadlines(offlineSince base: Int64?) -> [Deadline] {
    timedConditions(offlineSince: base).compactMap { condition in
      guard let remaining = remaining(until: condition), let kind = Deadline.Kind(of: condition.rule),
        !wasShown(condition.rule, condition.outcome)
      else { return nil }
      let setting = condition.setting.read(policy) == nil ? nil : condition.setting
      return switch condition.due {
      case .never: nil
      case .after: Deadline(kind, in: remaining, setting: setting, condition.rule, condition.outcome)
      case .unmet: Deadline(kind, in: remaining, isTimed: false, condition.rule, condition.outcome)
      }
    }
  }
}
