import AppProtection
import JSON

/// What a JSON object says that it is.
struct GraphTypeName: Equatable {
  /// The type without `#` and namespace, such as `iosManagedAppProtection`.
  let name: String

  /// Reads an `@odata.type`; the leading `#` is there in some exports and not in others.
  init(annotation: String) {
    let text = annotation.hasPrefix("#") ? annotation.dropFirst() : annotation[...]
    name = String(text.hasPrefix("microsoft.graph.") ? text.dropFirst("microsoft.graph.".count) : text)
  }

  /// The kind of policy of this type; `nil` for everything else.
  var policyKind: PolicyKind? {
    [.targetedPolicy, .defaultPolicy].first { $0.rawValue.utf8.elementsEqual(name.utf8) }
  }

  /// The kind of policy that the `@odata.context` of a response names: its last part is the collection, as in
  /// `…/$metadata#deviceAppManagement/iosManagedAppProtections/$entity`.
  static func policyKind(context: String) -> PolicyKind? {
    guard let hash = context.lastIndex(of: "#") else { return nil }
    let parts = context[context.index(after: hash)...].split(separator: "/")
    // A selection of members may follow in parentheses: `iosManagedAppProtections(id,apps)`. What is reached through an
    // entity, as in `iosManagedAppProtections('T_1')/apps`, is something else than a policy.
    let collection = parts.last == "$entity" ? parts.dropLast().last : parts.last
    switch collection?.prefix(while: { $0 != "(" }) {
    case "iosManagedAppProtections": return .targetedPolicy
    case "defaultManagedAppProtections": return .defaultPolicy
    default: return nil
    }
  }

  /// Members that occur in `iosManagedAppProtection` and neither in `androidManagedAppProtection` nor in the v1.0 form of
  /// `defaultManagedAppProtection`.
  private static let iosMembers: Set<String> = [
    "allowedIosDeviceModels", "appActionIfIosDeviceModelNotAllowed", "thirdPartyKeyboardsBlocked",
    "filterOpenInToOnlyManagedApps", "disableProtectionOfManagedOutboundOpenInData",
    "protectInboundDataFromUnknownSources", "customBrowserProtocol", "exemptedAppProtocols", "managedUniversalLinks",
    "exemptedUniversalLinks", "customDialerAppProtocol", "messagingRedirectAppUrlScheme", "allowWidgetContentSync",
    "genmojiConfigurationState", "writingToolsConfigurationState",
  ]

  /// Members that occur in `androidManagedAppProtection` or `defaultManagedAppProtection` and not in the iOS policy.
  private static let otherMembers: Set<String> = [
    "encryptAppData", "disableAppEncryptionIfDeviceEncryptionIsEnabled", "screenCaptureBlocked", "customSettings",
    "minimumRequiredPatchVersion", "minimumWarningPatchVersion", "minimumWipePatchVersion", "exemptedAppPackages",
    "customBrowserPackageId", "customBrowserDisplayName", "keyboardsRestricted", "approvedKeyboards",
    "requiredAndroidSafetyNetDeviceAttestationType", "biometricAuthenticationBlocked", "deviceLockRequired",
    "allowedAndroidDeviceManufacturers", "allowedAndroidDeviceModels", "minimumRequiredCompanyPortalVersion",
  ]

  /// The kind of policy that an object's members tell without doubt; `nil` when they do not.
  static func policyKind(members: JSONObject) -> PolicyKind? {
    let names = members.members.map(\.name)
    let isIOS = names.contains { iosMembers.contains($0) } && !names.contains { otherMembers.contains($0) }
    return isIOS ? .targetedPolicy : nil
  }

  /// The name for messages: as it is when it is a plain name, quoted and shortened otherwise.
  var shown: String { JSONExcerpt.plain(name) }
}
