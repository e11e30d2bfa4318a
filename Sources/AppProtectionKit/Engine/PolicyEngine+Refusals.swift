import AppProtection

extension PolicyEngine {
  /// What is noted of a command that was refused; `nil` where nothing is.
  func newRefusal(of command: AppProtectionCommand, _ rejection: AppProtectionRejection) -> CommandRefused? {
    let told = Self.callback(for: rejection, of: command, in: store.state)
    return newRefusal(
      CommandRefused(
        command: command.name.rawValue, rule: rejection.rule, code: told == nil ? nil : rejection.statusCode,
        account: rejection.account))
  }

  /// The refusal, unless this process has noted it, or enough others.
  func newRefusal(_ refusal: CommandRefused) -> CommandRefused? {
    guard store.state.process.isRunning else { return nil }
    return refusals.withLock { noted in
      guard let count = noted?.count, count < Self.maximumRefusalsPerProcess else { return nil }
      return noted?.insert(refusal).inserted == true ? refusal : nil
    }
  }

  /// Lets a refusal that could not be written be noted the next time.
  func forgetRefusal(_ refusal: CommandRefused) {
    refusals.withLock { noted in _ = noted?.remove(refusal) }
  }
}
