extension PolicyRule {
  typealias Row = (severity: Severity, meaning: String, source: String)

  private static let settings = "D iOS app protection policy settings"
  private static let graph = "G iosManagedAppProtection"

  var row: Row { transferRow ?? launchRow ?? documentRow }

  private var transferRow: Row? {
    switch self {
    case .saveBlockWithoutEffect:
      (.warning, "Saving copies can be blocked only where data may not go to all apps.", Self.settings)
    case .saveAllowedWithoutEffect:
      (.note, "Where data may go to no app, saving copies is blocked everywhere, whatever is said.", Self.settings)
    case .saveLocationsWithoutBlock:
      (.note, "Locations for copies count only where saving copies is blocked.", Self.settings)
    case .openBlockWithoutEffect:
      (
        .warning, "Opening data into documents can be blocked only where data may come from policy managed apps.",
        Self.settings
      )
    case .filterWithOSSharing:
      (.error, "A share sheet is filtered only while the data that leaves it is protected.", Self.graph)
    case .filterWithoutManagedApps:
      (.error, "A share sheet is filtered only where data goes to policy managed apps.", Self.graph)
    case .osSharingWithoutManagedApps:
      (.error, "OS sharing goes only with data that goes to policy managed apps.", Self.graph)
    case .incomingProtectionWithoutAllApps:
      (.error, "Incoming data is made organization data only where it comes from all apps.", Self.graph)
    case .openClipboard:
      (.warning, "Where data may not go to all apps, the clipboard does not lead to them either.", "DERIVED")
    case .clipboardExceptionTooLong:
      (.error, "The exception from the clipboard's level has 0 to 65,535 characters.", Self.graph)
    case .browserNotNamed:
      (
        .warning, "A browser that is required is also named.",
        "G managedAppProtection, managedBrowserToOpenLinksRequired"
      )
    case .exemptedWebLinks:
      (
        .warning, "Web links are not exempt where data may not go to all apps, or a browser is required.",
        "\(Self.settings), Data transfer exemptions"
      )
    case .linkWithoutScheme:
      (.warning, "A pattern of universal links begins with http:// or https://.", "\(Self.settings), Universal Links")
    case .browserNotRequired:
      (.error, "A browser that is named is also required.", "G managedAppProtection, managedBrowser")
    case .twoBrowsers: (.warning, "Web links open in one browser.", Self.settings)
    case .invalidScheme: (.error, "A URL scheme is what stands before the colon, and nothing else.", Self.settings)
    case .missingScheme: (.error, "An app that is prescribed is named by its URL scheme.", Self.settings)
    case .schemeWithoutEffect: (.note, "A URL scheme counts only where an app is prescribed.", Self.settings)
    case .exemptedCommunication:
      (
        .warning, "Schemes of calls and messages are not exempt where a setting of their own restricts them.",
        "\(Self.settings), Data transfer exemptions"
      )
    case .linkInBothLists:
      (.note, "A universal link is exempt or managed; exempt counts first.", "\(Self.settings), Universal Links")
    default: nil
    }
  }

  private var launchRow: Row? {
    switch self {
    case .minimumAboveMaximum: (.error, "No minimum version is above a maximum version.", "DERIVED")
    case .maximumStopsUpdates:
      (.warning, "A maximum version leaves room for the updates of that version.", "DERIVED")
    case .warningNeverShows:
      (.warning, "A warning shows before access is blocked, not after.", "D app protection FAQ; DERIVED")
    case .blockNeverShows:
      (.warning, "Access is blocked before data is removed, not after.", "D app protection FAQ; DERIVED")
    case .invalidVersion: (.error, "A version is numbers parted by points.", Self.settings)
    case .simplePIN: (.note, "A PIN that is required is none that can be guessed.", Self.settings)
    case .pinLength: (.warning, "The shortest PIN has 4 to 16 characters.", Self.settings)
    case .biometricTimeoutTooShort:
      (
        .warning,
        "The timeout after which a PIN takes the place of biometrics is longer than the time to the next recheck.",
        Self.settings
      )
    case .biometricTimeoutWithoutBiometrics:
      (.note, "A timeout of biometrics counts only where biometrics are allowed.", "DERIVED")
    case .actionNotOffered: (.error, "An action is one that the portal offers for its condition.", Self.settings)
    case .actionWithoutCondition: (.warning, "A condition and its action are set together.", "DERIVED")
    case .wipeBeforeBlock:
      (.warning, "Offline, access is blocked long before data is removed.", "\(Self.settings), Offline grace period")
    case .shortOfflineGrace:
      (.warning, "The offline grace period is 30 minutes or more.", "\(Self.settings), Offline grace period")
    case .modelSeparator:
      (.error, "Semicolons separate the identifiers of device models.", "\(Self.settings), Conditional launch")
    case .partnerWithoutLevel:
      (.warning, "A primary threat defense service counts only beside a threat level.", Self.settings)
    default: nil
    }
  }

  private var documentRow: Row {
    switch self {
    case .placeholder: (.error, "No text is left in from a template.", "DERIVED")
    case .notAssigned: (.note, "A policy has no effect until it is assigned to a group.", "G managedAppProtection")
    case .noApps: (.note, "A policy applies to nothing until it has apps.", "G managedAppProtection")
    case .repeatedApp: (.warning, "An app stands once in a list.", "DERIVED")
    case .foreignApp:
      (.error, "Apps have bundle identifiers of iOS.", "G iosMobileAppIdentifier; A CFBundleIdentifier")
    case .appCountDiffers:
      (.note, "The number of deployed apps is that of the apps.", "G targetedManagedAppProtection, deployedAppCount")
    case .onlyExclusions:
      (.warning, "A group is excluded from others that are included.", "G exclusionGroupAssignmentTarget")
    case .includedAndExcluded:
      (.warning, "A group is included or excluded; excluding counts first.", "D include and exclude assignments")
    case .unknownValue:
      (.warning, "Values are those that are known; decisions take another one for the strictest.", "G enumerations")
    case .unknownMember: (.warning, "Members are those that Graph documents, or annotations.", Self.graph)
    case .otherPlatform:
      (.note, "Settings of Android and Windows have no effect on iOS.", "G managed app policies of every platform")
    case .unknownDeviceSetting:
      (.note, "A device's settings are those that are documented.", "D review app protection logs")
    case .unreadableDeviceValue:
      (.error, "A device's setting has one of the values that are documented.", "D review app protection logs")
    case .ambiguousLocation:
      (
        .warning,
        "The bits 64 and 128 of a device's save locations mean different things in the documentation and in the SDK.",
        "D review app protection logs; H IntuneMAMPolicy"
      )
    case .twoModelLists:
      (.note, "Of two lists of device models, a policy document holds the one that removes data.", "DERIVED")
    default: (.note, "", "")
    }
  }
}
