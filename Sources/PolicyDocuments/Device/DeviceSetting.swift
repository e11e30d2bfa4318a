import AppProtection

/// One setting in a device's encoding: its name, its values, and its counterpart in Graph.
///
/// Names and numbers are those in diagnostic dumps and in Edge under `about:intunehelp` (D review app protection logs).
/// See ``all``.
public struct DeviceSetting: Sendable {
  private let encoding: DeviceEncoding
  /// The corresponding properties in Graph; empty for a setting that only devices have.
  public let properties: [PolicyProperty]
  /// The meaning, in one phrase, if no property describes it.
  public let meaning: String

  /// A name for a property.
  private init(_ property: PolicyProperty, _ encoding: DeviceEncoding) {
    self.encoding = encoding
    properties = [property] + encoding.others
    meaning = ""
  }

  /// A setting that only devices have.
  init(_ name: String, _ meaning: String) {
    encoding = DeviceEncoding(name, .deviceOnly)
    properties = []
    self.meaning = meaning
  }

  /// The setting's name.
  public var name: String { encoding.name }

  /// Other names used in dumps. Case is ignored.
  public var otherNames: [String] { encoding.otherNames }

  /// How a device encodes it.
  public var form: DeviceEncoding.Form { encoding.form }

  /// Every setting that is documented or was found in dumps: those of the property table in its order, then those that
  /// only devices have.
  public static let all: [DeviceSetting] =
    PolicyProperty.all.flatMap { property in property.device.map { DeviceSetting(property, $0) } } + deviceOnly

  /// The setting with this name, ignoring case; `nil` if there is none.
  public static func named(_ name: String) -> DeviceSetting? {
    indexByName[name.lowercased()].map { all[$0] }
  }

  private static let indexByName: [String: Int] = {
    var index: [String: Int] = [:]
    for (place, setting) in all.enumerated() {
      for name in [setting.name] + setting.otherNames { index[name.lowercased()] = place }
    }
    return index
  }()

  /// The values in words, for the documentation, such as `0 none, 1 managedApps, 2 allApps`.
  public var values: String {
    switch form {
    case .flag(let negated): negated ? "true or false, the opposite of Graph" : "true or false"
    case .choice(let numbers): numbers.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    case .mask(let numbers): "sum of " + numbers.map { "\($0.number) \($0.name)" }.joined(separator: ", ")
    case .number: "whole number"
    case .minutes, .biometricTimeout: "minutes"
    case .days: "days"
    case .version: "version; `0.0` is none"
    case .text: "text"
    case .schemes: "list separated by semicolons"
    case .links: "list separated by vertical bars"
    case .models(let action): "list separated by semicolons; other models: \(action.rawValue)"
    case .biometricTimeoutRequired: "true or false; false turns the timeout off"
    case .clockOutGrace: "minutes; -1 is off"
    case .deviceOnly: "as it came"
    }
  }
}

extension DeviceSetting {
  /// The settings without a counterpart in Graph. All others stand in the rows of the property table.
  static let deviceOnly: [DeviceSetting] = [
    DeviceSetting("DictationBlocked", "Whether dictation is blocked"),
    DeviceSetting("RequireFileEncryption", "Whether the app must encrypt files itself; the service does not use it"),
    DeviceSetting("ClipboardEncryptionEnabled", "Whether the clipboard is encrypted"),
    DeviceSetting("IntuneIdentityUPN", "The user principal name of the managed account"),
    DeviceSetting("IntuneIdentityOID", "The object id of the managed account"),
    DeviceSetting("IntuneMAMPolicyVersion", "The version of the encoding"),
    DeviceSetting("ContainerName", "The name of the container"),
    DeviceSetting("UsePPE", "Whether the service's test environment is used"),
    DeviceSetting("ManagedBrowserURLListMode", "How the lists of the retired managed browser count"),
    DeviceSetting("MTDAppStoreUrl", "Where the threat defense app is found"),
    DeviceSetting("MTDAppFriendlyName", "What the threat defense app is called"),
    DeviceSetting("MTDAppLaunchUrl", "How the threat defense app is opened"),
    DeviceSetting("IsMTDAppEnabledForWPJ", "Whether the threat defense app joins the workplace"),
    DeviceSetting("WPJReplicationDelay", "How long joining the workplace takes to be known"),
    DeviceSetting("DisableAria", "Whether telemetry is off"),
    DeviceSetting("DisableShareSense", "Not used by the service"),
    DeviceSetting("ADALTenantId", "The tenant for signing in"),
    DeviceSetting("QuickLookBlockedOverride", "Whether Quick Look is left alone"),
    DeviceSetting("MinSecurityPatchVersionWarn", "Of another platform"),
    DeviceSetting("MaxSecurityPatchVersionWarn", "Of another platform"),
  ]
}
