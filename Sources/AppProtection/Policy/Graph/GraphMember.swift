import EventSourcing

/// A member that Microsoft Graph documents for a type of managed app policy, for iOS or another platform.
///
/// ```swift
/// GraphMember.named("encryptAppData")?.foreignPlatform  // "an Android setting"
/// ```
///
/// The members of a policy for iOS are typed as `PolicyProperty`; all others are kept unchanged. See ``all``.
public struct GraphMember: Sendable {
  /// The policy types that have a member.
  public struct Types: OptionSet, Sendable {
    /// One bit for each type.
    public let rawValue: UInt8

    /// Combine the static members instead of passing raw bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `iosManagedAppProtection`.
    public static let ios = Types(rawValue: 1)
    /// `androidManagedAppProtection`.
    public static let android = Types(rawValue: 2)
    /// `defaultManagedAppProtection`, for users on either platform who are in no group with a policy.
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
  /// The kind of its value; `nil` for one that is typed as a `PolicyProperty`, and for one that may hold anything.
  public let kind: Kind?

  init(_ name: String, _ types: Types, _ kind: Kind? = nil) {
    self.name = name
    self.types = types
    self.kind = kind
  }

  /// The member with this name, compared by code points; `nil` if there is none.
  public static func named(_ name: String) -> GraphMember? {
    guard let member = byLowerCaseName[name.lowercased()], member.name.utf8.elementsEqual(name.utf8) else {
      return nil
    }
    return member
  }

  /// Whether a member has this name, ignoring case.
  package static func isName(ignoringCase name: String) -> Bool { byLowerCaseName[name.lowercased()] != nil }

  private static let byLowerCaseName = Dictionary(uniqueKeysWithValues: all.map { ($0.name.lowercased(), $0) })

  /// The platform that the setting belongs to, as a phrase; `nil` if it has a meaning on iOS.
  public var foreignPlatform: String? { foreignPlatform(for: .ios) }

  /// The platform that the setting belongs to, as a phrase; `nil` if policies of this type have it.
  package func foreignPlatform(for type: Types) -> String? {
    guard types.isDisjoint(with: type) else { return nil }
    if types.contains(.ios) { return "an iOS setting" }
    if types.contains(.android) { return "an Android setting" }
    return types.contains(.standard) ? nil : "a Windows setting"
  }

  /// Whether a value, as JSON text in one line, is what Graph documents for the member, whatever the platform, and reveals
  /// nothing about a person and no secret.
  func documents(_ json: String) -> Bool {
    (kind ?? PolicyProperty.named(name).flatMap { Kind($0) })?.holds(json) ?? false
  }

  /// Whether the member rules out a policy for Android or Windows. Default policies may have it too, but they always
  /// have members of Android as well.
  package var isOfIOS: Bool {
    types.contains(.ios) && types.isDisjoint(with: [.android, .windows, .windowsInformation])
  }
}

/// A member of a policy's JSON that is kept unchanged, so that nothing is lost when the document is written again.
///
/// These are unknown members; annotations such as `@odata.type`; and known members whose JSON holds more than the typed
/// setting can: an enumeration's unknown name, an unknown member of an app.
public struct KeptMember: FieldList, Hashable {
  /// The member's name.
  public var name: String
  /// The value as JSON text in one line: numbers with their digits, members in their order.
  public var json: String

  /// A member as the document has it, with its JSON.
  public init(_ name: String, json: String) {
    self.name = name
    self.json = json
  }

  /// Whether the value may reveal something about a person: any text may, unless Graph documents the member as a flag,
  /// a number, a choice, a version or a name of apps or devices' models, and its value is one.
  public var isPersonal: Bool {
    // OData's statements about the types of a response reveal nothing about a person.
    let isAnnotation = name.hasPrefix("@odata.") || name.hasSuffix("@odata.type")
    guard !isAnnotation, Privacy.canBePersonal(json) else { return false }
    return !(GraphMember.named(name)?.documents(json) ?? false)
  }

  /// Whether no output shows the value: its name, or one in it, is that of a secret. What Graph documents, such as the length of
  /// a PIN, is none.
  public var isSecret: Bool {
    Privacy.isSecret(json, named: name) && !(GraphMember.named(name)?.documents(json) ?? false)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self("", json: "") }

  public static func visit<V: FieldVisitor>(_ member: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &member.name, "The member's name")
    try field(2, "json", &member.json, as: .json, privacy: .account, "The member's value as it came")
  }
}
