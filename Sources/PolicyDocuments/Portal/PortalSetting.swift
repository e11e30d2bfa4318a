import AppProtection

/// A setting as shown in the administration portal: one or several properties of Graph under one title, in the portal's
/// words.
///
/// ```swift
/// for setting in PortalSetting.all { print(setting.title, setting.words(policy) ?? "Not configured") }
/// ```
public struct PortalSetting: Sendable {
  /// The headings of the portal's pages.
  public enum Group: String, Sendable, CaseIterable {
    /// The policy's name.
    case basics = "Basics"
    /// The apps and devices.
    case apps = "Apps"
    /// Where data may go.
    case dataTransfer = "Data protection: Data Transfer"
    /// How data at rest is protected.
    case encryption = "Data protection: Encryption"
    /// Functions that may move data out of the app.
    case functionality = "Data protection: Functionality"
    /// Access requirements for the user.
    case access = "Access requirements"
    /// Conditions on the app and its account.
    case appConditions = "Conditional launch: App conditions"
    /// Conditions on the device.
    case deviceConditions = "Conditional launch: Device conditions"
    /// The groups.
    case assignments = "Assignments"
    /// Settings that no page for iOS policies shows.
    case other = "Not in the portal for iOS"
  }

  /// The heading above it.
  public let group: Group
  /// The portal's title. If the portal repeats a title with different actions, the action follows after a comma.
  public let title: String
  /// The names in Graph of the properties it shows.
  public let names: [String]
  /// The value in the portal's words; `nil` if the document lacks it or sets it to nothing.
  public let words: @Sendable (PolicyDocument) -> String?

  init(
    _ group: Group, _ title: String, _ names: String..., words: @escaping @Sendable (PolicyDocument) -> String?
  ) {
    self.group = group
    self.title = title
    self.names = names
    self.words = words
  }

  /// The properties it shows.
  public var properties: [PolicyProperty] { names.compactMap { PolicyProperty.named($0) } }

  /// Whether its value may identify persons or places of an organization.
  public var isPrivate: Bool { properties.contains { $0.privacy != .public } }

  /// Whether its value in a policy identifies any. An empty list does not, nor does the group of all users.
  public func isPrivate(in policy: PolicyDocument) -> Bool {
    properties.contains { property in
      guard property.privacy != .public, case .value(let value) = policy[property] else { return false }
      return switch value {
      case .assignments(let assignments): assignments.contains(where: \.namesGroup)
      case .pairs(let pairs): !pairs.isEmpty
      case .texts(let texts): !texts.isEmpty
      case .text, .flag, .number, .duration, .date, .choice, .choices, .flags, .apps: true
      }
    }
  }

  /// The portal's default in a new policy; `nil` if there is none (D iOS app protection policy settings).
  public var portalDefault: String? { Self.defaults[title] }

  private static let defaults: [String: String] = [
    "Backup Org data to iTunes and iCloud backups": "Allow", "Send Org data to other apps": "All apps",
    "Save copies of Org data": "Allow", "Allow user to save copies to selected services": "0 selected",
    "Transfer telecommunication data to": "Any dialer app", "Transfer messaging data to": "Any messaging app",
    "Receive data from other apps": "All apps", "Open data into Org documents": "Allow",
    "Allow users to open data from selected services": "all selected",
    "Restrict cut, copy, and paste between other apps": "Any app", "Cut and copy character limit for any app": "0",
    "Third party keyboards": "Allow", "Encrypt Org data": "Require (when device is locked)",
    "Sync policy managed app data with native apps or add-ins": "Allow", "Printing Org data": "Allow",
    "Restrict web content transfer with other apps": "Any app", "Org data notifications": "Allow",
    "PIN for access": "Require", "PIN type": "Numeric", "Simple PIN": "Allow", "Select minimum PIN length": "4",
    "Touch ID instead of PIN for access": "Allow", "Face ID instead of PIN for access": "Allow",
    "Override biometrics with PIN after timeout": "Require, after 30 minutes of inactivity",
    "PIN reset after number of days": "No", "Select number of previous PIN values to maintain": "0",
    "App PIN when device PIN is set": "Require", "Work or school account credentials for access": "Not required",
    "Recheck the access requirements after (minutes of inactivity)": "30 minutes", "Max PIN attempts": "5, Reset PIN",
    "Offline grace period, Block access (minutes)": "1440 minutes", "Offline grace period, Wipe data (days)": "90 days",
    "Jailbroken/rooted devices": "Block access",
  ]

  /// The setting that shows the property with this name; every property has one.
  public static func showing(_ name: String) -> PortalSetting? {
    all.first { $0.names.contains(name) }
  }

  /// Every setting, in the order of the portal.
  public static let all: [PortalSetting] =
    basics + apps + dataTransfer + encryption + functionality + access + appConditions + deviceConditions + assignments
    + other
}
