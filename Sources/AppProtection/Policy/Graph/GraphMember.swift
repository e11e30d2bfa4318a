/// A member that Microsoft Graph documents for some type of managed app policy, of iOS or another platform.
///
/// ```swift
/// GraphMember.named("encryptAppData")?.foreignPlatform  // "an Android setting"
/// ```
///
/// The members of a policy for iOS are typed as `PolicyProperty`; all others are kept as they came. See ``all``.
public struct GraphMember: Sendable {
  /// The types of policies that have a member.
  public struct Types: OptionSet, Sendable {
    /// One bit for each type.
    public let rawValue: UInt8

    /// Creates a set of types.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `iosManagedAppProtection`.
    public static let ios = Types(rawValue: 1)
    /// `androidManagedAppProtection`.
    public static let android = Types(rawValue: 2)
    /// `defaultManagedAppProtection`, for users without a policy for groups on either platform.
    public static let standard = Types(rawValue: 4)
    /// `windowsManagedAppProtection`.
    public static let windows = Types(rawValue: 8)
    /// `windowsInformationProtectionPolicy` and `mdmWindowsInformationProtectionPolicy`.
    public static let windowsInformation = Types(rawValue: 16)

    /// Members of `managedAppProtection`.
    static let protection: Types = [.ios, .android, .standard]
    /// Members of `managedAppPolicy`.
    static let all: Types = [.protection, .windows, .windowsInformation]
  }

  /// The member's name.
  public let name: String
  /// The types that have it.
  public let types: Types
  /// What its value is; `nil` for one that is typed as a `PolicyProperty`, and for one that may say anything.
  public let kind: Kind?

  init(_ name: String, _ types: Types, _ kind: Kind? = nil) {
    self.name = name
    self.types = types
    self.kind = kind
  }

  /// The member with this name, compared code point by code point.
  public static func named(_ name: String) -> GraphMember? {
    guard let member = byLowerCaseName[name.lowercased()], member.name.utf8.elementsEqual(name.utf8) else {
      return nil
    }
    return member
  }

  /// Whether a member has this name in some spelling of upper and lower case.
  package static func isName(ignoringCase name: String) -> Bool { byLowerCaseName[name.lowercased()] != nil }

  private static let byLowerCaseName = Dictionary(uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })

  /// What the member is a setting of, as a phrase; `nil` when it has a meaning on iOS.
  public var foreignPlatform: String? {
    guard !types.contains(.ios) else { return nil }
    if types.contains(.android) { return "an Android setting" }
    return types.contains(.standard) ? nil : "a Windows setting"
  }

  /// Whether the member shows that a policy is not for Android or Windows. Default policies may have it too; they
  /// always have members of Android besides.
  package var isOfIOS: Bool {
    types.contains(.ios) && types.isDisjoint(with: [.android, .windows, .windowsInformation])
  }
}
