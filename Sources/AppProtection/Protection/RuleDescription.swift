/// A rule as readers look it up, by the name that answers, explanations and refusals show.
package struct RuleDescription: Equatable, Sendable {
  /// An answer that a rule gives.
  package struct Outcome: Equatable, Sendable {
    /// The answer, such as `denied`.
    package let name: String
    /// The reason for it, in one sentence without a full stop.
    package let reason: String
  }

  /// The stable name, such as `saveTo.7`.
  package let name: String
  /// The rule as a statement about any account, which is true or false. Empty for a reason to refuse a command.
  package var statement = ""
  /// What it answers; empty where other rules go on from the statement.
  package var outcomes: [Outcome] = []
  /// The member of ``Assumptions`` on which an answer rests.
  package var assumption: String?

  /// Every rule, with its answers together.
  package static let all: [RuleDescription] = {
    var found: [RuleDescription] = []
    for table in tables { found += rows(of: table) }
    found += conditions.map(row)
    found += identities
    found += refusals
    found += others
    var all: [RuleDescription] = []
    for rule in found {
      if let place = all.firstIndex(where: { $0.name == rule.name }) {
        all[place].outcomes += rule.outcomes.filter { !all[place].outcomes.contains($0) }
        all[place].assumption = all[place].assumption ?? rule.assumption
      } else {
        all.append(rule)
      }
    }
    return all
  }()

  /// The rules that answer questions.
  private static let tables: [any DecisionRule.Type] = [
    SaveToRule.self, OpenFromRule.self, TransferRule.self, ReceiveRule.self, ShareSheetRule.self, ClipboardRule.self,
    LinkRule.self, RedirectionRule.self, PINDemandRule.self, OfflineRule.self, EncryptionRule.self,
    FileProtectionRule.self, DataProtectionRule.self, WebViewRule.self, InputRule.self, NotificationRule.self,
    ScreenCaptureRule.self, FeatureRule.self,
  ]

  /// The statements that lead from one rule to another.
  private static let conditions: [RuleCondition] = [
    .policyRequiresBrowser, .policyRequiresPIN, .openingIsBlocked, .openLocationIsListed, .openLocationIsOwn,
    .savingIsBlocked, .saveLocationIsListed, .saveLocationIsOwn, .otherAppHasSamePolicy, .pageIsExternal,
    .policyBlocksKeyboards, .locationIsAccountless, .unnamedMeansCurrent,
  ]

  private static func rows<Rule: DecisionRule>(of table: Rule.Type) -> [RuleDescription] {
    table.allCases.map { rule in
      let outcome = Outcome(
        name: (rule.outcome as? any DecisionOutcome)?.name ?? "\(rule.outcome)", reason: rule.reason)
      return RuleDescription(
        name: rule.id, statement: general(rule.filled(rule.row.condition.statement)), outcomes: [outcome],
        assumption: rule.assumption)
    }
  }

  private static func row(of condition: RuleCondition) -> RuleDescription {
    RuleDescription(
      name: "\(condition.id)", statement: general("\(condition.statement)"),
      assumption: condition.assumption.map { "\($0)" })
  }

  /// A statement about any account and anything else.
  private static func general(_ statement: String) -> String {
    statement.replacing("account {account}", with: "{account}").filled {
      $0 == "account" ? "the account" : $0 == "other" ? "the other side" : nil
    }
  }

  private static var identities: [RuleDescription] {
    let levels = IdentityLevel.allCases.map { level in
      RuleDescription(name: "identity.\(level.name)", statement: "an identity is set for the \(level.name)")
    }
    return levels
      + IdentitySwitchDecision.all.map { decision in
        RuleDescription(
          name: decision.rule, statement: decision.reason,
          outcomes: decision.refusal.map { [Outcome(name: "refused", reason: "an identity is not set: \($0.name)")] }
            ?? [])
      }
  }

  /// What refuses a command.
  private static var refusals: [RuleDescription] {
    AppProtectionRejection.samples.map { rejection in
      let reason = rejection.description.replacing(AccountNumber.first.description, with: "the account")
      return RuleDescription(name: rejection.rule, outcomes: [Outcome(name: "refused", reason: reason)])
    }
  }

  private static var others: [RuleDescription] {
    let management = ManagementDecision.allCases.map { decision in
      RuleDescription(
        name: decision.rule, statement: "the account is managed",
        outcomes: [Outcome(name: "\(decision.isManaged)", reason: decision.reason)])
    }
    let deadlines = Deadline.Kind.allCases.map { RuleDescription(name: $0.id, statement: $0.statement) }
    return management + deadlines + [
      RuleDescription(
        name: AppProtectionState.offlineBaseRule.name, statement: AppProtectionState.offlineBaseRule.statement,
        assumption: "oldSDKCountsAnyAnswer"),
      RuleDescription(
        name: AppProtectionState.claimRule,
        statement: "the app said that the user had answered a launch condition, and no event showed it"),
    ]
  }
}
