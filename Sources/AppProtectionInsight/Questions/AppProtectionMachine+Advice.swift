import AppProtection
import EventSourcing

extension AppProtectionMachine {
  /// A setting of a policy, in the portal's words.
  public static func wording(of read: Explanation.Read, in state: AppProtectionState) -> SettingWording? {
    guard let (account, property) = setting(at: read.path), let document = state.policies[account]?.document else {
      return nil
    }
    return wording(of: property, in: document)
  }

  /// The account and the setting that a path names.
  static func setting(at path: String) -> (account: AccountNumber, property: PolicyProperty)? {
    let names = path.split(separator: "/")
    guard names.count >= 3, names[0] == "policies", let account = AccountNumber(names[1]),
      let property = PolicyProperty.named(String(names[2]))
    else { return nil }
    return (account, property)
  }

  /// A setting of a document, as the portal's entry shows it that has it, alone or with others.
  static func wording(of property: PolicyProperty, in document: PolicyDocument) -> SettingWording? {
    let entry = property.portal ?? PolicyProperty.all.lazy.compactMap(\.portal).first { $0.others.contains(property) }
    return entry.map {
      SettingWording(
        group: $0.group.rawValue, title: $0.title, value: $0.words(document) ?? "Not configured")
    }
  }

  /// The settings that the rules read, those of the deciding rules first, then what can happen to the accounts, and last
  /// whether a policy targets them at all.
  public static func changes(
    considering steps: [Explanation.Step], for question: ProtectionQuestion, in state: AppProtectionState,
    at moment: Moment
  ) -> [PossibleChange<AppProtectionState>] {
    var reads: [String] = []
    for read in (steps.filter(\.decides) + steps).flatMap(\.reads) where !reads.contains(read.path) {
      reads.append(read.path)
    }
    var changes: [PossibleChange<AppProtectionState>] = []
    var seen: Set<String> = []
    for case (let account, let property)? in reads.map(setting)
    where seen.insert("\(account) \(property.name)").inserted {
      changes += SettingChanges(account: account, property: property, state: state).all
    }
    let accounts = Set(
      reads.compactMap { path in path.split(separator: "/").lazy.compactMap { AccountNumber($0) }.first })
    let facts = FactChanges(state: state, moment: moment, reads: Set(reads))
    changes += facts.device
    for account in accounts.sorted() { changes += facts.happening(to: account) }
    return changes
  }
}
