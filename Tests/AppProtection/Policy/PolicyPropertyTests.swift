import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("The property table")
struct PolicyPropertyTests {
  /// The names of Graph's properties, written down from its documentation and not from the table.
  static let managedAppPolicy = """
    id displayName description createdDateTime lastModifiedDateTime version roleScopeTagIds
    """
  static let managedAppProtection = """
    periodOfflineBeforeAccessCheck periodOnlineBeforeAccessCheck periodOfflineBeforeWipeIsEnforced periodBeforePinReset
    allowedInboundDataTransferSources allowedOutboundDataTransferDestinations allowedOutboundClipboardSharingLevel
    organizationalCredentialsRequired dataBackupBlocked deviceComplianceRequired managedBrowserToOpenLinksRequired
    managedBrowser saveAsBlocked allowedDataStorageLocations pinRequired maximumPinRetries simplePinBlocked
    minimumPinLength pinCharacterSet fingerprintBlocked disableAppPinIfDevicePinIsSet contactSyncBlocked printBlocked
    minimumRequiredOsVersion minimumWarningOsVersion minimumRequiredAppVersion minimumWarningAppVersion
    minimumWipeOsVersion minimumWipeAppVersion maximumRequiredOsVersion maximumWarningOsVersion maximumWipeOsVersion
    appActionIfDeviceComplianceRequired appActionIfMaximumPinRetriesExceeded appActionIfUnableToAuthenticateUser
    pinRequiredInsteadOfBiometricTimeout allowedOutboundClipboardSharingExceptionLength notificationRestriction
    previousPinBlockCount maximumAllowedDeviceThreatLevel mobileThreatDefenseRemediationAction
    mobileThreatDefensePartnerPriority blockDataIngestionIntoOrganizationDocuments allowedDataIngestionLocations
    dialerRestrictionLevel gracePeriodToBlockAppsDuringOffClockHours protectedMessagingRedirectAppType
    """
  static let targetedManagedAppProtection = "isAssigned assignments targetedAppManagementLevels appGroupType"
  static let iosManagedAppProtection = """
    appDataEncryptionType customBrowserProtocol deployedAppCount faceIdBlocked minimumRequiredSdkVersion apps
    minimumWarningSdkVersion minimumWipeSdkVersion allowedIosDeviceModels appActionIfIosDeviceModelNotAllowed
    appActionIfAccountIsClockedOut exemptedAppProtocols managedUniversalLinks exemptedUniversalLinks
    customDialerAppProtocol messagingRedirectAppUrlScheme thirdPartyKeyboardsBlocked filterOpenInToOnlyManagedApps
    disableProtectionOfManagedOutboundOpenInData protectInboundDataFromUnknownSources allowWidgetContentSync
    genmojiConfigurationState screenCaptureConfigurationState writingToolsConfigurationState
    """
  static let defaultManagedAppProtection = """
    customSettings disableAppEncryptionIfDeviceEncryptionIsEnabled encryptAppData minimumRequiredPatchVersion
    minimumWarningPatchVersion screenCaptureBlocked
    """

  @Test("Every property that Graph documents is in the table, and nothing else")
  func completeness() {
    let documented = [
      Self.managedAppPolicy, Self.managedAppProtection, Self.targetedManagedAppProtection,
      Self.iosManagedAppProtection, Self.defaultManagedAppProtection,
    ].flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    expectEqual(documented.count, 88)
    expectEqual(Set(documented).count, documented.count)
    let known = Set(PolicyProperty.all.map(\.name))
    expectEqual(documented.filter { !known.contains($0) }, [])
    expectEqual(known.subtracting(documented).sorted(), [])
  }

  @Test("Numbers and names are unique, numbers rise, and every row says what it means")
  func rows() {
    let numbers = PolicyProperty.all.map(\.number)
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    expectEqual(Set(PolicyProperty.all.map(\.name)).count, numbers.count)
    for property in PolicyProperty.all {
      #expect(property.meaning.count > 10, "\(property.name)")
      expectEqual(PolicyProperty.named(property.name)?.number, property.number)
      expectEqual(PolicyProperty.numbered(property.number)?.name, property.name)
    }
    #expect(PolicyProperty.named("pinrequired") == nil)
    #expect(PolicyProperty.numbered(1) == nil)
  }

  /// A journal written today is read for years: these numbers must not change.
  @Test("Numbers on the wire stay what they are")
  func numbersAreForEver() {
    let digest = PolicyProperty.all.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, property in
      for byte in "\(property.number) \(property.name)\n".utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    }
    expectEqual(
      digest, 7_350_979_404_330_260_749,
      "numbers or names of existing rows changed; where a row was only added, update this digest")
  }

  @Test("Every row reads back what it writes, and no other row's value")
  func binding() {
    for property in PolicyProperty.all {
      var policy = PolicyDocument()
      let value = PolicySamples.value(for: property)
      policy[property] = .value(value)
      expectEqual(policy[property], .value(value), "\(property.name)")
      for other in PolicyProperty.all where other.number != property.number {
        expectEqual(policy[other], .absent, "\(property.name) also sets \(other.name)")
      }
      policy[property] = .null
      expectEqual(policy[property], .null, "\(property.name)")
      policy[property] = .value(property.name == "id" ? .flag(true) : .text(""))
      if case .text = property.kind, property.name != "id" { continue }
      expectEqual(policy[property], .absent, "a value of another kind is none: \(property.name)")
    }
  }

  @Test("The typed settings are the ones that the table names")
  func typedAccess() {
    var policy = PolicyDocument()
    policy.dataTransfer.saveAsBlocked = true
    policy.conditionalLaunch.maximumPinRetries = 5
    policy.dataTransfer.allowedDataStorageLocations = [.sharePoint, .box]
    policy.redirection.managedBrowser = [.microsoftEdge]
    expectEqual(PolicyProperty.named("saveAsBlocked").map { policy[$0] }, .value(.flag(true)))
    expectEqual(PolicyProperty.named("maximumPinRetries").map { policy[$0] }, .value(.number(5)))
    expectEqual(PolicyProperty.named("allowedDataStorageLocations").map { policy[$0] }, .value(.choices([2, 3])))
    expectEqual(PolicyProperty.named("managedBrowser").map { policy[$0] }, .value(.flags(1)))
    expectEqual(
      policy.changedProperties(from: PolicyDocument()).map(\.name),
      ["saveAsBlocked", "allowedDataStorageLocations", "managedBrowser", "maximumPinRetries"])
  }

  @Test("The settings that steer decisions are named")
  func effects() {
    expectEqual(
      PolicyProperty.all.filter {
        $0.effect == .steersDecisions && [.dataTransfer, .encryption, .functionality].contains($0.portalGroup)
      }.map(\.name),
      [
        "allowedInboundDataTransferSources", "allowedOutboundDataTransferDestinations",
        "allowedOutboundClipboardSharingLevel", "allowedOutboundClipboardSharingExceptionLength", "saveAsBlocked",
        "allowedDataStorageLocations", "blockDataIngestionIntoOrganizationDocuments", "allowedDataIngestionLocations",
        "disableProtectionOfManagedOutboundOpenInData", "filterOpenInToOnlyManagedApps",
        "protectInboundDataFromUnknownSources", "exemptedAppProtocols", "dataBackupBlocked",
        "managedBrowserToOpenLinksRequired", "managedBrowser", "customBrowserProtocol", "managedUniversalLinks",
        "exemptedUniversalLinks", "dialerRestrictionLevel", "customDialerAppProtocol",
        "protectedMessagingRedirectAppType", "messagingRedirectAppUrlScheme", "contactSyncBlocked", "printBlocked",
        "notificationRestriction", "thirdPartyKeyboardsBlocked", "allowWidgetContentSync", "genmojiConfigurationState",
        "screenCaptureConfigurationState", "writingToolsConfigurationState", "appDataEncryptionType",
      ])
  }

  @Test("Enumerations have the numbers that Graph gives them")
  func enumerations() {
    let documented: [(EnumerationDescriptor, String)] = [
      (DataTransferLevel.descriptor, "allApps=0 managedApps=1 none=2"),
      (ClipboardSharingLevel.descriptor, "allApps=0 managedAppsWithPasteIn=1 managedApps=2 blocked=3"),
      (PINCharacterSet.descriptor, "numeric=0 alphanumericAndSymbol=1"),
      (
        DataStorageLocation.descriptor,
        "oneDriveForBusiness=1 sharePoint=2 box=3 localStorage=6 photoLibrary=7 iManage=8 egnyte=9 unknownFutureValue=10"
      ),
      (DataIngestionLocation.descriptor, "oneDriveForBusiness=1 sharePoint=2 camera=3 photoLibrary=4"),
      (
        DataEncryptionType.descriptor,
        "useDeviceSettings=0 afterDeviceRestart=1 whenDeviceLockedExceptOpenFiles=2 whenDeviceLocked=3"
      ),
      (RemediationAction.descriptor, "block=0 wipe=1 warn=2 blockWhenSettingIsSupported=3"),
      (NotificationRestriction.descriptor, "allow=0 blockOrganizationalData=1 block=2"),
      (DeviceThreatLevel.descriptor, "notConfigured=0 secured=1 low=2 medium=3 high=4"),
      (
        ThreatDefensePartnerPriority.descriptor,
        "defenderOverThirdPartyPartner=0 thirdPartyPartnerOverDefender=1 unknownFutureValue=2"
      ),
      (DialerRestrictionLevel.descriptor, "allApps=0 managedApps=1 customApp=2 blocked=3"),
      (MessagingRedirectAppType.descriptor, "anyApp=0 anyManagedApp=1 specificApps=2 blocked=3"),
      (AppGroupType.descriptor, "selectedPublicApps=0 allCoreMicrosoftApps=1 allMicrosoftApps=2 allApps=4"),
      (FeatureConfigurationState.descriptor, "notBlocked=0 blocked=1 unknownFutureValue=2"),
    ]
    for (descriptor, members) in documented {
      let found = descriptor.members.map { "\($0.name)=\($0.number)" }.joined(separator: " ")
      expectEqual(found, members + " unrecognized=127", "\(descriptor.name)")
    }
    expectEqual(RemediationAction(number: 9), .unrecognized)
    #expect(!RemediationAction.unrecognized.isRecognized && !DataStorageLocation.unknownFutureValue.isRecognized)
    #expect(RemediationAction.warn.isRecognized)
    expectEqual(AppManagementLevels.descriptor.members.map(\.number), [0, 1, 2, 4, 8, 16, 32, 64, 1 << 31])
  }
}
