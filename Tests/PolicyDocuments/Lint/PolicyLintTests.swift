import Expectations
import AppProtection
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Lint of policies")
struct PolicyLintTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var rule: PolicyRule
    var members: String
    /// The finding, without file and place.
    var expected: String
    var testDescription: String { "\(rule): \(members)" }

    init(_ rule: PolicyRule, _ members: String, _ expected: String) {
      self.rule = rule
      self.members = members
      self.expected = expected
    }
  }

  static let cases: [Case] = transfer + links + launch + documents

  private static let transfer: [Case] = [
    Case(
      .saveBlockWithoutEffect, #""allowedOutboundDataTransferDestinations": "allApps", "saveAsBlocked": true"#,
      "saveAsBlocked: saving copies is blocked, and data may go to all apps, so that the block has no effect; set allowedOutboundDataTransferDestinations to managedApps, or allow saving"
    ),
    Case(
      .saveAllowedWithoutEffect, #""allowedOutboundDataTransferDestinations": "none", "saveAsBlocked": false"#,
      "saveAsBlocked: data may go to no app, so that copies cannot be saved anywhere; block saving without locations, or set allowedOutboundDataTransferDestinations to managedApps"
    ),
    Case(
      .saveLocationsWithoutBlock, #""allowedDataStorageLocations": ["box"], "saveAsBlocked": false"#,
      "allowedDataStorageLocations: locations are listed, and saving copies is not blocked, so that the list has no effect; set saveAsBlocked to true, or empty the list"
    ),
    Case(
      .openBlockWithoutEffect,
      #""allowedInboundDataTransferSources": "allApps", "blockDataIngestionIntoOrganizationDocuments": true"#,
      "blockDataIngestionIntoOrganizationDocuments: opening data is blocked, and data may come from all apps, so that the block has no effect; set allowedInboundDataTransferSources to managedApps, or allow opening"
    ),
    Case(
      .filterWithOSSharing,
      #""allowedOutboundDataTransferDestinations": "managedApps", "filterOpenInToOnlyManagedApps": true, "disableProtectionOfManagedOutboundOpenInData": true"#,
      "filterOpenInToOnlyManagedApps: the share sheet is filtered, and the protection of what leaves through it is off; turn one of filterOpenInToOnlyManagedApps and disableProtectionOfManagedOutboundOpenInData off"
    ),
    Case(
      .filterWithoutManagedApps,
      #""allowedOutboundDataTransferDestinations": "allApps", "filterOpenInToOnlyManagedApps": true"#,
      "filterOpenInToOnlyManagedApps: the share sheet is filtered, and data may go to all apps; set allowedOutboundDataTransferDestinations to managedApps, or turn the filter off"
    ),
    Case(
      .osSharingWithoutManagedApps,
      #""allowedOutboundDataTransferDestinations": "none", "disableProtectionOfManagedOutboundOpenInData": true"#,
      "disableProtectionOfManagedOutboundOpenInData: OS sharing is on, and data may go to no app; set allowedOutboundDataTransferDestinations to managedApps, or turn OS sharing off"
    ),
    Case(
      .incomingProtectionWithoutAllApps,
      #""allowedInboundDataTransferSources": "managedApps", "protectInboundDataFromUnknownSources": true"#,
      "protectInboundDataFromUnknownSources: data without an identity is to become organization data, and data may come from policy managed apps; set allowedInboundDataTransferSources to allApps, or turn this off"
    ),
    Case(
      .openClipboard,
      #""allowedOutboundDataTransferDestinations": "managedApps", "allowedOutboundClipboardSharingLevel": "allApps""#,
      "allowedOutboundClipboardSharingLevel: data may go to policy managed apps, and the clipboard leads to every app; set it to managedAppsWithPasteIn, managedApps or blocked"
    ),
    Case(
      .openBlockWithoutEffect,
      #""allowedInboundDataTransferSources": "none", "blockDataIngestionIntoOrganizationDocuments": true"#,
      "blockDataIngestionIntoOrganizationDocuments: opening data is blocked, and data may come from no app, so that the block and its locations have no effect; set allowedInboundDataTransferSources to managedApps, or allow opening"
    ),
    Case(
      .clipboardExceptionTooLong, #""allowedOutboundClipboardSharingExceptionLength": 65536"#,
      "allowedOutboundClipboardSharingExceptionLength: 65536 is outside 0 to 65535; write a number from 0 to 65535"),
  ]

  private static let links: [Case] = [
    Case(
      .browserNotRequired, #""managedBrowser": "microsoftEdge", "managedBrowserToOpenLinksRequired": false"#,
      "managedBrowser: a browser is named, and managedBrowserToOpenLinksRequired is not true; set managedBrowserToOpenLinksRequired to true, or name no browser"
    ),
    Case(
      .twoBrowsers,
      #""managedBrowser": "microsoftEdge", "managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "x""#,
      "customBrowserProtocol: managedBrowser names a protected browser, and this another one; keep one of the two"),
    Case(
      .invalidScheme, #""managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "my://""#,
      #"customBrowserProtocol: "my://" is not a URL scheme; write only the part before the colon, such as mybrowser"#),
    Case(
      .missingScheme, #""dialerRestrictionLevel": "customApp", "customDialerAppProtocol": """#,
      "dialerRestrictionLevel: it prescribes an app, and customDialerAppProtocol does not say which; set customDialerAppProtocol"
    ),
    Case(
      .schemeWithoutEffect, #""protectedMessagingRedirectAppType": "anyApp", "messagingRedirectAppUrlScheme": "x""#,
      "messagingRedirectAppUrlScheme: protectedMessagingRedirectAppType is not specificApps, so that the scheme has no effect; remove it, or set protectedMessagingRedirectAppType to specificApps"
    ),
    Case(
      .exemptedCommunication,
      #""dialerRestrictionLevel": "blocked", "exemptedAppProtocols": [{"name": "Default", "value": "TEL;telprompt;skype;"}]"#,
      "exemptedAppProtocols: tel and telprompt are exempt, which dialerRestrictionLevel restricts; remove tel and telprompt, and leave calls to dialerRestrictionLevel"
    ),
    Case(
      .exemptedCommunication,
      #""protectedMessagingRedirectAppType": "anyManagedApp", "exemptedAppProtocols": [{"name": "Default", "value": "sms"}]"#,
      "exemptedAppProtocols: sms is exempt, which protectedMessagingRedirectAppType restricts; remove sms, and leave messages to protectedMessagingRedirectAppType"
    ),
    Case(
      .browserNotNamed,
      #""managedBrowser": "notConfigured", "customBrowserProtocol": "", "managedBrowserToOpenLinksRequired": true"#,
      "managedBrowserToOpenLinksRequired: a browser is required, and neither managedBrowser nor customBrowserProtocol names one; set managedBrowser to microsoftEdge, or customBrowserProtocol to the scheme of another browser"
    ),
    Case(
      .exemptedWebLinks, #""exemptedAppProtocols": [{"name": "Default", "value": "skype;HTTP;https;"}]"#,
      "exemptedAppProtocols: http and https are exempt, so that every browser may open web links; remove http and https, and exempt single links in exemptedUniversalLinks"
    ),
    Case(
      .exemptedWebLinks,
      #""allowedOutboundDataTransferDestinations": "allApps", "managedBrowserToOpenLinksRequired": true, "exemptedAppProtocols": [{"name": "Default", "value": "https"}]"#,
      "exemptedAppProtocols: https is exempt, so that every browser may open web links; remove https, and exempt single links in exemptedUniversalLinks"
    ),
    Case(
      .invalidScheme, #""exemptedAppProtocols": [{"name": "Default", "value": "skype;zoom us://"}]"#,
      #"exemptedAppProtocols: "zoom us://" is not a URL scheme; write a letter, then letters, digits, +, - and ., such as mybrowser"#
    ),
    Case(
      .linkWithoutScheme, #""exemptedUniversalLinks": ["https://a/*", "*.contoso.com/*"]"#,
      "exemptedUniversalLinks: element 1 does not begin with http:// or https://; write the pattern with its scheme, such as https://*.contoso.com/*"
    ),
    Case(
      .linkInBothLists, #""managedUniversalLinks": ["http://a/*"], "exemptedUniversalLinks": ["HTTP://a/*"]"#,
      "managedUniversalLinks: element 0 is also exempt, so that it opens in unmanaged apps; remove it from one of the lists"
    ),
  ]

  private static let launch: [Case] = [
    Case(
      .minimumAboveMaximum, #""minimumRequiredOsVersion": "16.0", "maximumWipeOsVersion": "15.9""#,
      "minimumRequiredOsVersion: it is 16.0, and maximumWipeOsVersion is 15.9, so that every device is refused; set maximumWipeOsVersion above it"
    ),
    Case(
      .maximumStopsUpdates, #""minimumRequiredOsVersion": "14.8", "maximumRequiredOsVersion": "15.0""#,
      "maximumRequiredOsVersion: it is 15.0, so that 15.0.1 and everything after it is refused; write a version that no update reaches, such as 15.99, or remove it"
    ),
    Case(
      .warningNeverShows, #""minimumWarningOsVersion": "16", "minimumRequiredOsVersion": "16.0""#,
      "minimumWarningOsVersion: the warning at 16 never shows, because minimumRequiredOsVersion is 16.0; set it above 16.0, or remove it"
    ),
    Case(
      .warningNeverShows, #""maximumWarningOsVersion": "17.5", "maximumRequiredOsVersion": "17.4""#,
      "maximumWarningOsVersion: the warning at 17.5 never shows, because maximumRequiredOsVersion is 17.4; set it below 17.4, or remove it"
    ),
    Case(
      .blockNeverShows, #""minimumRequiredAppVersion": "1.2", "minimumWipeAppVersion": "1.10""#,
      "minimumRequiredAppVersion: access is never blocked at 1.2, because minimumWipeAppVersion removes data at 1.10; set it above 1.10, or remove one of the two"
    ),
    Case(
      .invalidVersion, #""minimumRequiredSdkVersion": "v9""#,
      #"minimumRequiredSdkVersion: "v9" is not a version; write numbers separated by periods, such as 16.4.1"#),
    Case(
      .simplePIN, #""pinRequired": true, "simplePinBlocked": false"#,
      "simplePinBlocked: PINs such as 1234 and 1111 are allowed; set it to true"),
    Case(
      .pinLength, #""pinRequired": true, "minimumPinLength": 3"#,
      "minimumPinLength: 3 is outside 4 to 16; write a number from 4 to 16"),
    Case(
      .biometricTimeoutTooShort,
      #""pinRequired": true, "pinRequiredInsteadOfBiometricTimeout": "PT30M", "periodOnlineBeforeAccessCheck": "PT30M""#,
      "pinRequiredInsteadOfBiometricTimeout: PT30M is not longer than periodOnlineBeforeAccessCheck, PT30M, so biometrics are hardly ever requested; set it above PT30M"
    ),
    Case(
      .biometricTimeoutWithoutBiometrics,
      #""pinRequired": true, "pinRequiredInsteadOfBiometricTimeout": "PT12H", "fingerprintBlocked": true, "faceIdBlocked": true"#,
      "pinRequiredInsteadOfBiometricTimeout: Touch ID and Face ID are blocked, so that the timeout has no effect; remove it"
    ),
    Case(
      .actionNotOffered, #""mobileThreatDefenseRemediationAction": "warn""#,
      "mobileThreatDefenseRemediationAction: warn is not an action for this condition; write block or wipe"),
    Case(
      .actionWithoutCondition,
      #""appActionIfAccountIsClockedOut": "block", "gracePeriodToBlockAppsDuringOffClockHours": null"#,
      "appActionIfAccountIsClockedOut: gracePeriodToBlockAppsDuringOffClockHours is not set, so that working time is not looked at; set it, such as to PT15M, or remove the action"
    ),
    Case(
      .actionWithoutCondition, #""gracePeriodToBlockAppsDuringOffClockHours": "PT15M""#,
      "gracePeriodToBlockAppsDuringOffClockHours: appActionIfAccountIsClockedOut is not set, so that nothing happens after working time; set it to block or warn, or remove the period"
    ),
    Case(
      .wipeBeforeBlock, #""periodOfflineBeforeAccessCheck": "P90D", "periodOfflineBeforeWipeIsEnforced": "PT12H""#,
      "periodOfflineBeforeWipeIsEnforced: data is removed after PT12H offline, and access is blocked after P90D; set it above P90D"
    ),
    Case(
      .shortOfflineGrace, #""periodOfflineBeforeAccessCheck": "PT29M""#,
      "periodOfflineBeforeAccessCheck: PT29M is less than 30 minutes, so that opening the app may be interrupted every time; set it to PT30M or more"
    ),
    Case(
      .shortOfflineGrace, #""periodOfflineBeforeAccessCheck": "PT0S", "periodOfflineBeforeWipeIsEnforced": "P90D""#,
      "periodOfflineBeforeAccessCheck: PT0S is taken for no limit, so that access is never blocked offline; set it to PT30M or more, or remove it"
    ),
    Case(
      .modelSeparator, #""allowedIosDeviceModels": "iPad4,1;iPhone12,1,iPhone13,2""#,
      #"allowedIosDeviceModels: "iPhone12,1,iPhone13,2" is compared as one model, because semicolons separate models and commas do not; write a semicolon between two models, such as iPhone12,1;iPhone13,2"#
    ),
    Case(
      .modelName, #""allowedIosDeviceModels": "iPad Pro;iPad14,3;iPhone 13 mini""#,
      #"allowedIosDeviceModels: "iPad Pro", "iPhone 13 mini": no device reports this as its model; write the identifier, such as iPhone14,7"#
    ),
    Case(
      .partnerWithoutLevel,
      #""mobileThreatDefensePartnerPriority": "defenderOverThirdPartyPartner", "maximumAllowedDeviceThreatLevel": "notConfigured""#,
      "mobileThreatDefensePartnerPriority: maximumAllowedDeviceThreatLevel is not configured, so that no service is asked; set maximumAllowedDeviceThreatLevel, or remove it"
    ),
  ]

  private static let documents: [Case] = [
    Case(
      .placeholder, #""apps": [{"mobileAppIdentifier": {"bundleId": "APP-ID-1"}}]"#,
      #"apps: "APP-ID-1" was left in from a template; write a value, or remove it"#),
    Case(
      .placeholder, #""assignments": [{"target": {"groupId": "REPLACE:pilot group"}}]"#,
      #"assignments: "REPLACE:pilot group" was left in from a template; write a value, or remove it"#),
    Case(
      .placeholder, #""displayName": "$policyName""#,
      #"displayName: "$policyName" was left in from a template; write a value, or remove it"#),
    Case(
      .placeholder, #""description": "TODO: say what for""#,
      #"description: "TODO: say what for" was left in from a template; write a value, or remove it"#),
    Case(
      .placeholder, #""exemptedAppProtocols": [{"name": "Default", "value": "${schemes}"}]"#,
      #"exemptedAppProtocols: "${schemes}" was left in from a template; write a value, or remove it"#),
    Case(
      .repeatedApp,
      #""apps": [{"mobileAppIdentifier": {"bundleId": "com.a"}}, {"mobileAppIdentifier": {"bundleId": "com.A"}}]"#,
      "apps: element 1 is the same app as element 0; remove one of the two"),
    Case(
      .foreignApp,
      ##""apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.androidMobileAppIdentifier", "packageId": "com.a"}}]"##,
      "apps: element 0 is an app for Android, which a policy for iOS never reaches; remove it, or write the bundle identifier of the app for iOS"
    ),
    Case(
      .foreignApp, #""apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso app"}}]"#,
      #"apps: element 0, "com.contoso app", is not a bundle identifier; write letters, digits, hyphens and periods, such as com.contoso.app"#
    ),
    Case(
      .appCountDiffers, #""deployedAppCount": 2, "apps": [{"mobileAppIdentifier": {"bundleId": "com.a"}}]"#,
      "deployedAppCount: it is 2, and the document has one app; export the document again with all its apps, or write 1"
    ),
    Case(
      .onlyExclusions,
      ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "g"}}]"##,
      "assignments: every group is excluded and none is included, so it applies to no user; include a group"),
    Case(
      .includedAndExcluded,
      ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g"}}, {"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "G"}}]"##,
      "assignments: element 1 excludes the group that element 0 includes, so that its members are left out; remove one of the two"
    ),
    Case(
      .placeholder,
      #""customDialerAppProtocol": "replace_with_dialer_app_url_scheme", "dialerRestrictionLevel": "customApp""#,
      #"customDialerAppProtocol: "replace_with_dialer_app_url_scheme" was left in from a template; write a value, or remove it"#
    ),
    Case(
      .placeholder, #""minimumWipeOsVersion": "Minimum Wipe Os Version value""#,
      #"minimumWipeOsVersion: "Minimum Wipe Os Version value" was left in from a template; write a value, or remove it"#
    ),
    Case(
      .placeholder, #""description": "for {{userprincipalname}}""#,
      #"description: "for {{userprincipalname}}" was left in from a template; write a value, or remove it"#),
    Case(
      .notAssigned, #""isAssigned": false"#,
      "isAssigned: the policy is assigned to no group; assign it, unless it is a draft"),
    Case(.noApps, #""apps": []"#, "apps: the policy has no apps; select apps, unless it is a draft"),
    Case(
      .unknownValue, #""notificationRestriction": "blockAll""#,
      "notificationRestriction: it has a value that is not known, which decisions take for the strictest; write allow or blockOrganizationalData or block"
    ),
    Case(
      .unknownMember, #""pinRequird": true"#,
      "pinRequird: nothing is known by this name; write pinRequired, if that is meant"),
    Case(
      .unknownMember, #""zebraStripes": 7"#,
      "zebraStripes: nothing is known by this name; remove it, if it is a mistake"),
    Case(
      .otherPlatform, #""minimumRequiredCompanyPortalVersion": "5.0""#,
      "minimumRequiredCompanyPortalVersion: an Android setting, without effect here; remove it, or set it in a policy for that platform"
    ),
    Case(
      .otherPlatform, #""enterpriseDomain": "contoso.com""#,
      "enterpriseDomain: a Windows setting, without effect here; remove it, or set it in a policy for that platform"),
    Case(
      .unknownMember, #""minimumWarnCompanyPortalVersion": "5.0""#,
      "minimumWarnCompanyPortalVersion: nothing is known by this name; remove it, if it is a mistake"
    ),
    Case(
      .unknownMember, #""minimumPinLenght": 6"#,
      "minimumPinLenght: nothing is known by this name; write minimumPinLength, if that is meant"),
    Case(
      .unknownMember, #""minimumPinLenght": "six""#,
      "minimumPinLenght: nothing is known by this name; remove it, if it is a mistake"),
    Case(
      .unknownMember, #""minimumPinLenght": 6, "minimumPinLength": 6"#,
      "minimumPinLenght: nothing is known by this name; remove it, if it is a mistake"),
    Case(
      .invalidScheme, #""customBrowserProtocol": "http", "managedBrowserToOpenLinksRequired": true"#,
      "customBrowserProtocol: \"http\" is the scheme of web links themselves, and names no app; write the scheme of the app, such as mybrowser"
    ),
    Case(
      .placeholder, #""customBrowserProtocol": "YOUR_SCHEME", "managedBrowserToOpenLinksRequired": true"#,
      "customBrowserProtocol: \"YOUR_SCHEME\" was left in from a template; write a value, or remove it"),
  ]

  @Test("Every finding names setting, reason and next step, and nothing else is found", arguments: cases)
  func findings(row: Case) throws {
    let findings = PolicyLint.findings(in: try Samples.policy(Samples.text(row.members)).policy)
    expectEqual(findings.map(\.description), [row.expected])
    expectEqual(findings.map(\.rule), [row.rule])
  }

  @Test("Very many unknown members are counted instead of named")
  func manyUnknown() throws {
    let members = (0..<5_000).map { "\"member\($0)\": \($0)" }.joined(separator: ",")
    let findings = PolicyLint.findings(in: try Samples.policy(Samples.text(members)).policy)
    expectEqual(findings.count, 101)
    #expect(
      findings.last?.description.hasSuffix(
        ": nothing is known by this name, nor by 4899 more; look whether this is a policy") == true)
  }

  @Test(
    "Members that Graph documents are known in every type of policy, and those of other platforms are reported",
    arguments: [PolicyKind.targetedPolicy, .defaultPolicy])
  func documentedMembers(kind: PolicyKind) throws {
    // Members that are typed need values of their types.
    let typed: [String: String] = [
      "customSettings": "[]", "encryptAppData": "true", "screenCaptureBlocked": "true",
      "disableAppEncryptionIfDeviceEncryptionIsEnabled": "true", "minimumRequiredPatchVersion": "\"2020-01-05\"",
      "minimumWarningPatchVersion": "\"2020-01-05\"",
    ]
    for member in GraphMember.all where PolicyProperty.named(member.name) == nil || typed[member.name] != nil {
      let text = "{\"@odata.type\": \"\(kind.rawValue)\", \"\(member.name)\": \(typed[member.name] ?? "1")}"
      let findings = PolicyLint.findings(in: try Samples.policy(text).policy)
      let expected = member.foreignPlatform.map { ["\($0), without effect here"] } ?? []
      expectEqual(findings.map(\.message), expected, "\(member.name)")
      #expect(findings.allSatisfy { $0.setting == member.name && $0.rule == .otherPlatform })
    }
  }

  @Test("S-66: a filter without protection, or beside another level than policy managed apps, is a contradiction")
  func filter() {
    for level in [DataTransferLevel.allApps, .managedApps, .noApps] {
      for shares in [false, true] {
        var policy = PolicyDocument()
        policy.dataTransfer.allowedOutboundDataTransferDestinations = level
        policy.dataTransfer.disableProtectionOfManagedOutboundOpenInData = shares
        policy.dataTransfer.filterOpenInToOnlyManagedApps = true
        let rules = Set(PolicyLint.findings(in: policy).map(\.rule))
        expectEqual(rules.contains(.filterWithOSSharing), shares)
        expectEqual(rules.contains(.filterWithoutManagedApps), level != .managedApps)
        #expect((policy.dataTransfer.sendChoice == nil) == (shares || level != .managedApps))
      }
    }
  }

  @Test("Every rule is shown by a case or by the tests of dumps, and says what should be and who says so")
  func coverage() {
    let dumps: Set<PolicyRule> = [
      .unknownDeviceSetting, .unreadableDeviceValue, .ambiguousLocation, .twoModelLists, .lostData, .unreadableValue,
      .otherForm, .notJSON,
    ]
    let shown =
      Self.cases.map(\.rule) + PlatformLintTests.cases.map(\.rule)
      + ConfigurationRuleTests.cases.map(\.rule) + TenantLintTests.rules
    expectEqual(Set(shown).union(dumps), Set(PolicyRule.allCases))
    for rule in PolicyRule.allCases {
      #expect(rule.meaning.hasSuffix(".") && !rule.source.isEmpty, "\(rule)")
    }
  }

  @Test("Every rule is one value, and the list of its file has it")
  func values() {
    let folders = ["Lint", "Device", "Exports"].map { "Sources/PolicyDocuments/\($0)" }
    let texts = folders.flatMap { folder in
      SourceText.names(in: folder).filter { $0.hasPrefix("PolicyRule+") }.map { SourceText.read("\(folder)/\($0)") }
    }
    let declared = texts.flatMap { text in
      text.split(separator: "public static let ").dropFirst().map { String($0.prefix { $0.isLetter }) }
    }
    expectEqual(Set(declared).subtracting(["allCases"]), Set(PolicyRule.allCases.map(\.id)))
    expectEqual(Set(PolicyRule.allCases).count, PolicyRule.allCases.count)
    let example = SourceText.swiftFiles(below: "Sources/PolicyDocuments").filter {
      SourceText.read($0).contains("openClipboard")
    }
    expectEqual(example, ["Sources/PolicyDocuments/Lint/PolicyRule+Transfer.swift"])
    let page = SourceText.read("Sources/AppProtection/AppProtection.docc/HowToAdd.md")
    #expect(page.contains("| `Lint/PolicyRule+Transfer.swift` |"))
  }

  @Test(
    "Correct or absent settings cause no finding",
    arguments: [
      "",
      #""allowedOutboundDataTransferDestinations": "managedApps", "saveAsBlocked": true, "allowedDataStorageLocations": ["box"]"#,
      #""allowedOutboundDataTransferDestinations": "managedApps", "filterOpenInToOnlyManagedApps": true, "disableProtectionOfManagedOutboundOpenInData": false"#,
      #""managedBrowser": "notConfigured", "customBrowserProtocol": "", "managedBrowserToOpenLinksRequired": false"#,
      #""minimumWarningOsVersion": "16.1", "minimumRequiredOsVersion": "16.0", "minimumWipeOsVersion": "15", "maximumRequiredOsVersion": "16.99""#,
      #""minimumRequiredOsVersion": "0.0", "minimumWarningOsVersion": "", "maximumRequiredOsVersion": null"#,
      #""minimumRequiredOsVersion": "16.4.1.a", "pinRequired": false, "simplePinBlocked": false, "minimumPinLength": 0"#,
      ##""#microsoft.graph.assign": {}, "apps@odata.context": "x", "description": "a value""##,
      #""dialerRestrictionLevel": "allApps", "exemptedAppProtocols": [{"name": "Default", "value": "tel;"}]"#,
      // Near to what is found.
      #""displayName": "Replacement for $5", "description": "Todoist, todo and APPS; not TODOIST""#,
      #""managedBrowser": "notConfigured", "customBrowserProtocol": "x", "managedBrowserToOpenLinksRequired": true"#,
      #""managedBrowserToOpenLinksRequired": true"#,
      #""allowedOutboundDataTransferDestinations": "allApps", "exemptedAppProtocols": [{"name": "http", "value": "https; ms-word ;"}]"#,
      #""exemptedUniversalLinks": ["HTTPS://*.a/*"], "managedUniversalLinks": ["http://b/*"]"#,
      #""allowedIosDeviceModels": "iPhone12,1;iPad4,1; iPod9,1", "allowedOutboundClipboardSharingExceptionLength": 65535"#,
      #""allowedInboundDataTransferSources": "none", "blockDataIngestionIntoOrganizationDocuments": false"#,
      ##""assignments": [{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g"}}, {"target": {"@odata.type": "#microsoft.graph.exclusionGroupAssignmentTarget", "groupId": "h"}}]"##,
      #""deployedAppCount": 2, "apps": [{"id": "com.a.ios"}, {"mobileAppIdentifier": {"bundleId": "com.b-9"}}]"#,
      #""deployedAppCount": 40, "appGroupType": "allCoreMicrosoftApps", "apps": []"#,
      #""deploymentSummary": {}, "purviewContentEvaluationRequired": "required", "encryptAppData": null"#,
      #""approvedKeyboards": null, "enterpriseDomain": null"#,
    ])
  func silence(members: String) throws {
    expectEqual(PolicyLint.findings(in: try Samples.policy(Samples.text(members)).policy), [])
  }

  @Test("The framework's level 3 of 2021 excludes updates and has a placeholder, each with its place")
  func framework() throws {
    let name = "icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json"
    let file = try PolicyFile.read(try Samples.bytes(name), name: name)
    let findings = try #require(file.policies.first).findings
    expectEqual(findings.map(\.rule), [.exemptedCommunication, .maximumStopsUpdates, .placeholder, .notAssigned])
    let maximum = try #require(findings.first { $0.rule == .maximumStopsUpdates })
    #expect(maximum.setting == "maximumRequiredOsVersion" && maximum.file == name)
    guard case .text(let line, _) = maximum.place else {
      Issue.record("no place")
      return
    }
    let text = String(decoding: try Samples.bytes(name), as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    #expect(lines[line - 1].contains("\"maximumRequiredOsVersion\""))
  }

  @Test("No revision of the framework has a contradiction but placeholders")
  func history() throws {
    for name in try Samples.names() where name.contains("iOS") {
      let file = try PolicyFile.read(try Samples.bytes(name), name: name)
      for finding in file.policies.flatMap(\.findings) where finding.rule.severity == .error {
        expectEqual(finding.rule, .placeholder, "\(finding)")
      }
    }
  }
}
