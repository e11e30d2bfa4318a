import Expectations
import AppProtection
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Policies of every platform")
struct PlatformPolicyTests {
  @Test("Names are unique within a platform, numbers over all, and those of its own are not on the wire")
  func tables() {
    let wire = PolicyProperty.all.map(\.number).max() ?? 0
    for platform in PolicyPlatform.allCases {
      let names = platform.properties.map(\.name)
      expectEqual(Set(names).count, names.count)
      for property in platform.properties {
        expectEqual(platform.property(named: property.name), property)
        expectEqual(property.isKept, property.number > wire, "\(property.name)")
        #expect(property.meaning.count > 10)
      }
    }
    let properties = Set(PolicyPlatform.allCases.flatMap(\.properties))
    expectEqual(Set(properties.map(\.number)).count, properties.count)
  }

  @Test("A platform has every member that Graph documents for it, but for those that are kept on iOS too")
  func completeness() {
    let types: [(PolicyPlatform, GraphMember.Types)] = [(.android, .android), (.windows, .windows)]
    for (platform, type) in types {
      let documented = GraphMember.all.filter { $0.types.contains(type) }.map(\.name)
      let missing = documented.filter { platform.property(named: $0) == nil }
      expectEqual(
        missing,
        platform == .android ? ["deploymentSummary", "purviewContentEvaluationRequired"] : ["deploymentSummary"])
      #expect(platform.properties.allSatisfy { documented.contains($0.name) })
    }
  }

  @Test("Every setting of a platform is shown once, under ascending places", arguments: PolicyPlatform.allCases)
  func portal(platform: PolicyPlatform) {
    let shown = PortalSetting.all(on: platform).flatMap(\.properties)
    expectEqual(shown.map(\.name).sorted(), platform.properties.map(\.name).sorted())
    for group in PortalGroup.allCases {
      let places = platform.properties.compactMap(platform.entry(of:)).filter { $0.group == group }.map(\.place)
      expectEqual(Set(places).count, places.count, "\(platform) \(group)")
    }
    let titles = PortalSetting.all(on: platform).map(\.title)
    expectEqual(Set(titles).count, titles.count)
  }

  @Test("Every setting is read, shown in words, and written as it came", arguments: PolicyPlatform.allCases)
  func roundTrip(platform: PolicyPlatform) throws {
    let members = platform.properties.map { "\"\($0.name)\": \(PlatformSamples.json($0, on: platform))" }
      .joined(separator: ", ")
    let text = PlatformSamples.text(platform, members)
    let policy = try PlatformSamples.policy(platform, members)
    expectEqual(policy.kind.platform, platform)
    for property in platform.properties {
      guard case .value(let value) = policy[property] else {
        Issue.record("\(property.name) has no value")
        continue
      }
      // What a setting says is what it is set to.
      var other = policy
      other[property] = .absent
      expectEqual(other[property], .absent)
      other[property] = .value(value)
      #expect(other[property] == .value(value) && property.isSame(in: other, as: policy), "\(property.name)")
      other[property] = .null
      #expect(other[property] == .null && other.nullNumbers.allSatisfy { $0 < 1000 })
    }
    #expect(policy.graphJSON().isEquivalent(to: try JSONDocument.parse(Array(text.utf8)).value))
    let unworded = PortalSetting.all(on: platform).filter { $0.words(policy) == nil }.map(\.title)
    expectEqual(unworded, [])
  }

  @Test("Nulls, unknown members, unknown names and annotations are kept", arguments: PolicyPlatform.allCases)
  func kept(platform: PolicyPlatform) throws {
    let nulls = platform.properties.map { "\"\($0.name)\": null" }.joined(separator: ", ")
    let text = PlatformSamples.text(platform, nulls)
    let policy = try PlatformSamples.policy(platform, nulls)
    #expect(platform.properties.allSatisfy { policy[$0] == .null })
    #expect(policy.graphJSON().isEquivalent(to: try JSONDocument.parse(Array(text.utf8)).value))
    let choices = platform.properties.filter { if case .choice = $0.kind { true } else { false } }
    let unknown =
      choices.map { "\"\($0.name)\": \"ofTomorrow\"" }.joined(separator: ", ")
      + ##", "newMember": {"a": [1, 2.50]}, "apps@odata.context": "x""##
    let other = try PlatformSamples.policy(platform, unknown)
    for property in choices { expectEqual(other[property], .value(.choice(127)), "\(property.name)") }
    #expect(
      other.graphJSON().isEquivalent(
        to: try JSONDocument.parse(Array(PlatformSamples.text(platform, unknown).utf8)).value))
  }

  @Test(
    "The real policies for Android are read, and written as they came", arguments: try PlatformSamples.androidNames())
  func real(name: String) throws {
    let bytes = try Samples.bytes(name)
    let policy = try PlatformSamples.policy(named: name)
    expectEqual(policy.kind, .androidPolicy)
    #expect(policy.graphJSON().isEquivalent(to: try JSONDocument.parse(bytes).value))
    let unknown = policy.keptMembers.filter {
      !$0.describesResponse && PolicyPlatform.android.property(named: $0.name) == nil
    }
    expectEqual(unknown, [])
    // A journal would lose nothing of it either, although none holds one.
    expectEqual(policy, policy)
  }

  @Test("Words of a real policy for Android")
  func words() throws {
    let policy = try PlatformSamples.policy(
      named: "icf_2021-10-05_34eec8e_level-3-enterprise-high-data-protection-Android.json")
    func words(_ title: String) -> String? {
      PortalSetting.all(on: .android).first { $0.title == title }?.words(policy)
    }
    expectEqual(words("Backup org data to Android backup services"), "Block")
    expectEqual(words("Screen capture and Google Assistant"), "Block")
    expectEqual(words("Encrypt org data"), "Require")
    expectEqual(words("Encrypt org data on enrolled devices"), "Require")
    expectEqual(words("Restrict web content transfer with other apps"), "Microsoft Edge")
    #expect(words("Unmanaged Browser ID") == nil)
    expectEqual(words("Approved keyboards"), "Require")
    expectEqual(words("Select keyboards to approve")?.hasPrefix("Gboard - the Google Keyboard (com.google."), true)
    expectEqual(words("Select apps to exempt"), "0 selected")
    #expect(words("Min patch version, Block access") == nil)
    expectEqual(words("Play integrity verdict"), "Basic integrity and device integrity, Block access")
    expectEqual(words("Play integrity verdict evaluation type"), "Check strong integrity")
    expectEqual(words("Require threat scan on apps"), "Require, Block access")
    expectEqual(words("Require device lock"), "Block access")
    #expect(words("Device model(s)") == nil)
    #expect(words("Max Company Portal version age (days), Warn") == nil)
    expectEqual(words("Send Org data to other apps"), "Policy managed apps")
    expectEqual(words("Transfer telecommunications data to"), "Any policy-managed dialer app")
  }

  @Test("Words of settings that the real policies leave alone")
  func otherWords() throws {
    let cases: [(PolicyPlatform, String, String, String)] = [
      (
        .android, #""managedBrowserToOpenLinksRequired": true, "customBrowserPackageId": "org.mozilla.firefox""#,
        "Restrict web content transfer with other apps", "Unmanaged browser"
      ),
      (
        .android, #""appActionIfDevicePasscodeComplexityLessThanMedium": "block""#, "Require device lock, complexity",
        "Medium complexity: Block access"
      ),
      (
        .android, #""appActionIfSamsungKnoxAttestationRequired": "blockWhenSettingIsSupported""#,
        "Samsung Knox device attestation", "Block access on supported devices"
      ),
      (
        .android,
        #""allowedAndroidDeviceManufacturers": "Google;Samsung", "appActionIfAndroidDeviceManufacturerNotAllowed": "wipe""#,
        "Device manufacturer(s)", "Google;Samsung, Allow specified (Wipe non-specified)"
      ),
      (
        .android, #""allowedAndroidDeviceModels": ["Pixel 9"]"#, "Device model(s)",
        "Pixel 9, Allow specified (Block non-specified)"
      ),
      (
        .android, #""exemptedAppPackages": [{"name": "Maps", "value": "com.google.android.apps.maps"}]"#,
        "Select apps to exempt", "Maps (com.google.android.apps.maps)"
      ),
      (.android, #""minimumWipePatchVersion": "2026-01-05""#, "Min patch version, Wipe data", "2026-01-05"),
      (
        .android, #""blockAfterCompanyPortalUpdateDeferralInDays": 30"#,
        "Max Company Portal version age (days), Block access", "30"
      ),
      (.android, #""targetedAppManagementLevels": "androidEnterprise""#, "Device types", "Android Enterprise"),
      (.windows, #""allowedInboundDataTransferSources": "none""#, "Receive data from", "No sources"),
      (.windows, #""allowedOutboundDataTransferDestinations": "allApps""#, "Send org data to", "All destinations"),
      (
        .windows, #""allowedOutboundClipboardSharingLevel": "orgDestinationAnySource""#,
        "Allow cut, copy, and paste for",
        "Org data destinations and any source"
      ),
      (
        .windows, #""allowedOutboundDataTransferDestinations": "managedApps""#, "Send org data to",
        "(a value that is not known)"
      ),
      (
        .windows,
        ##""apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.windowsAppIdentifier", "windowsAppId": "com.microsoft.edge"}}]"##,
        "Apps", "com.microsoft.edge"
      ),
    ]
    for (platform, members, title, words) in cases {
      let policy = try PlatformSamples.policy(platform, members)
      expectEqual(PortalSetting.all(on: platform).first { $0.title == title }?.words(policy), words, "\(title)")
    }
  }

  @Test("A policy without a type is for Android if a member says so, and none else does")
  func untyped() throws {
    func kind(_ members: String) -> PolicyKind? {
      (try? PolicyFile.read(Array("{\(members)}".utf8)))?.policies.first?.policy.kind
    }
    expectEqual(kind(#""keyboardsRestricted": true, "pinRequired": true"#), .androidPolicy)
    #expect(kind(#""keyboardsRestricted": true, "faceIdBlocked": true"#) == nil)
    expectEqual(kind(#""genmojiConfigurationState": "blocked""#), .targetedPolicy)
    #expect(kind(#""pinRequired": true"#) == nil)
    let list =
      #"{"@odata.context": "https://x/$metadata#deviceAppManagement/windowsManagedAppProtections", "value": [{"printBlocked": true}]}"#
    try expectEqual(PolicyFile.read(Array(list.utf8)).policies.map(\.policy.kind), [.windowsPolicy])
  }

  @Test("A value that a setting cannot have is unknown, with its place", arguments: [PolicyPlatform.android, .windows])
  func garbled(platform: PolicyPlatform) throws {
    for property in platform.properties {
      let text = PlatformSamples.text(platform, "\"\(property.name)\": {\"a\": 1}")
      let item = try #require(try PolicyFile.read(Array(text.utf8), name: "p.json").policies.first)
      expectEqual(item.lost, [property.name])
      let findings = item.findings.filter { $0.rule == .unreadableValue }.map(\.description)
      #expect(findings.count == 1 && findings[0].hasPrefix("p.json: line 1, column "), "\(property.name): \(findings)")
      #expect(item.policy[property] == .absent, "\(property.name)")
    }
    let cases = [
      (#""periodOfflineBeforeAccessCheck": "-PT1S""#, "the duration is negative"),
      (#""printBlocked": "yes""#, "true or false"), (#""minimumRequiredOsVersion": {}"#, "did not write the value"),
    ]
    for (members, words) in cases {
      let file = try PolicyFile.read(Array(PlatformSamples.text(platform, members).utf8), name: "p.json")
      #expect(file.policies[0].findings.contains { $0.description.contains(words) }, "\(file.policies[0].findings)")
    }
  }

  @Test("A truncated policy is refused at every length, and never misread")
  func truncated() throws {
    let bytes = try Samples.bytes("icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json")
    for length in stride(from: 0, to: bytes.count - 3, by: 97) {
      #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(bytes.prefix(length))) }
    }
  }

  @Test("An app and its services take policies for iOS alone")
  func appsTakeIOSAlone() throws {
    for platform in [PolicyPlatform.android, .windows] {
      let json = try JSONDocument.parse(Array(PlatformSamples.text(platform, "\"printBlocked\": true").utf8))
      #expect(throws: PolicyDocumentError.self) { try GraphDocument.read(json) }
      let document = try GraphDocument.read(json, including: .everything)
      #expect(document.policies.isEmpty && document.refusals.map(\.foreignKind) == [.platform(platform.rawValue)])
    }
    let configuration = ##"{"@odata.type": "#microsoft.graph.androidManagedStoreAppConfiguration"}"##
    let document = try GraphDocument.read(try JSONDocument.parse(Array(configuration.utf8)), including: .everything)
    #expect(document.others.isEmpty && document.refusals.map(\.foreignKind) == [.platform("Android")])
  }
}
