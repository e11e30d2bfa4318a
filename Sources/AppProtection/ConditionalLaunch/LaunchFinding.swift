import EventSourcing
import WireFormat

/// A launch condition that is not met, and what this leads to.
public struct LaunchFinding: Hashable, Sendable, CustomStringConvertible {
  /// The condition.
  public let rule: LaunchRule
  /// What it leads to by itself.
  public let outcome: LaunchOutcome
  private let setting: LaunchSetting
  private let fact: LaunchFact
  private let values: Rare<Values>

  /// The values that were compared, where there is something to say about them.
  private struct Values: Hashable {
    var setting = ""
    var fact = ""
    var age: Int64?

    var isEmpty: Bool { age == nil && setting.isEmpty && fact.isEmpty }
  }

  /// What was compared, in a finding of the journal; `nil` in a decision, and in journals of earlier programs.
  public var comparison: LaunchComparison? {
    guard fact != .none else { return nil }
    let values = values.value ?? Values()
    return LaunchComparison(
      setting: setting, settingValue: values.setting, fact: fact, factValue: values.fact, age: values.age)
  }

  /// Creates a finding that does not say what was compared.
  public init(_ rule: LaunchRule, _ outcome: LaunchOutcome) {
    self.init(rule, outcome, .none, .none, Values())
  }

  /// Creates a finding.
  public init(_ rule: LaunchRule, _ outcome: LaunchOutcome, comparison: LaunchComparison) {
    self.init(
      rule, outcome, comparison.setting, comparison.fact,
      Values(setting: comparison.settingValue, fact: comparison.factValue, age: comparison.age))
  }

  private init(
    _ rule: LaunchRule, _ outcome: LaunchOutcome, _ setting: LaunchSetting, _ fact: LaunchFact, _ values: Values
  ) {
    self.rule = rule
    self.outcome = outcome
    self.setting = setting
    self.fact = fact
    self.values = values.isEmpty ? .absent : .present(values)
  }

  /// The rule's name and the outcome, such as `launch.osMinimum warn`.
  public var description: String { "\(rule.id) \(outcome.name)" }

  static let descriptor = MessageDescriptor(
    "LaunchFinding",
    [
      FieldDescriptor(1, "rule", .enumeration(LaunchRule.descriptor), .single, "the launch condition that is not met"),
      FieldDescriptor(
        2, "outcome", .enumeration(LaunchOutcome.descriptor), .single, "what this leads to by itself"),
      FieldDescriptor(
        3, "setting", .enumeration(LaunchSetting.descriptor), .single, "the setting that demands it, where one does"),
      FieldDescriptor(
        4, "fact", .enumeration(LaunchFact.descriptor), .single, "the fact that was compared with the setting"),
      FieldDescriptor(
        5, "age", .duration, .optional, "how long ago the fact was, where it is a point in time that is known"),
      FieldDescriptor(
        6, "settingValue", .string, .single,
        "the setting's value, or the standard where it is not set; empty for a setting that is on or off: it is on"),
      FieldDescriptor(7, "factValue", .string, .single, "the fact's value; empty where nothing is known"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: rule)
    writer.write(2, enumeration: outcome)
    writer.write(3, enumeration: setting)
    writer.write(4, enumeration: fact)
    guard let values = values.value else { return }
    writer.write(5, duration: values.age)
    writer.write(6, string: values.setting)
    writer.write(7, string: values.fact)
  }

  init(from reader: inout WireReader) throws(WireError) {
    var rule = LaunchRule.met
    var outcome = LaunchOutcome.allowed
    var setting = LaunchSetting.none
    var fact = LaunchFact.none
    var values = Values()
    while let field = try reader.nextField() {
      switch field.number {
      case 1: rule = try reader.enumeration(field, as: LaunchRule.self)
      case 2: outcome = try reader.enumeration(field, as: LaunchOutcome.self)
      case 3: setting = try reader.enumeration(field, as: LaunchSetting.self)
      case 4: fact = try reader.enumeration(field, as: LaunchFact.self)
      case 5: values.age = try reader.signed(field)
      case 6: values.setting = try reader.string(field)
      case 7: values.fact = try reader.string(field)
      default: try reader.skip(field)
      }
    }
    self.init(rule, outcome, setting, fact, values)
  }

  /// Puts findings in the order in which they count: a wipe before a block, a block before a prompt, a prompt before a
  /// warning; within one severity by the rules' order.
  static func sort(_ findings: inout [LaunchFinding], by order: LaunchOrder) {
    // Mostly there are none: the app was opened before.
    guard findings.count > 1 else { return }
    let ranked = LaunchRule.ranked(order)
    func rank(_ finding: LaunchFinding) -> (Int, Int) {
      (finding.outcome.severityRank, ranked.firstIndex(of: finding.rule) ?? ranked.count)
    }
    findings.sort { rank($0) < rank($1) }
  }
}
