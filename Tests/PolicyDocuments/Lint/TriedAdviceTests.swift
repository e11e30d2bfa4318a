import AppProtection
import Expectations
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Advice of lint")
struct TriedAdviceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: PolicyRule
    var platform = "ios"
    let members: String
    let remedy: String
    var testDescription: String { "\(rule): \(members)" }
  }

  private static let undecided = "decide what is meant: no single change mends it"

  @Test(
    "A change that lint would find fault with is not advised",
    arguments: [
      // Data would go to managed apps alone, and the clipboard lead everywhere.
      Case(
        rule: .saveBlockWithoutEffect,
        members:
          #""allowedOutboundDataTransferDestinations": "allApps", "saveAsBlocked": true, "allowedOutboundClipboardSharingLevel": "allApps""#,
        remedy: "allow saving"),
      // Locations would count only where saving is blocked.
      Case(
        rule: .saveAllowedWithoutEffect,
        members:
          #""allowedOutboundDataTransferDestinations": "none", "saveAsBlocked": false, "allowedDataStorageLocations": ["box"]"#,
        remedy: "block saving without locations"),
      Case(
        rule: .saveLocationsWithoutBlock,
        members:
          #""allowedOutboundDataTransferDestinations": "allApps", "saveAsBlocked": false, "allowedDataStorageLocations": ["box"]"#,
        remedy: "empty the list"),
      // Incoming data would be protected where none comes from other apps.
      Case(
        rule: .openBlockWithoutEffect,
        members:
          #""allowedInboundDataTransferSources": "allApps", "blockDataIngestionIntoOrganizationDocuments": true, "protectInboundDataFromUnknownSources": true"#,
        remedy: "allow opening"),
      // Data would be removed before access is blocked.
      Case(
        rule: .maximumStopsUpdates, members: #""maximumRequiredOsVersion": "26", "maximumWipeOsVersion": "26.5""#,
        remedy: "remove it"),
      Case(
        rule: .wipeBeforeBlock,
        members: #""periodOfflineBeforeAccessCheck": "P100D", "periodOfflineBeforeWipeIsEnforced": "P50D""#,
        remedy: "set it above P100D"),
      Case(
        rule: .shortOfflineGrace,
        members: #""periodOfflineBeforeAccessCheck": "PT5M", "periodOfflineBeforeWipeIsEnforced": "PT20M""#,
        remedy: "set it to PT30M or more, and periodOfflineBeforeWipeIsEnforced above it"),
      // What stands before the colon is the scheme of web links, or nothing at all.
      Case(
        rule: .invalidScheme,
        members: #""managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "http://x""#,
        remedy: "write a letter, then letters, digits, +, - and ., such as mybrowser"),
      Case(
        rule: .invalidScheme,
        members: #""managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "my browser""#,
        remedy: "write a letter, then letters, digits, +, - and ., such as mybrowser"),
      Case(
        rule: .linkWithoutScheme,
        members: #""managedUniversalLinks": ["a.example/*"], "exemptedUniversalLinks": ["https://a.example/*"]"#,
        remedy: "remove it, or write another pattern, such as https://*.contoso.com/*"),
      Case(
        rule: .schemeWithoutEffect,
        members:
          #""allowedOutboundDataTransferDestinations": "managedApps", "dialerRestrictionLevel": "allApps", "customDialerAppProtocol": "x", "exemptedAppProtocols": [{"name": "Default", "value": "tel"}]"#,
        remedy: "remove it"),
      Case(
        rule: .winverVersion, platform: "windows",
        members: #""minimumWarningOsVersion": "22631", "minimumRequiredOsVersion": "10.0.26100""#,
        remedy: "write the version as winver shows it, which begins with 10.0"),
      Case(
        rule: .invalidPackage, platform: "android",
        members: #""customDialerAppPackageId": "com.example.a, com.example.b""#,
        remedy: "write one of them"),
      Case(
        rule: .modelSeparator, members: #""allowedIosDeviceModels": "iPhone12,1,iPhone13,2""#,
        remedy: "write a semicolon between two models, such as iPhone12,1;iPhone13,2"),
    ])
  func policies(_ mistake: Case) throws {
    let text =
      "{\"@odata.type\": \"#microsoft.graph.\(mistake.platform)ManagedAppProtection\", \"displayName\": \"A\", \(mistake.members)}"
    let findings = try PolicyFile.read(Array(text.utf8)).policies.flatMap(\.findings).filter { $0.rule == mistake.rule }
    #expect(findings.map(\.remedy).contains(mistake.remedy), "\(findings)")
  }

  @Test("A key or a value of an app configuration is advised only if it is right beside the others")
  func configurations() throws {
    func remedies(_ rule: PolicyRule, _ type: String, _ members: String) throws -> [String] {
      try ConfigurationSamples.file(type, members).configurationFindings.filter { $0.rule == rule }.map(\.remedy)
    }
    // In its right spelling, the key would belong to the other channel.
    try expectEqual(
      remedies(
        .misspelledKey, "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "intunemamupn", "value": "a"}]"#),
      ["write IntuneMAMUPN only if apps with the SDK documents it for this channel, platform and value"])
    // The type asks for a truth value, and the app for a number.
    try expectEqual(
      remedies(
        .valueWithoutForm, "iosMobileAppConfiguration",
        #""settings": [{"appConfigKey": "DefenderOpenNetworkDetection", "appConfigKeyType": "booleanType", "appConfigKeyValue": "x"}]"#
      ),
      ["its type and its app ask for different forms: keep it only if the app documents it"])
    try expectEqual(
      remedies(
        .invalidURLPattern, "targetedManagedAppConfiguration",
        #""customSettings": [{"name": "com.microsoft.intune.mam.managedbrowser.AllowListURLs", "value": "https://a.com,*.com"}]"#
      ),
      [
        "separate them with vertical bars, and write * as the first label of the host or as the last part of the path"
      ])
  }

  @Test("A name or a value that brings another finding is not advised")
  func names() throws {
    func remedy(_ members: String) throws -> String? {
      let text = "{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\", \(members)}"
      return try PolicyFile.read(Array(text.utf8)).policies.first?.findings.first?.remedy
    }
    // Without keyboards, the setting would be a mistake of its own.
    try expectEqual(remedy(#""keyboardRestricted": true"#), "remove it, if it is a mistake")
    try expectEqual(remedy(#""keyboardRestricted": false"#), "write keyboardsRestricted, if that is meant")
  }

  @Test("What lint advises in its own examples leaves it less to find", arguments: PolicyLintTests.cases)
  func examples(_ example: PolicyLintTests.Case) throws {
    let findings = try PolicyFile.read(Array(Samples.text(example.members).utf8)).policies.flatMap(\.findings)
    #expect(findings.contains { $0.rule == example.rule && $0.remedy != Self.undecided }, "\(findings)")
  }
}
