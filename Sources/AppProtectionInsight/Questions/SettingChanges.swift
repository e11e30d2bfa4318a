import AppProtection
import EventSourcing

/// The other values that a setting of an account's policy could have.
struct SettingChanges {
  let account: AccountNumber
  let property: PolicyProperty
  let state: AppProtectionState

  /// The most values that are tried.
  private static let maximumCount = 32

  /// A change for each value that the portal can show.
  var all: [PossibleChange<AppProtectionState>] {
    guard let record = state.policies[account] else { return [] }
    let before = AppProtectionMachine.wording(of: property, in: record.document)
    var changes: [PossibleChange<AppProtectionState>] = []
    for setting in settings(record.document).prefix(Self.maximumCount) {
      var document = record.document
      document[property] = setting
      guard document[property] == setting, let before,
        let after = AppProtectionMachine.wording(of: property, in: document), after.value != before.value,
        !after.value.hasPrefix("No choice of the portal"), !after.value.hasPrefix("No level")
      else { continue }
      var changed = state
      changed.policies.set(
        PolicyRecord(
          account: account, document: document, version: record.version, receivedBy: record.receivedBy,
          isEnforced: record.isEnforced))
      changes.append(
        PossibleChange(
          .setting, of: "\(account) \(property.name)",
          "in \(account)'s policy, set \(after.group) > \(after.title) from \(before.value) to \(after.value)", changed)
      )
    }
    return changes
  }

  private func settings(_ document: PolicyDocument) -> [PolicySetting] {
    values(document).map { .value($0) } + [.absent]
  }

  private func values(_ document: PolicyDocument) -> [PolicyValue] {
    switch property.kind {
    case .flag: return [.flag(false), .flag(true)]
    case .number(let range):
      let bounds = property.documentedRange ?? range
      return [.number(bounds.lowerBound), .number(bounds.upperBound)]
    case .choice(let names): return names.members.filter { $0.number != 127 }.map { .choice($0.number) }
    case .choices(let names):
      guard case .value(.choices(let set)) = document[property] else {
        return names.members.map { .choices([$0.number]) } + [.choices([])]
      }
      let missing = names.members.map(\.number).filter { !set.contains($0) && $0 != 127 }
      return missing.map { .choices(set + [$0]) } + set.map { number in .choices(set.filter { $0 != number }) }
        + [.choices([])]
    // What else an administrator could write is not to be guessed: such a setting can only be removed.
    case .text, .duration, .date, .flags, .texts, .pairs, .apps, .assignments: return []
    }
  }
}
