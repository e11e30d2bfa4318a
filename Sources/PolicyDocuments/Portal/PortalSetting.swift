import AppProtection

/// A setting as shown in the administration portal of one platform: one or several properties of Graph under one title, in
/// the portal's words.
///
/// ```swift
/// for setting in PortalSetting.all(on: .android) { print(setting.title, setting.words(policy) ?? "Not configured") }
/// ```
public struct PortalSetting: Sendable {
  /// The properties it shows, that one first whose row says how.
  public let properties: [PolicyProperty]
  private let entry: PortalEntry

  /// The entry of a row; `nil` where another row's entry shows it.
  private init?(_ property: PolicyProperty, on platform: PolicyPlatform) {
    guard let entry = platform.entry(of: property) else { return nil }
    self.entry = entry
    properties = [property] + entry.others.filter(platform.has)
  }

  /// The heading above it.
  public var group: PortalGroup { entry.group }

  /// The portal's title. If the portal repeats a title with different actions, the action follows after a comma.
  public var title: String { entry.title }

  /// The value in the portal's words; `nil` if the document lacks it or sets it to nothing.
  public func words(_ policy: PolicyDocument) -> String? { entry.words(policy) }

  /// The portal's default in a new policy; `nil` if there is none (D iOS app protection policy settings).
  public var portalDefault: String? { entry.standard }

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

  /// The setting that shows a property; every property has one.
  public static func showing(_ property: PolicyProperty, on platform: PolicyPlatform = .ios) -> PortalSetting? {
    all(on: platform).first { $0.properties.contains(property) }
  }

  /// Every setting of iOS, in the order of the portal.
  public static let all = settings(of: .ios)
  private static let android = settings(of: .android)
  private static let windows = settings(of: .windows)

  /// Every setting of a platform, in the order of its portal.
  public static func all(on platform: PolicyPlatform) -> [PortalSetting] {
    switch platform {
    case .ios: all
    case .android: android
    case .windows: windows
    }
  }

  private static func settings(of platform: PolicyPlatform) -> [PortalSetting] {
    PortalGroup.allCases.flatMap { group in
      platform.properties.compactMap { PortalSetting($0, on: platform) }.filter { $0.group == group }
        .sorted { $0.entry.place < $1.entry.place }
    }
  }
}
