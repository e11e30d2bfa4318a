import AppProtection
import EventSourcing

extension AppProtectionMachine: QuestionDomain {
  /// Every question to the rules.
  public static var questions: [QuestionForm<ProtectionQuestion>] { ProtectionQuestion.forms }

  /// The answer of the rules.
  public static func verdict(
    on question: ProtectionQuestion, in state: AppProtectionState, at moment: Moment, explanation: inout Explanation
  ) -> ProtectionAnswer {
    state.answer(question, at: moment, explanation: &explanation)
  }

  /// The texts of an answer.
  public static func words(of answer: ProtectionAnswer) -> QuestionAnswer {
    QuestionAnswer(answer.name, rule: answer.rule, reason: answer.reason, assumption: answer.assumption)
  }
}

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
  package static func wording(of property: PolicyProperty, in document: PolicyDocument) -> SettingWording? {
    let entry = property.portal ?? PolicyProperty.all.lazy.compactMap(\.portal).first { $0.others.contains(property) }
    return entry.map {
      SettingWording(
        group: $0.group.rawValue, title: $0.title, value: $0.words(document) ?? "Not configured")
    }
  }

  /// What the users can do on the spot; the settings that the rules read, those of the deciding rules first; then what can
  /// happen to the accounts, and last whether a policy targets them at all.
  public static func changes(
    considering steps: [Explanation.Step], for question: ProtectionQuestion, in state: AppProtectionState,
    at moment: Moment
  ) -> [PossibleChange<AppProtectionState>] {
    var reads: [String] = []
    for read in (steps.filter(\.decides) + steps).flatMap(\.reads) where !reads.contains(read.path) {
      reads.append(read.path)
    }
    let accounts = Set(
      reads.compactMap { path in path.split(separator: "/").lazy.compactMap { AccountNumber($0) }.first }
    ).sorted()
    let facts = FactChanges(state: state, moment: moment, reads: Set(reads))
    var changes = accounts.flatMap { facts.doing(by: $0) }
    var seen: Set<String> = []
    for case (let account, let property)? in reads.map(setting)
    where seen.insert("\(account) \(property.name)").inserted {
      changes += SettingChanges(account: account, property: property, state: state).all
    }
    changes += facts.device
    for account in accounts { changes += facts.happening(to: account) }
    return changes
  }
}

extension AppProtectionMachine: RedecidingDomain {
  /// The rule that refuses.
  public static func rule(of rejection: AppProtectionRejection) -> String { rejection.rule }

  /// The accounts.
  public static func subjects(in state: AppProtectionState, limit: Int) -> [String] {
    state.accounts.records.prefix(limit).map(\.account.description)
  }

  /// The command that the first event which is not about an account's identity stands for.
  public static func command(
    leadingTo events: [AppProtectionEvent], in state: AppProtectionState, at moment: Moment
  ) -> AppProtectionCommand? {
    RecordedDecision(events, in: state, at: moment).command
  }
}
