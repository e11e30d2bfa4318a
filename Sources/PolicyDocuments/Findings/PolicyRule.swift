/// What lint looks for in a policy. Names stay as they are once they were given.
public enum PolicyRule: String, Sendable, CaseIterable {
  /// Saving copies is blocked where data may go everywhere.
  case saveBlockWithoutEffect
  /// Saving copies is allowed where data may go nowhere.
  case saveAllowedWithoutEffect
  /// Locations are listed, and saving copies is not blocked.
  case saveLocationsWithoutBlock
  /// Opening data is blocked where data may come from everywhere.
  case openBlockWithoutEffect
  /// Sharing is filtered, and its protection is off.
  case filterWithOSSharing
  /// Sharing is filtered beside a level that does not know it.
  case filterWithoutManagedApps
  /// Protection is off beside a level that does not know it.
  case osSharingWithoutManagedApps
  /// Incoming data is protected beside a level that does not know it.
  case incomingProtectionWithoutAllApps
  /// The clipboard leads out where data may not.
  case openClipboard
  /// More characters may cross the clipboard than there is a number for.
  case clipboardExceptionTooLong
  /// A browser is named and not required.
  case browserNotRequired
  /// A browser is required and not named.
  case browserNotNamed
  /// Two browsers are named.
  case twoBrowsers
  /// A URL scheme is not one.
  case invalidScheme
  /// An app is prescribed, and its scheme is missing.
  case missingScheme
  /// A scheme is given, and no app is prescribed.
  case schemeWithoutEffect
  /// Schemes are exempt from a restriction that has a setting of its own.
  case exemptedCommunication
  /// Web links are exempt.
  case exemptedWebLinks
  /// A pattern of links has no scheme.
  case linkWithoutScheme
  /// A link stands in both lists.
  case linkInBothLists
  /// A minimum version is above a maximum.
  case minimumAboveMaximum
  /// A maximum version shuts out updates.
  case maximumStopsUpdates
  /// A warning never shows.
  case warningNeverShows
  /// A block never shows.
  case blockNeverShows
  /// A version is not one.
  case invalidVersion
  /// A text was left in from a template.
  case placeholder
  /// A PIN is required, and simple ones are allowed.
  case simplePIN
  /// The shortest PIN has a length that the portal does not offer.
  case pinLength
  /// Biometrics end no later than everything else is asked for.
  case biometricTimeoutTooShort
  /// Biometrics end that are blocked.
  case biometricTimeoutWithoutBiometrics
  /// An action that a condition cannot have.
  case actionNotOffered
  /// An action without the condition that it is for, or the reverse.
  case actionWithoutCondition
  /// Data is removed before access is blocked.
  case wipeBeforeBlock
  /// The offline grace is very short.
  case shortOfflineGrace
  /// Commas separate the models of devices.
  case modelSeparator
  /// A partner is chosen, and no threat level.
  case partnerWithoutLevel
  /// No group has the policy.
  case notAssigned
  /// No app has the policy.
  case noApps
  /// An app stands twice in a list.
  case repeatedApp
  /// An app is another platform's, or has no bundle identifier.
  case foreignApp
  /// The number of apps is not that of the list.
  case appCountDiffers
  /// Groups are excluded, and none is included.
  case onlyExclusions
  /// A group is included and excluded.
  case includedAndExcluded
  /// A value is not known.
  case unknownValue
  /// A member is not known.
  case unknownMember
  /// A member is one of another platform.
  case otherPlatform
  /// A device's setting is not known.
  case unknownDeviceSetting
  /// A device's value cannot be read.
  case unreadableDeviceValue
  /// A device's location means two things.
  case ambiguousLocation
  /// A device has two lists of models.
  case twoModelLists

  /// How much a finding matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// The document contradicts itself, or what it says cannot be meant.
    case error
    /// A setting does not do what it seems to do.
    case warning
    /// Right as it is when it is meant, and with a consequence to know.
    case note
  }

  /// How much a finding of this rule matters.
  public var severity: Severity { row.severity }
  /// What the rule says, in one sentence.
  public var meaning: String { row.meaning }
  /// Where that is published: a tag and a heading; see the article "Lint of policies".
  public var source: String { row.source }
}
