import AppProtection

/// The settings a document does not report: what was set is then unknown, and not the absence of a setting.
public struct UnknownSettings: Sendable {
  /// Whether it was read from a device, which does not report every setting.
  public let isFromDevice: Bool
  /// Whether the program that exported it leaves many settings out.
  public let isPartial: Bool
  /// The members whose values are lost or unreadable.
  public let lost: Set<String>

  /// The settings that devices report, some as part of another.
  package static let reported = Set(DeviceSetting.all.flatMap(\.properties))

  init(isFromDevice: Bool, isPartial: Bool, lost: Set<String>) {
    (self.isFromDevice, self.isPartial, self.lost) = (isFromDevice, isPartial, lost)
  }

  /// Whether the value of a setting is lost or unreadable.
  public func isLost(_ property: PolicyProperty) -> Bool { lost.contains(property.name) }

  /// Whether the source of a policy may have left a setting out that the policy does not have.
  public func leavesOut(_ property: PolicyProperty, _ policy: PolicyDocument) -> Bool {
    policy[property] == .absent && (isPartial || isFromDevice && !Self.reported.contains(property))
  }

  /// Whether the value of a setting in a policy is unknown.
  public func contains(_ property: PolicyProperty, in policy: PolicyDocument) -> Bool {
    isLost(property) || leavesOut(property, policy)
  }
}
