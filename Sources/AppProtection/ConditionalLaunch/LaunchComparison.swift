import EventSourcing

/// What a launch condition compared: one setting of the policy with one fact, as both were at that moment.
///
/// The settings and facts that a rule reads may be more (``LaunchRule/settings(for:)``, ``LaunchRule/facts(of:)``); these are
/// the two that a person would compare.
public struct LaunchComparison: FieldList, Hashable {
  /// The setting by its name in Graph; empty where no setting demands the condition.
  public var setting: String
  /// The setting's value as text; the standard where the policy does not set it.
  public var settingValue: String
  /// The fact as a path of the state.
  public var fact: String
  /// The fact's value as text; empty where nothing is known, and for a point in time.
  public var factValue: String
  /// How long ago the fact was, in nanoseconds, where it is a point in time that is known.
  public var age: Int64?

  /// Creates a comparison.
  public init(setting: String = "", settingValue: String = "", fact: String, factValue: String = "", age: Int64? = nil)
  {
    self.setting = setting
    self.settingValue = settingValue
    self.fact = fact
    self.factValue = factValue
    self.age = age
  }

  /// What reading begins with.
  public static var blank: Self { Self(fact: "") }

  /// The fields.
  public static func visit<V: FieldVisitor>(_ comparison: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "setting", &comparison.setting, "the setting by its name in Graph; empty where none demands it")
    try field(2, "settingValue", &comparison.settingValue, "the setting's value, or the standard where it is not set")
    try field(3, "fact", &comparison.fact, "the fact that was compared with it, as a path of the state")
    try field(4, "factValue", &comparison.factValue, "the fact's value; empty where nothing is known")
    try field(
      5, "age", &comparison.age, as: .duration, "how long ago the fact was, where it is a point in time that is known")
  }
}
