/// The rules that lint checks in a policy. Their names never change.
public enum PolicyRule: String, Sendable, CaseIterable {
  /// Saving copies is blocked although data may go anywhere.
  case saveBlockWithoutEffect
  /// Saving copies is allowed although data may go nowhere.
  case saveAllowedWithoutEffect
  /// Locations are listed although saving copies is not blocked.
  case saveLocationsWithoutBlock
  /// Opening data is blocked although data may come from anywhere.
  case openBlockWithoutEffect
  /// Sharing is filtered but not protected.
  case filterWithOSSharing
  /// Sharing is filtered at a level that has no filter.
  case filterWithoutManagedApps
  /// Protection is off at a level that has no protection.
  case osSharingWithoutManagedApps
  /// Incoming data is protected at a level that does not support it.
  case incomingProtectionWithoutAllApps
  /// The clipboard allows transfers that the policy otherwise blocks.
  case openClipboard
  /// The clipboard exception exceeds the largest number of characters.
  case clipboardExceptionTooLong
  /// A browser is named but not required.
  case browserNotRequired
  /// A browser is required but not named.
  case browserNotNamed
  /// Two browsers are named.
  case twoBrowsers
  /// A URL scheme is malformed.
  case invalidScheme
  /// An app is prescribed but its scheme is missing.
  case missingScheme
  /// A scheme is given but no app is prescribed.
  case schemeWithoutEffect
  /// Schemes are exempt from a restriction that has a separate setting.
  case exemptedCommunication
  /// Web links are exempt.
  case exemptedWebLinks
  /// A pattern of links has no scheme.
  case linkWithoutScheme
  /// A link is in both lists.
  case linkInBothLists
  /// A minimum version exceeds a maximum.
  case minimumAboveMaximum
  /// A maximum version excludes updates.
  case maximumStopsUpdates
  /// A warning is never shown.
  case warningNeverShows
  /// A block never takes effect.
  case blockNeverShows
  /// A version is malformed.
  case invalidVersion
  /// A template's text was not replaced.
  case placeholder
  /// A PIN is required but may be simple.
  case simplePIN
  /// The minimum PIN length is one that the portal does not offer.
  case pinLength
  /// Biometrics time out no later than the next recheck of the access requirements.
  case biometricTimeoutTooShort
  /// Biometrics have a timeout but are blocked.
  case biometricTimeoutWithoutBiometrics
  /// A condition has an action that it does not support.
  case actionNotOffered
  /// An action lacks its condition, or a condition lacks its action.
  case actionWithoutCondition
  /// Data is wiped before access is blocked.
  case wipeBeforeBlock
  /// The offline grace is very short.
  case shortOfflineGrace
  /// Device models are separated by commas.
  case modelSeparator
  /// A partner is chosen but no threat level.
  case partnerWithoutLevel
  /// The policy is assigned to no group.
  case notAssigned
  /// The policy targets no app.
  case noApps
  /// An app occurs twice in a list.
  case repeatedApp
  /// An app belongs to another platform or has no bundle identifier.
  case foreignApp
  /// The number of apps differs from the length of the list.
  case appCountDiffers
  /// Groups are excluded but none is included.
  case onlyExclusions
  /// A group is both included and excluded.
  case includedAndExcluded
  /// A value is not known.
  case unknownValue
  /// A member is not known.
  case unknownMember
  /// A member belongs to another platform.
  case otherPlatform
  /// A device's setting is not known.
  case unknownDeviceSetting
  /// A device's value cannot be read.
  case unreadableDeviceValue
  /// A device's location is ambiguous.
  case ambiguousLocation
  /// A device has two lists of models.
  case twoModelLists

  /// How serious a finding is.
  public enum Severity: String, Sendable, CaseIterable {
    /// The document contradicts itself or cannot mean what it says.
    case error
    /// A setting does not do what it appears to do.
    case warning
    /// Correct if intended, but with a consequence to be aware of.
    case note
  }

  /// The severity of this rule's findings.
  public var severity: Severity { row.severity }
  /// The rule in one sentence.
  public var meaning: String { row.meaning }
  /// Where the rule is published: a tag and a heading; see the article "Lint of policies".
  public var source: String { row.source }
}
