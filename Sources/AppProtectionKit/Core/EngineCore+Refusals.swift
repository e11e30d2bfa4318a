import AppProtection

extension EngineCore {
  /// The configuration of an account; see ``PolicyEngine/appConfiguration(for:)``.
  public func appConfiguration(for reference: AccountReference?) -> AppConfiguration {
    let state = state
    let account = reference.flatMap { state.account(for: $0) }
    if account?.enrollment.status.isEnrolled != true {
      let rejection: AppProtectionRejection =
        reference == nil ? .missingAccount : account.map { .notEnrolled($0.account) } ?? .unknownAccount
      let refusal = CommandRefused(command: "appConfiguration", rule: rejection.rule, account: account?.account)
      if let refusal = newRefusal(refusal) {
        do { try send(.noteRefusal(refusal)) } catch { forgetRefusal(refusal) }
      }
    }
    return account.map { state.appConfiguration(for: $0.account) } ?? AppConfiguration([])
  }

  /// The refusal to record for a command; `nil` if none is recorded.
  func newRefusal(of command: AppProtectionCommand, _ rejection: AppProtectionRejection) -> CommandRefused? {
    let state = store.state
    let told = Self.callback(for: rejection, of: command, in: state)
    // Not every rejection holds the account that the command names.
    let account = rejection.account ?? command.accounts.first.flatMap { state.account(for: $0)?.account }
    return newRefusal(
      CommandRefused(
        command: command.name.rawValue, rule: rejection.rule, code: told == nil ? nil : rejection.statusCode,
        account: account))
  }

  /// The refusal, unless this process has already recorded it or reached the limit.
  func newRefusal(_ refusal: CommandRefused) -> CommandRefused? {
    guard store.state.process.isRunning else { return nil }
    return refusals.withLock { noted in
      guard let count = noted?.count, count < Self.maximumRefusalsPerProcess else { return nil }
      let isNew = noted?.insert(refusal).inserted == true
      assert(noted?.count ?? 0 <= Self.maximumRefusalsPerProcess, "too many refusals are recorded")
      return isNew ? refusal : nil
    }
  }

  /// Lets a refusal that could not be written be recorded next time.
  func forgetRefusal(_ refusal: CommandRefused) {
    refusals.withLock { noted in _ = noted?.remove(refusal) }
  }
}
