import AppProtection

/// Settings of several platforms that serve one purpose, as one row of a table.
///
/// Most settings have the same name and the same values on each platform that has them, and correspond without a row. The
/// table names all others; adding a platform lets the compiler name every row that says nothing of it.
public struct SettingCorrespondence: Sendable {
  /// What equal values mean.
  public enum Relation: String, Sendable {
    /// Equal values mean the same.
    case comparable
    /// A value of one platform says nothing on another, such as a version or the name of an app. What can be compared is
    /// whether there is one.
    case purpose
  }

  /// How the values of the platforms relate.
  public let relation: Relation
  private let ios, android, windows: [PolicyProperty]
  /// What the settings say, in the same words on every platform; `nil` where they say nothing.
  let meaning: @Sendable (PolicyDocument) -> String?

  /// The settings of one platform.
  public func properties(on platform: PolicyPlatform) -> [PolicyProperty] {
    switch platform {
    case .ios: ios
    case .android: android
    case .windows: windows
    }
  }

  private init(
    ios: [PolicyProperty], android: [PolicyProperty], windows: [PolicyProperty],
    meaning: @escaping @Sendable (PolicyDocument) -> String?
  ) {
    relation = .comparable
    (self.ios, self.android, self.windows) = (ios, android, windows)
    self.meaning = meaning
  }

  /// Settings whose values cannot be compared.
  private init(purposeOn ios: [PolicyProperty], android: [PolicyProperty], windows: [PolicyProperty]) {
    relation = .purpose
    (self.ios, self.android, self.windows) = (ios, android, windows)
    meaning = { policy in
      let settings = Self.settings(ios + android + windows, on: policy.kind.platform)
      return settings.contains { $0.words(policy) != nil } ? "configured" : nil
    }
  }

  /// The portal's entries for some settings.
  static func settings(_ properties: [PolicyProperty], on platform: PolicyPlatform) -> [PortalSetting] {
    PortalSetting.all(on: platform).filter { !Set($0.properties).isDisjoint(with: properties) }
  }

  /// The row with a setting; `nil` for one that corresponds to itself, or to nothing.
  public static func with(_ property: PolicyProperty, on platform: PolicyPlatform) -> SettingCorrespondence? {
    all.first { $0.properties(on: platform).contains(property) }
  }

  /// The settings of another platform that correspond to one.
  static func counterparts(
    of property: PolicyProperty, on platform: PolicyPlatform, elsewhere other: PolicyPlatform
  ) -> [PolicyProperty] {
    with(property, on: platform)?.properties(on: other)
      ?? (isOf(other, property) && isOf(platform, property) ? [property] : [])
  }

  /// Whether the policies for groups of a platform have a setting. Those for iOS lack what the default policy has for
  /// Android.
  public static func isOf(_ platform: PolicyPlatform, _ property: PolicyProperty) -> Bool {
    platform.has(property) && property.graphTypes.contains(platform.graphType)
  }

  /// The table.
  public static let all: [SettingCorrespondence] =
    [
      Self(purposeOn: [.apps], android: [.apps], windows: [.apps]),
      Self(
        ios: [
          .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
          .filterOpenInToOnlyManagedApps,
        ], android: [.allowedOutboundDataTransferDestinations], windows: [.sendOnWindows]
      ) { policy in
        switch policy.kind.platform {
        case .ios, .android: PortalSetting.showing(.allowedOutboundDataTransferDestinations)?.words(policy)
        case .windows:
          level(policy.choice(.sendOnWindows)) {
            SendChoice(level: $0, disablesProtection: nil, filtersOpenIn: nil)?.rawValue
          }
        }
      },
      Self(
        ios: [.allowedInboundDataTransferSources, .protectInboundDataFromUnknownSources],
        android: [.allowedInboundDataTransferSources], windows: [.receiveOnWindows]
      ) { policy in
        switch policy.kind.platform {
        case .ios, .android: PortalSetting.showing(.allowedInboundDataTransferSources)?.words(policy)
        case .windows:
          level(policy.choice(.receiveOnWindows)) { ReceiveChoice(level: $0, protectsUnknownSources: nil)?.rawValue }
        }
      },
      Self(
        ios: [.allowedOutboundClipboardSharingLevel], android: [.allowedOutboundClipboardSharingLevel],
        windows: [.clipboardOnWindows]
      ) { policy in
        switch policy.kind.platform {
        case .ios, .android: policy.dataTransfer.allowedOutboundClipboardSharingLevel?.rawValue
        case .windows:
          policy.choice(.clipboardOnWindows, as: WindowsClipboardLevel.self).map {
            $0.counterpart?.rawValue ?? $0.rawValue
          }
        }
      },
      Self(purposeOn: [.exemptedAppProtocols], android: [.exemptedAppPackages], windows: []),
      Self(
        purposeOn: [.customDialerAppProtocol], android: [.customDialerAppPackageId, .customDialerAppDisplayName],
        windows: []),
      Self(
        purposeOn: [.messagingRedirectAppUrlScheme],
        android: [.messagingRedirectAppPackageId, .messagingRedirectAppDisplayName], windows: []),
      // Both restrict keyboards: to Apple's own on iOS, to those of a list on Android.
      Self(purposeOn: [.thirdPartyKeyboardsBlocked], android: [.keyboardsRestricted, .approvedKeyboards], windows: []),
      Self(
        purposeOn: [.customBrowserProtocol], android: [.customBrowserPackageId, .customBrowserDisplayName], windows: []),
      Self(ios: [.appDataEncryptionType], android: [.encryptAppData], windows: []) { policy in
        switch policy.kind.platform {
        case .ios: policy.encryption.appDataEncryptionType.map { $0 == .useDeviceSettings ? "Not required" : "Require" }
        case .android: policy.defaultPolicy.encryptAppData.map { $0 ? "Require" : "Not required" }
        case .windows: nil
        }
      },
      Self(ios: [.screenCaptureConfigurationState], android: [.screenCaptureBlocked], windows: []) { policy in
        switch policy.kind.platform {
        case .ios: PortalSetting.showing(.screenCaptureConfigurationState)?.words(policy)
        case .android: policy.defaultPolicy.screenCaptureBlocked.map { $0 ? "Block" : "Allow" }
        case .windows: nil
        }
      },
      Self(
        ios: [.fingerprintBlocked, .faceIdBlocked],
        android: [.fingerprintBlocked, .biometricAuthenticationBlocked, .fingerprintAndBiometricEnabled], windows: []
      ) { policy in
        let access = policy.access
        switch policy.kind.platform {
        case .ios where access.fingerprintBlocked == nil && access.faceIdBlocked == nil: return nil
        case .ios: return access.fingerprintBlocked == true && access.faceIdBlocked == true ? "Block" : "Allow"
        case .android:
          let isBlocked =
            policy.flag(.biometricAuthenticationBlocked) ?? policy.flag(.fingerprintAndBiometricEnabled).map { !$0 }
            ?? access.fingerprintBlocked
          return isBlocked.map { $0 ? "Block" : "Allow" }
        case .windows: return nil
        }
      },
      Self(
        purposeOn: [.allowedIosDeviceModels, .appActionIfIosDeviceModelNotAllowed],
        android: [.allowedAndroidDeviceModels, .appActionIfAndroidDeviceModelNotAllowed], windows: []),
    ] + versions

  /// Every system, every app and every SDK counts its versions in its own way.
  private static let versions: [SettingCorrespondence] = {
    let everywhere: [PolicyProperty] = [
      .minimumWarningOsVersion, .minimumRequiredOsVersion, .minimumWipeOsVersion, .maximumWarningOsVersion,
      .maximumRequiredOsVersion, .maximumWipeOsVersion, .minimumWarningAppVersion, .minimumRequiredAppVersion,
      .minimumWipeAppVersion,
    ]
    let withoutAndroid: [PolicyProperty] = [.minimumRequiredSdkVersion, .minimumWipeSdkVersion]
    return everywhere.map { Self(purposeOn: [$0], android: [$0], windows: [$0]) }
      + withoutAndroid.map { Self(purposeOn: [$0], android: [], windows: [$0]) }
  }()

  /// A level of Windows as the mobile platforms word it.
  private static func level(
    _ level: WindowsTransferLevel?, _ words: (DataTransferLevel) -> String?
  ) -> String? {
    switch level {
    case .allApps: words(.allApps)
    case .noApps: words(.noApps)
    case .unrecognized: PortalWords.unknown
    case nil: nil
    }
  }
}
