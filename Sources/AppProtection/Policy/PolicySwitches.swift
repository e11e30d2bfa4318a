/// The settings of a policy that are on or off, as decisions need them: one bit each.
///
/// A switch is declared beside the setting that feeds it, in the source of the setting's group. Bits are stored nowhere.
public struct PolicySwitches: OptionSet, Equatable, Sendable {
  /// One bit a switch.
  public let rawValue: UInt32

  /// Creates a set of the bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(of storage: PolicyDocument.Storage) {
    self = Self.feeds.reduce(into: []) { $0.formUnion($1(storage)) }
  }

  private static let feeds = PolicyProperty.all.compactMap(\.switches)
}

/// How a setting turns on switches.
struct SwitchFeed<Value>: Sendable {
  /// The switches that a value turns on, beside the other settings of its document.
  let switches: @Sendable (Value, PolicyDocument.Storage) -> PolicySwitches

  /// On where a condition holds.
  static func on(
    _ switches: PolicySwitches, where holds: @escaping @Sendable (Value, PolicyDocument.Storage) -> Bool
  ) -> Self {
    Self { holds($0, $1) ? switches : [] }
  }
}

extension SwitchFeed where Value == Bool {
  /// On where the setting is.
  static func on(_ switches: PolicySwitches) -> Self { .on(switches) { isOn, _ in isOn } }

  /// On where the setting is off.
  static func off(_ switches: PolicySwitches) -> Self { .on(switches) { isOn, _ in !isOn } }
}

extension SwitchFeed where Value == FeatureConfigurationState {
  /// On where the feature may not be used, or may be used in a way that is not known.
  static func blocked(_ switches: PolicySwitches, set: PolicySwitches = []) -> Self {
    Self { state, _ in state == .notBlocked ? set : set.union(switches) }
  }
}
