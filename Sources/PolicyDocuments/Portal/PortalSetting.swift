import AppProtection

/// A setting as the administration portal shows it: one or several properties of Graph under one title, in the portal's
/// words.
///
/// ```swift
/// for setting in PortalSetting.all { print(setting.title, setting.words(policy) ?? "Not configured") }
/// ```
public struct PortalSetting: Sendable {
  /// The headings of the portal's pages.
  public enum Group: String, Sendable, CaseIterable {
    /// What the policy is called.
    case basics = "Basics"
    /// The apps and devices.
    case apps = "Apps"
    /// Where data may go.
    case dataTransfer = "Data protection: Data Transfer"
    /// How data at rest is protected.
    case encryption = "Data protection: Encryption"
    /// Which functions may take data out.
    case functionality = "Data protection: Functionality"
    /// What the user must do first.
    case access = "Access requirements"
    /// What must be the case of the app and its account.
    case appConditions = "Conditional launch: App conditions"
    /// What must be the case of the device.
    case deviceConditions = "Conditional launch: Device conditions"
    /// The groups.
    case assignments = "Assignments"
    /// On no page for iOS policies.
    case other = "Not in the portal for iOS"
  }

  /// The heading under which it stands.
  public let group: Group
  /// The portal's title. Where the portal repeats a title with different actions, the action follows after a comma.
  public let title: String
  /// The names in Graph of the properties that it shows.
  public let names: [String]
  /// The value in the portal's words; `nil` when the document does not have it, or has it as nothing.
  public let words: @Sendable (PolicyDocument) -> String?

  init(
    _ group: Group, _ title: String, _ names: String..., words: @escaping @Sendable (PolicyDocument) -> String?
  ) {
    self.group = group
    self.title = title
    self.names = names
    self.words = words
  }

  /// The properties that it shows.
  public var properties: [PolicyProperty] { names.compactMap { PolicyProperty.named($0) } }

  /// Whether its value may name persons or places of an organization.
  public var isPrivate: Bool { properties.contains { $0.privacy != .public } }

  /// The setting that shows a property of this name; every property has one.
  public static func showing(_ name: String) -> PortalSetting? {
    all.first { $0.names.contains(name) }
  }

  /// Every setting, in the order of the portal.
  public static let all: [PortalSetting] =
    basics + apps + dataTransfer + encryption + functionality + access + appConditions + deviceConditions + assignments
    + other
}
