import AppProtection

extension PolicyEngine {
  /// What is noted of a command that was refused; `nil` where nothing is.
  func newRefusal(of command: AppProtectionCommand, _ rejection: AppProtectionRejection) -> CommandRefused? {
    let told = Self.callback(for: rejection, of: command, in: store.state)
    return newRefusal(
      CommandRefused(
        command: command.name, rule: rejection.rule, code: told == nil ? nil : rejection.statusCode,
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
}

extension AppProtectionCommand {
  /// The command without what it carries, such as `registerAndEnroll`.
  fileprivate var name: String {
    // A case that carries nothing has no label: it is printed as its name.
    Mirror(reflecting: self).children.first?.label ?? "\(self)"
  }
}
