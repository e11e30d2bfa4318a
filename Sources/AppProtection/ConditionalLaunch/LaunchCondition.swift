import EventSourcing

/// A launch condition that is not met, with the settings and the facts that were compared.
public struct LaunchCondition: Equatable, Sendable {
  /// The condition, and what it leads to.
  public let finding: LaunchFinding
  /// The settings of the account's policy that lead to it, as far as they are set, or the standard that counts in their place.
  public let settings: [Explanation.Read]
  /// What they were compared with; of a point in time, how long ago it was.
  public let facts: [Explanation.Read]
}

extension AppProtectionState {
  /// The settings and facts behind what an evaluation found, in the order of its findings: those that it recorded, or, in
  /// journals of earlier programs, those that this state holds.
  ///
  /// - Parameter event: an evaluation that was folded into this state, or the next one to be.
  public func conditions(of event: LaunchEvaluated) -> [LaunchCondition] {
    event.findings.map { finding in
      let reads = reads(of: finding, account: event.account)
      let isSetting = { (read: Explanation.Read) in read.path.hasPrefix("/policies/\(event.account)/") }
      let shown = finding.comparison.map { recorded($0, account: event.account, like: reads) } ?? reads
      return LaunchCondition(
        finding: finding, settings: shown.filter { isSetting($0) && $0.value != .unset },
        facts: shown.filter { !isSetting($0) && $0.value != .unset })
    }
  }

  /// What an evaluation recorded that it compared; this state says only of which kind a value is.
  private func recorded(
    _ comparison: LaunchComparison, account: AccountNumber, like reads: [Explanation.Read]
  ) -> [Explanation.Read] {
    func read(_ path: String, _ text: String) -> Explanation.Read {
      .init(path, StateValue(text, like: reads.first { $0.path == path }?.value ?? .unset))
    }
    return [
      read("/policies/\(account)/\(comparison.setting)", comparison.settingValue),
      comparison.age.map { .init(comparison.fact, .duration($0)) } ?? read(comparison.fact, comparison.factValue),
    ]
  }
}

extension StateValue {
  /// A value that a comparison recorded as text, of the kind of another one.
  fileprivate init(_ text: String, like other: StateValue) {
    guard !text.isEmpty else {
      self = .unset
      return
    }
    self =
      switch other {
      case .bool: .bool(text == "true")
      case .integer: Int64(text).map { .integer($0) } ?? .text(text)
      case .name: .name(text)
      case .unset, .text, .personal, .time, .duration, .sequence, .list: .text(text)
      }
  }
}
