import EventSourcing
import Forensics

/// What a tool knows of its domain that not every domain has.
@usableFromInline
package protocol DomainAdditions: Sendable {
  /// What texts name as examples.
  var samples: DomainSamples { get }

  /// The fields of events that are clocks, and differ between any two devices.
  var clockFields: Set<String> { get }

  /// Whether a change of a state is one of a clock, and differs between any two devices.
  func isOfClock(_ change: StateChange) -> Bool

  /// The numbers of the accounts that a state knows, in order.
  func accounts(in state: AnyState) -> [UInt64]

  /// How far the device's local time was ahead of UTC after an event, in nanoseconds; `nil` where that is unknown.
  func utcOffset(after event: LoggedEvent) -> Int64?

  /// The version of the program that wrote an event; empty where that is unknown.
  func writer(of event: LoggedEvent) -> String

  /// The version of an account's policy after an event; without an account, of the policy that the event brings.
  func policyVersion(after event: LoggedEvent, of account: String?) -> UInt64?

  /// The event that ordered another one which its envelope does not name; `nil` for none.
  func order(of event: LoggedEvent) -> UInt64?

  /// The conditions that an event found not to be met, or only those that the user cannot answer.
  func conditions(of event: LoggedEvent, closedAlone: Bool) -> [UnmetCondition]

  /// What of an event an import inferred, by name.
  func inferences(in attributes: CommandAttributes) -> [String]

  /// What an event means and what to do about it, where that depends on its contents.
  func advice(on event: LoggedEvent) -> (meaning: String, remedy: String)?

  /// What time alone brings to the accounts of a state, at a moment before it comes.
  func deadlines(in state: AnyState, at moment: Moment) -> [AccountDeadline]

  /// The rule and the subject of a likely mistake.
  func label(of finding: any HistoryFinding) -> String
}

/// What time alone brings to an account.
@usableFromInline
package struct AccountDeadline: Sendable {
  /// The account's pseudonym.
  package let account: String
  /// The stable name of what happens, and what it is as a statement.
  package let kind, statement: String
  /// When, in nanoseconds since 1970; `nil` for what is due whatever the time is.
  package let time: Int64?
  /// Whether that time has come.
  package let isOver: Bool
  /// The setting that says after how long; `nil` where none does.
  package let setting: String?

  package init(account: String, kind: String, statement: String, time: Int64?, isOver: Bool, setting: String?) {
    (self.account, self.kind, self.statement, self.time) = (account, kind, statement, time)
    (self.isOver, self.setting) = (isOver, setting)
  }
}

/// A condition that is not met, and what was compared.
@usableFromInline
package struct UnmetCondition: Sendable {
  /// The stable name of its rule.
  package let rule: String
  /// What it leads to.
  package let outcome: String
  /// The settings that were compared, and the facts that they were compared with.
  package let settings, facts: [Explanation.Read]

  package init(rule: String, outcome: String, settings: [Explanation.Read], facts: [Explanation.Read]) {
    (self.rule, self.outcome, self.settings, self.facts) = (rule, outcome, settings, facts)
  }
}
