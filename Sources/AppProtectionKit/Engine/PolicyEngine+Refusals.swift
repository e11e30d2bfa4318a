import AppProtection

extension PolicyEngine {
  /// The refusal to record for a command; `nil` if none is recorded.
  func newRefusal(of command: AppProtectionCommand, _ rejection: AppProtectionRejection) -> CommandRefused? {
    let told = Self.callback(for: rejection, of: command, in: store.state)
    return newRefusal(
      CommandRefused(
        command: command.name.rawValue, rule: rejection.rule, code: told == nil ? nil : rejection.statusCode,
        account: rejection.account))
  }

  /// The refusal, unless this process has already recorded it or reached the limit.
  func newRefusal(_ refusal: CommandRefused) -> CommandRefused? {
    guard store.state.process.isRunning else { return nil }
    return refusals.withLock { noted in
      guard let count = noted?.count, count < Self.maximumRefusalsPerProcess else { return nil }
      return noted?.insert(refusal).inserted == true ? refusal : nil
    }
  }

  /// Lets a refusal that could not be written be recorded next time.
  func forgetRefusal(_ refusal: CommandRefused) {
    refusals.withLock { noted in _ = noted?.remove(refusal) }
  }
}
