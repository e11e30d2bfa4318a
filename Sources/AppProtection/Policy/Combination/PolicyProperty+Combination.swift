extension PolicyProperty {
  /// How the values of several policies become one.
  public var combination: CombinationRule {
    switch section {
    case .basics, .assignments, .apps: .notCombined
    default: Self.combinations[name] ?? .notCombined
    }
  }

  private static let combinations: [String: CombinationRule] = {
    let names: [(CombinationRule, String)] = [
      (
        .onWins,
        """
        saveAsBlocked blockDataIngestionIntoOrganizationDocuments dataBackupBlocked contactSyncBlocked printBlocked \
        thirdPartyKeyboardsBlocked pinRequired simplePinBlocked fingerprintBlocked faceIdBlocked \
        organizationalCredentialsRequired deviceComplianceRequired encryptAppData screenCaptureBlocked
        """
      ),
      (
        .offWins,
        "allowWidgetContentSync disableAppPinIfDevicePinIsSet disableAppEncryptionIfDeviceEncryptionIsEnabled"
      ),
      (
        .strictestChoice,
        """
        allowedOutboundClipboardSharingLevel notificationRestriction genmojiConfigurationState \
        screenCaptureConfigurationState writingToolsConfigurationState appDataEncryptionType pinCharacterSet \
        appActionIfMaximumPinRetriesExceeded appActionIfDeviceComplianceRequired appActionIfUnableToAuthenticateUser \
        appActionIfAccountIsClockedOut appActionIfIosDeviceModelNotAllowed maximumAllowedDeviceThreatLevel \
        mobileThreatDefenseRemediationAction
        """
      ),
      (.smallestNumber, "allowedOutboundClipboardSharingExceptionLength maximumPinRetries"),
      (.largestNumber, "minimumPinLength previousPinBlockCount"),
      (
        .shortestDuration,
        """
        pinRequiredInsteadOfBiometricTimeout periodOnlineBeforeAccessCheck gracePeriodToBlockAppsDuringOffClockHours
        """
      ),
      (
        .shortestLimit, "periodBeforePinReset periodOfflineBeforeAccessCheck periodOfflineBeforeWipeIsEnforced"
      ),
      (
        .higherVersion,
        """
        minimumRequiredOsVersion minimumWarningOsVersion minimumWipeOsVersion minimumRequiredAppVersion \
        minimumWarningAppVersion minimumWipeAppVersion minimumRequiredSdkVersion minimumWarningSdkVersion \
        minimumWipeSdkVersion minimumRequiredPatchVersion minimumWarningPatchVersion
        """
      ),
      (.lowerVersion, "maximumRequiredOsVersion maximumWarningOsVersion maximumWipeOsVersion"),
      (
        .intersection,
        """
        allowedDataStorageLocations allowedDataIngestionLocations exemptedAppProtocols managedUniversalLinks \
        exemptedUniversalLinks allowedIosDeviceModels
        """
      ),
      (.strictestGroup, PolicyGroup.all.flatMap(\.names).joined(separator: " ")),
      (.firstGiven, "mobileThreatDefensePartnerPriority customSettings"),
    ]
    var rules: [String: CombinationRule] = [:]
    for (rule, list) in names { for name in list.split(separator: " ") { rules[String(name)] = rule } }
    return rules
  }()

  /// How strict a member of this enumeration is: more is stricter.
  func strictness(of number: UInt64) -> UInt64 {
    guard number < 127 else { return .max }
    switch name {
    // From "warn" over "block where the device supports it" and "block" to "wipe".
    case _ where name.contains("Action"):
      return switch RemediationAction(number: number) {
      case .warn: 0
      case .blockWhenSettingIsSupported: 1
      case .block: 2
      case .wipe: 3
      case .unrecognized: .max
      }
    // The lower the level that is accepted, the stricter; "not configured" accepts all.
    case "maximumAllowedDeviceThreatLevel": return number == 0 ? 0 : 10 - min(number, 9)
    case "genmojiConfigurationState", "screenCaptureConfigurationState", "writingToolsConfigurationState":
      return number > 1 ? .max : number
    default: return number
    }
  }
}

/// Settings that are one choice together.
struct PolicyGroup: Sendable {
  /// The settings' names.
  let names: [String]
  /// How strict a policy's choice is: more is stricter. `nil` when the policy says nothing about it.
  let strictness: @Sendable (PolicyDocument) -> Int?

  static let all: [PolicyGroup] = [
    PolicyGroup(
      names: [
        "allowedOutboundDataTransferDestinations", "disableProtectionOfManagedOutboundOpenInData",
        "filterOpenInToOnlyManagedApps",
      ],
      strictness: { rank($0.dataTransfer.sendChoice, level: $0.dataTransfer.allowedOutboundDataTransferDestinations) }),
    PolicyGroup(
      names: ["allowedInboundDataTransferSources", "protectInboundDataFromUnknownSources"],
      strictness: { rank($0.dataTransfer.receiveChoice, level: $0.dataTransfer.allowedInboundDataTransferSources) }),
    PolicyGroup(
      names: ["managedBrowserToOpenLinksRequired", "managedBrowser", "customBrowserProtocol"],
      strictness: { policy in
        if let choice = policy.redirection.webContentChoice { return WebContentChoice.allCases.firstIndex(of: choice) }
        // What the portal does not have: as strict as the requirement alone.
        return policy.redirection.managedBrowserToOpenLinksRequired.map { $0 ? 2 : 0 }
      }),
    PolicyGroup(
      names: ["dialerRestrictionLevel", "customDialerAppProtocol"],
      strictness: { policy in
        let app = policy.redirection.customDialerAppProtocol
        return policy.redirection.dialerRestrictionLevel.map {
          rank($0.number, prescribes: $0 == .customApp ? app : nil)
        }
      }),
    PolicyGroup(
      names: ["protectedMessagingRedirectAppType", "messagingRedirectAppUrlScheme"],
      strictness: { policy in
        let app = policy.redirection.messagingRedirectAppUrlScheme
        return policy.redirection.protectedMessagingRedirectAppType.map {
          rank($0.number, prescribes: $0 == .specificApps ? app : nil)
        }
      }),
  ]

  /// The place of a choice among its kind, where one that prescribes an app and names its URL scheme goes before one that
  /// names none, and so prescribes none.
  private static func rank(_ number: UInt64, prescribes scheme: String?) -> Int {
    2 * Int(number) + (scheme?.isEmpty == false ? 1 : 0)
  }

  /// The place of a choice among its kind. Settings that make no choice are as strict as the strictest with their level.
  private static func rank<Choice: PortalTransferChoice>(_ choice: Choice?, level: DataTransferLevel?) -> Int? {
    if let choice { return Array(Choice.allCases).firstIndex(of: choice) }
    guard let level else { return nil }
    return Array(Choice.allCases).lastIndex { $0.level == level } ?? Choice.allCases.count
  }
}

/// What the two choices of the portal about transfers have in common.
protocol PortalTransferChoice: CaseIterable, Equatable {
  var level: DataTransferLevel { get }
}

extension SendChoice: PortalTransferChoice {}
extension ReceiveChoice: PortalTransferChoice {}
