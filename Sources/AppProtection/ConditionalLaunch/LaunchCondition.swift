import EventSourcing

/// A launch condition that is not met, with the settings and the facts that were compared.
public struct LaunchCondition: Equatable, Sendable {
  /// The condition, and what it leads to.
  public let finding: LaunchFinding
  /// The settings of the account's policy that lead to it, as far as they are set.
  public let settings: [Explanation.Read]
  /// What they were compared with.
  public let facts: [Explanation.Read]
}

extension AppProtectionState {
  /// The settings and facts behind what an evaluation found, in the order of its findings.
  ///
  /// - Parameter event: an evaluation that was folded into this state, or the next one to be.
  public func conditions(of event: LaunchEvaluated) -> [LaunchCondition] {
    event.findings.map { finding in
      let reads = reads(of: finding, account: event.account)
      let isSetting = { (read: Explanation.Read) in read.path.hasPrefix("/policies/\(event.account)/") }
      return LaunchCondition(
        finding: finding, settings: reads.filter { isSetting($0) && $0.value != .unset },
        facts: reads.filter { !isSetting($0) && $0.value != .unset })
    }
  }
}
