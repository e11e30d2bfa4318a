/// What a launch condition compared: one setting of the policy with one fact, as both were at that moment.
///
/// The settings and facts that a rule reads may be more (``LaunchRule/settings(for:)``, ``LaunchRule/facts(of:)``);
/// these are the two that a reader would compare.
public struct LaunchComparison: Hashable, Sendable {
  /// The setting; `nil` where none demands the condition.
  public var setting: PolicyProperty?
  /// The fact.
  public var fact: LaunchFact
  /// How long ago the fact was, in nanoseconds, where it is a point in time that is known.
  public var age: Int64?
  /// The setting's value as text, or the default where the policy does not set it; empty for one that is on or off: it
  /// is on.
  public var settingValue: String
  /// The fact's value as text; empty where nothing is known, and for a point in time.
  public var factValue: String

  /// Creates a comparison.
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
