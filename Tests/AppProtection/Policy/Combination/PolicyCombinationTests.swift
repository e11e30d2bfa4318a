import Expectations
import Testing

@testable import AppProtection

@Suite("Several policies on one user")
struct PolicyCombinationTests {
  private static func policy(
    _ kind: PolicyKind = .targetedPolicy, _ change: (inout PolicyDocument) -> Void
  ) -> PolicyDocument {
    var policy = PolicyDocument(kind: kind)
    change(&policy)
    return policy
  }

  private static func setting(_ name: String, _ value: PolicyValue) -> PolicyDocument {
    policy { policy in
      if let property = PolicyProperty.named(name) { policy[property] = .value(value) }
    }
  }

  private static func duration(_ text: String) -> PolicyValue {
    (try? .duration(PolicyDuration(text))) ?? .text("")
  }

  @Test("Every setting has a rule; only what describes a policy is not combined")
  func rules() {
    let notCombined = PolicyProperty.all.filter { $0.combination == .notCombined }
    #expect(notCombined.allSatisfy { [.basics, .apps, .assignments].contains($0.portalGroup) })
    expectEqual(notCombined.count, 13)
    expectEqual(Set(PolicyProperty.all.map(\.combination)), Set(CombinationRule.allCases))
    #expect(CombinationRule.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
  }

  /// Name, the looser value, the stricter one.
  static let pairs: [(name: String, loose: PolicyValue, strict: PolicyValue)] = [
    ("saveAsBlocked", .flag(false), .flag(true)), ("pinRequired", .flag(false), .flag(true)),
    ("allowWidgetContentSync", .flag(true), .flag(false)),
    ("disableAppPinIfDevicePinIsSet", .flag(true), .flag(false)),
    ("minimumPinLength", .number(4), .number(6)), ("maximumPinRetries", .number(10), .number(5)),
    ("allowedOutboundClipboardSharingExceptionLength", .number(50), .number(0)),
    ("periodOfflineBeforeAccessCheck", duration("PT12H"), duration("PT30M")),
    ("periodOfflineBeforeAccessCheck", duration("PT0S"), duration("PT12H")),
    ("periodOfflineBeforeWipeIsEnforced", duration("PT0S"), duration("P90D")),
    ("periodBeforePinReset", duration("PT0S"), duration("P90D")),
    ("periodBeforePinReset", duration("P365D"), duration("P90D")),
    ("minimumRequiredOsVersion", .text("9.3"), .text("14.8")), ("minimumRequiredOsVersion", .text("0.0"), .text("1")),
    ("minimumWarningAppVersion", .text(""), .text("1.0")), ("maximumRequiredOsVersion", .text("17.0"), .text("16.9")),
    ("maximumWipeOsVersion", .text(""), .text("18")),
    ("minimumRequiredPatchVersion", .text("2020-02-01"), .text("2020-10-01")),
    ("allowedOutboundClipboardSharingLevel", .choice(0), .choice(1)),
    ("allowedOutboundClipboardSharingLevel", .choice(3), .choice(127)),
    ("appDataEncryptionType", .choice(0), .choice(3)), ("notificationRestriction", .choice(1), .choice(2)),
    ("maximumAllowedDeviceThreatLevel", .choice(0), .choice(4)),
    ("maximumAllowedDeviceThreatLevel", .choice(4), .choice(1)),
    ("appActionIfUnableToAuthenticateUser", .choice(2), .choice(0)),
    ("mobileThreatDefenseRemediationAction", .choice(0), .choice(1)),
    ("appActionIfMaximumPinRetriesExceeded", .choice(1), .choice(127)),
    ("screenCaptureConfigurationState", .choice(0), .choice(1)),
    ("screenCaptureConfigurationState", .choice(1), .choice(2)),
    ("dialerRestrictionLevel", .choice(0), .choice(3)),
    ("protectedMessagingRedirectAppType", .choice(1), .choice(3)),
  ]

  @Test("The stricter value wins in either order, and says from which policy it came")
  func strictest() throws {
    for (name, loose, strict) in Self.pairs {
      let property = try #require(PolicyProperty.named(name))
      let policies = [Self.setting(name, loose), Self.setting(name, strict), PolicyDocument()]
      for (order, winner) in [(policies, 1), ([policies[1], policies[2], policies[0]], 0)] {
        let combination = PolicyCombination(of: order)
        expectEqual(combination.policy[property], .value(strict), "\(name)")
        expectEqual(combination.origins, [.init(property: property, policies: [winner], ground: .strictest)], "\(name)")
      }
    }
  }

  @Test("A single policy stays as it is, without what describes it, and combining again changes nothing")
  func single() {
    let combination = PolicyCombination(of: [PolicySamples.full])
    for property in PolicyProperty.all {
      let expected: PolicySetting = property.combination == .notCombined ? .absent : PolicySamples.full[property]
      expectEqual(combination.policy[property], expected, "\(property.name)")
    }
    #expect(combination.origins.allSatisfy { $0.policies == [0] && $0.ground == .only && !$0.isDisputed })
    expectEqual(PolicyCombination(of: [combination.policy]).policy, combination.policy)
    expectEqual(PolicyCombination(of: [combination.policy, combination.policy]).policy, combination.policy)
    expectEqual(PolicyCombination(of: []).policy, PolicyDocument())
  }

  @Test("A policy for groups replaces the default policy, and is not merged with it")
  func replacing() {
    let fallback = Self.policy(.defaultPolicy) { $0.access.pinRequired = true }
    let targeted = Self.policy { $0.surfaces.printBlocked = true }
    let both = PolicyCombination(of: [fallback, targeted])
    expectEqual(both.replaced, [0])
    #expect(both.policy.kind == .targetedPolicy && both.policy.access.pinRequired == nil)
    expectEqual(both.policy.surfaces.printBlocked, true)
    expectEqual(both.origins.map(\.policies), [[1]])
    let alone = PolicyCombination(of: [fallback])
    #expect(alone.replaced == [] && alone.policy.kind == .defaultPolicy && alone.policy.access.pinRequired == true)
  }

  @Test("The settings of one choice are taken together from the strictest policy")
  func groups() {
    let sharing = Self.policy {
      $0.dataTransfer.set(.managedAppsWithOSSharing)
      $0.dataTransfer.set(.allAppsWithIncomingOrganizationData)
    }
    let filtering = Self.policy {
      $0.dataTransfer.set(.managedAppsWithFiltering)
      $0.dataTransfer.set(ReceiveChoice.allApps)
    }
    for order in [[sharing, filtering], [filtering, sharing]] {
      let combination = PolicyCombination(of: order)
      expectEqual(combination.policy.dataTransfer.sendChoice, .managedAppsWithFiltering)
      expectEqual(combination.policy.dataTransfer.receiveChoice, .allAppsWithIncomingOrganizationData)
    }
    let edge = Self.policy {
      $0.redirection.managedBrowserToOpenLinksRequired = true
      $0.redirection.managedBrowser = .microsoftEdge
    }
    let other = Self.policy {
      $0.redirection.managedBrowserToOpenLinksRequired = true
      $0.redirection.customBrowserProtocol = "mybrowser"
    }
    expectEqual(PolicyCombination(of: [other, edge]).policy.redirection.webContentChoice, .microsoftEdge)
    #expect(PolicyCombination(of: [other, edge]).policy.redirection.customBrowserProtocol == nil)
    // Two dialers, equally strict: the first, with its own scheme.
    let dialers = ["one", "two"].map { scheme in
      Self.policy {
        $0.redirection.dialerRestrictionLevel = .customApp
        $0.redirection.customDialerAppProtocol = scheme
      }
    }
    expectEqual(PolicyCombination(of: dialers).policy.redirection.customDialerAppProtocol, "one")
  }

  @Test("A policy that prescribes an app without naming it gives way to one that names it, in any order")
  func unnamedApps() throws {
    let unnamed = Self.policy {
      $0.redirection.dialerRestrictionLevel = .customApp
      $0.redirection.protectedMessagingRedirectAppType = .specificApps
    }
    var named = unnamed
    named.redirection.customDialerAppProtocol = "skype"
    named.redirection.messagingRedirectAppUrlScheme = "sms"
    for (policies, place) in [([named, unnamed], 0), ([unnamed, named], 1), ([unnamed, named, unnamed], 1)] {
      let combination = PolicyCombination(of: policies)
      expectEqual(combination.policy.redirection.customDialerAppProtocol, "skype")
      expectEqual(combination.policy.redirection.messagingRedirectAppUrlScheme, "sms")
      for name in ["customDialerAppProtocol", "messagingRedirectAppUrlScheme"] {
        let origin = try #require(combination.origins.first { $0.property.name == name })
        #expect(origin.ground == .only && origin.policies == [place], "\(name): \(origin.ground)")
      }
    }
  }

  @Test("The ground says whether a value is alone, agreed, the strictest, common to lists, or the first of equals")
  func grounds() throws {
    func locations(_ list: [DataStorageLocation]) -> PolicyDocument {
      Self.policy {
        $0.dataTransfer.saveAsBlocked = true
        $0.dataTransfer.allowedDataStorageLocations = list
      }
    }
    func dialer(_ level: DialerRestrictionLevel, _ scheme: String) -> PolicyDocument {
      Self.policy {
        $0.redirection.dialerRestrictionLevel = level
        $0.redirection.customDialerAppProtocol = scheme
      }
    }
    let version = { Self.setting("minimumRequiredOsVersion", .text($0)) }
    let rows: [(name: String, policies: [PolicyDocument], ground: CombinationGround, from: [Int])] = [
      ("pinRequired", [Self.setting("pinRequired", .flag(true)), PolicyDocument()], .only, [0]),
      ("minimumRequiredOsVersion", [version("9"), version("9")], .same, [0, 1]),
      ("minimumRequiredOsVersion", [version("9"), version("10")], .strictest, [1]),
      ("minimumRequiredOsVersion", [version("10.0"), version("9"), version("10")], .first, [0]),
      ("minimumRequiredOsVersion", [version("10"), version("9"), version("10")], .strictest, [0, 2]),
      (
        "mobileThreatDefensePartnerPriority",
        [0, 1].map { Self.setting("mobileThreatDefensePartnerPriority", .choice($0)) }, .first, [0]
      ),
      ("allowedDataStorageLocations", [locations([.box]), locations([.box, .egnyte])], .common, [0, 1]),
      ("allowedDataStorageLocations", [locations([.box]), locations([.box])], .same, [0, 1]),
      ("allowedDataStorageLocations", [locations([.box]), PolicyDocument()], .only, [0]),
      ("customDialerAppProtocol", [dialer(.customApp, "one"), dialer(.customApp, "two")], .first, [0]),
      ("customDialerAppProtocol", [dialer(.allApps, "one"), dialer(.customApp, "two")], .strictest, [1]),
      ("customDialerAppProtocol", [dialer(.allApps, "one"), dialer(.customApp, "one")], .same, [0, 1]),
    ]
    for (name, policies, ground, from) in rows {
      let origin = try #require(PolicyCombination(of: policies).origins.first { $0.property.name == name })
      #expect(origin.ground == ground && origin.policies == from, "\(name): \(origin.ground) \(origin.policies)")
    }
    expectEqual(Set(rows.map(\.ground)), Set(CombinationGround.allCases))
  }

  @Test("Lists intersect, and only those that loosen something count")
  func lists() throws {
    let one = Self.policy {
      $0.dataTransfer.saveAsBlocked = true
      $0.dataTransfer.allowedDataStorageLocations = [.sharePoint, .oneDriveForBusiness, .unrecognized]
      $0.conditionalLaunch.allowedIosDeviceModels = "iPhone5,2; iPad4,1;"
      $0.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "skype;itms;"), PolicyPair("Own", "Alpha")]
      $0.redirection.exemptedUniversalLinks = ["http://Maps.apple.com", "x"]
    }
    let other = Self.policy {
      $0.dataTransfer.saveAsBlocked = true
      $0.dataTransfer.allowedDataStorageLocations = [.oneDriveForBusiness, .box, .unrecognized]
      $0.conditionalLaunch.allowedIosDeviceModels = "IPHONE5,2"
      $0.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "alpha;SKYPE;")]
      $0.redirection.exemptedUniversalLinks = ["http://maps.apple.com"]
    }
    let open = Self.policy {
      $0.dataTransfer.set(SendChoice.allApps)
      $0.dataTransfer.saveAsBlocked = false
      $0.dataTransfer.allowedDataStorageLocations = []
      $0.conditionalLaunch.allowedIosDeviceModels = ""
      $0.dataTransfer.exemptedAppProtocols = []
    }
    let combination = PolicyCombination(of: [one, open, other])
    expectEqual(combination.policy.dataTransfer.allowedDataStorageLocations, [.oneDriveForBusiness])
    expectEqual(combination.policy.conditionalLaunch.allowedIosDeviceModels, "iPhone5,2;")
    expectEqual(combination.policy.dataTransfer.exemptedAppProtocols, [PolicyPair("Default", "skype;Alpha;")])
    expectEqual(combination.policy.redirection.exemptedUniversalLinks, ["http://Maps.apple.com"])
    let property = try #require(PolicyProperty.named("allowedDataStorageLocations"))
    let origin = try #require(combination.origins.first { $0.property == property })
    #expect(origin.policies == [0, 2] && origin.isDisputed && origin.property.name == property.name)
    expectEqual(origin.ground, .common)
  }

  @Test("Lists of device models without a common one allow no model, and a list without entries allows all")
  func models() throws {
    let lists = ["iPhone5,2;", "iPad4,1", " ; "].map { text in
      Self.policy { $0.conditionalLaunch.allowedIosDeviceModels = text }
    }
    for (places, expected) in [
      ([0, 1], false), ([0, 1, 0], false), ([0, 2], true), ([2, 0], true), ([1, 2], false),
    ] {
      let combined = PolicyCombination(of: places.map { lists[$0] }).policy
      let app = try LaunchSituation.managed {
        $0.conditionalLaunch.allowedIosDeviceModels = combined.conditionalLaunch.allowedIosDeviceModels
      }
      var other = app
      try LaunchSituation.restart(&other) { $0.deviceModel = "iPhone5,2" }
      #expect((try LaunchSituation.outcome(other) == .allowed) == expected, "\(places)")
    }
  }

  /// Of two policies none may be stricter than what both come to: checked for every pair of choices about sending, where
  /// strictness is written down here once more.
  @Test("What two policies come to lets out no more than either")
  func noLooser() {
    for one in SendChoice.allCases {
      for other in SendChoice.allCases {
        let policies = [one, other].map { choice in Self.policy { $0.dataTransfer.set(choice) } }
        let combined = PolicyCombination(of: policies).policy.dataTransfer
        let levels = [one.level, other.level]
        expectEqual(
          combined.allowedOutboundDataTransferDestinations,
          levels.contains(.noApps) ? .noApps : levels.contains(.managedApps) ? .managedApps : .allApps)
        if combined.disableProtectionOfManagedOutboundOpenInData == true {
          #expect([one, other].allSatisfy { $0 == .managedAppsWithOSSharing || $0 == .allApps })
        }
      }
    }
  }
}
