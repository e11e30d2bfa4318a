import EventSourcing
import WireFormat

/// What a launch condition compared: one setting of the policy with one fact, as both were at that moment.
///
/// The settings and facts that a rule reads may be more (``LaunchRule/settings(for:)``, ``LaunchRule/facts(of:)``); these are
/// the two that a person would compare.
public struct LaunchComparison: Hashable, Sendable {
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

  static let descriptor = MessageDescriptor(
    "LaunchComparison",
    [
      FieldDescriptor(1, "setting", .string, .single, "the setting by its name in Graph; empty where none demands it"),
      FieldDescriptor(2, "settingValue", .string, .single, "the setting's value, or the standard where it is not set"),
      FieldDescriptor(3, "fact", .string, .single, "the fact that was compared with it, as a path of the state"),
      FieldDescriptor(4, "factValue", .string, .single, "the fact's value; empty where nothing is known"),
      FieldDescriptor(
        5, "age", .duration, .optional, "how long ago the fact was, where it is a point in time that is known"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, string: setting)
    writer.write(2, string: settingValue)
    writer.write(3, string: fact)
    writer.write(4, string: factValue)
    writer.write(5, duration: age)
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init(fact: "")
    while let field = try reader.nextField() {
      switch field.number {
      case 1: setting = try reader.string(field)
      case 2: settingValue = try reader.string(field)
      case 3: fact = try reader.string(field)
      case 4: factValue = try reader.string(field)
      case 5: age = try reader.signed(field)
      default: try reader.skip(field)
      }
    }
  }
}
