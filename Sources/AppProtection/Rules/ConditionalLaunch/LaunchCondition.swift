import EventSourcing

/// A launch condition that is not met, with the settings and the facts that were compared.
public struct LaunchCondition: Equatable, Sendable {
  /// The condition and its outcome.
  public let finding: LaunchFinding
  /// The settings of the account's policy that lead to it, as far as they are set, or the default that applies in their
  /// place.
  public let settings: [Explanation.Read]
  /// The facts compared with them; for a point in time, how long ago it was.
  public let facts: [Explanation.Read]
}

extension AppProtectionState {
  /// The settings and facts on which an evaluation's findings rest, in the order of its findings: those that it
  /// recorded, or, in journals of earlier programs, those that this state holds.
  ///
  /// - Parameters:
  ///   - event: an evaluation that was folded into this state, or the next one to be.
  ///   - isWanted: which of its findings are wanted.
  public func conditions(
    of event: LaunchEvaluated, where isWanted: (LaunchFinding) -> Bool = { _ in true }
  ) -> [LaunchCondition] {
    event.findings.filter(isWanted).map { finding in
      let policy = "/policies/\(event.account)/"
      let isSetting = { (read: Explanation.Read) in read.path.hasPrefix(policy) }
      let shown =
        finding.comparison.map { recorded($0, of: finding, account: event.account) }
        ?? reads(of: finding, account: event.account)
      return LaunchCondition(
        finding: finding, settings: shown.filter { isSetting($0) && $0.value != .unset },
        facts: shown.filter { !isSetting($0) && $0.value != .unset })
    }
  }

  /// The values that an evaluation recorded; this state determines only their kinds.
  private func recorded(
    _ comparison: LaunchComparison, of finding: LaunchFinding, account: AccountNumber
  ) -> [Explanation.Read] {
    let path = comparison.fact.path(of: account)
    func known() -> StateValue { finding.rule.facts.contains(comparison.fact) ? read(path).value : .unset }
    let fact = Explanation.Read(
      path, comparison.age.map { .duration($0) } ?? StateValue(comparison.factValue, like: known()))
    guard let setting = comparison.setting else { return [fact] }
    return [.init("/policies/\(account)/\(setting.name)", StateValue(comparison.settingValue, of: setting)), fact]
  }
}

extension StateValue {
  /// A fact that a comparison recorded as text, of the kind of another one.
  fileprivate init(_ text: String, like other: StateValue) {
    self =
      switch other {
      // Unknown values have the names of the enumerations' member 0.
      case .name: .name(text.isEmpty ? "unknown" : text)
      case _ where text.isEmpty: .unset
      case .bool: .bool(text == "true")
      case .integer: Int64(text).map { .integer($0) } ?? .text(text)
      case .unset, .text, .personal, .sealed, .time, .duration, .sequence, .list: .text(text)
      }
  }

  /// A setting's value that a comparison recorded as text.
  fileprivate init(_ text: String, of setting: PolicyProperty) {
    self =
      switch setting.kind {
      case .flag: .bool(true)
      case _ where text.isEmpty: .unset
      case .number: Int64(text).map { .integer($0) } ?? .text(text)
      case .choice: .name(text)
      case .text, .duration, .date, .choices, .flags, .texts, .pairs, .apps, .assignments: .text(text)
      }
  }
}
