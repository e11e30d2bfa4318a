import EventSourcing

/// A failed launch condition and its outcome.
public struct LaunchFinding: Hashable, Sendable, CustomStringConvertible {
  /// The condition.
  public let rule: LaunchRule
  /// Its outcome by itself.
  public let outcome: LaunchOutcome
  private let setting: LaunchSetting
  private let fact: LaunchFact
  private let values: Boxed<Values>

  /// The compared values, if any are worth recording.
  private struct Values: Hashable {
    var setting = ""
    var fact = ""
    var age: Int64?

    var isEmpty: Bool { age == nil && setting.isEmpty && fact.isEmpty }
  }

  /// The comparison, in a finding of the journal; `nil` in a decision, and in journals of earlier programs.
  public var comparison: LaunchComparison? {
    guard fact != .none else { return nil }
    let values = values.value ?? Values()
    return LaunchComparison(
      setting: setting.property, settingValue: values.setting, fact: fact, factValue: values.fact, age: values.age)
  }

  /// A condition that is not met without comparing any values.
  public init(_ rule: LaunchRule, _ outcome: LaunchOutcome) {
    self.init(rule, outcome, .none, .none, Values())
  }

  /// A condition that is not met, with the values that were compared.
  public init(_ rule: LaunchRule, _ outcome: LaunchOutcome, comparison: LaunchComparison) {
    self.init(
      rule, outcome, LaunchSetting(comparison.setting), comparison.fact,
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

  /// Puts findings in the order in which they count: a wipe before a block, a block before a prompt, a prompt before a
  /// warning; within one severity by the rules' order.
  static func sort(_ findings: inout [LaunchFinding], by order: LaunchOrder) {
    // Usually none: the app was opened before.
    guard findings.count > 1 else { return }
    let ranked = LaunchRule.ranked(order)
    func rank(_ finding: LaunchFinding) -> (Int, Int) {
      (finding.outcome.severityRank, ranked.firstIndex(of: finding.rule) ?? ranked.count)
    }
    findings.sort { rank($0) < rank($1) }
  }
}

extension LaunchFinding: FormedMessage {
  /// The finding on the wire, where a comparison takes a byte or two.
  public struct Form: FieldList {
    var rule = LaunchRule.met
    var outcome = LaunchOutcome.allowed
    var setting = LaunchSetting.none
    var fact = LaunchFact.none
    var age: Int64?
    var settingValue = ""
    var factValue = ""

    /// The value that decoding starts from.
    public static var blank: Self { Self() }

    /// The fields. Number 3 was a message of the same contents in texts.
    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "rule", &form.rule, "the launch condition that is not met")
      try field(2, "outcome", &form.outcome, "what this leads to by itself")
      try field(4, "setting", &form.setting, "the setting that demands it, where one does")
      try field(5, "fact", &form.fact, "the fact that was compared with the setting")
      try field(
        6, "age", &form.age, as: .duration, "how long ago the fact was, where it is a point in time that is known")
      try field(
        7, "settingValue", &form.settingValue,
        "the setting's value, or the standard where it is not set; empty for a setting that is on or off: it is on")
      try field(8, "factValue", &form.factValue, "the fact's value; empty where nothing is known")
    }
  }

  /// The fields of this finding.
  public var form: Form {
    let values = values.value ?? Values()
    return Form(
      rule: rule, outcome: outcome, setting: setting, fact: fact, age: values.age, settingValue: values.setting,
      factValue: values.fact)
  }

  /// The finding that the fields represent.
  public init(_ form: Form) {
    self.init(
      form.rule, form.outcome, form.setting, form.fact,
      Values(setting: form.settingValue, fact: form.factValue, age: form.age))
  }
}

/// What a launch condition compared: one setting of the policy with one fact, as both were at that moment.
///
/// The settings and facts that a rule reads may be more (``LaunchRule/settings(for:)``, ``LaunchRule/facts(of:)``);
/// these are the two that a reader would compare.
public struct LaunchComparison: Hashable, Sendable {
  /// The setting; `nil` where none demands the condition.
  public var setting: PolicyProperty?
  /// What was compared with the setting.
  public var fact: LaunchFact
  /// How long ago the fact was, in nanoseconds, where it is a point in time that is known.
  public var age: Int64?
  /// The setting's value as text, or the default where the policy does not set it; empty for one that is on or off: it
  /// is on.
  public var settingValue: String
  /// The fact's value as text; empty where nothing is known, and for a point in time.
  public var factValue: String

  /// The value found beside the one that the policy demands.
  public init(
    setting: PolicyProperty? = nil, settingValue: String = "", fact: LaunchFact, factValue: String = "",
    age: Int64? = nil
  ) {
    self.setting = setting
    self.fact = fact
    self.age = age
    self.settingValue = settingValue
    self.factValue = factValue
  }
}
