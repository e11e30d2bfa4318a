import AppProtection

extension PolicyEngine {
  /// Records what the service has for an account besides its policy, if the account is enrolled.
  func takeDeliveries(_ request: ServiceRequest) async throws(EngineError) {
    guard state.accounts[request.account]?.enrollment.status.isEnrolled == true else { return }
    let deliveries = await service.deliveries(request)
    let account = AccountReference(request.account)
    if let configuration = deliveries.configuration {
      try record(.deliverConfiguration(account, configuration), cause: request.intent)
    }
    if let user = deliveries.user {
      let clockStatus = user.clockStatus ?? state.launch.accounts[request.account]?.clockStatus ?? .notConfigured
      try record(.reportUserStatus(account, clockStatus, isDisabled: user.isDisabled), cause: request.intent)
    }
  }

  /// Records a delivery unless the rules refuse it: an account that left meanwhile, or a configuration that is too large,
  /// must not stop the work of others.
  private func record(_ command: AppProtectionCommand, cause: UInt64) throws(EngineError) {
    do throws(EngineError) {
      try core.send(command, cause: cause)
    } catch {
      guard error.rejection != nil else {
        // As where an answer cannot be written: another run may begin.
        core.stopRun()
        throw error
      }
    }
  }
}
