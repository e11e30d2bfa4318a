import Expectations
import AppProtection
import JSON
import PolicyDocuments
import Testing
import WireFormat

@Suite("The real documents")
struct RealDocumentTests {
  /// What must become of each file: the policy's name and how many apps it lists, or the whole message.
  enum Expected {
    case policy(String, apps: Int?)
    case refused(String)
  }

  static let onlyPolicies = "give a document of type iosManagedAppProtection or defaultManagedAppProtection"
  static let android = "androidManagedAppProtection is not an iOS policy; \(onlyPolicies)"
  static let level1 = "level-1-enterprise-basic-data-protection-iOS"
  static let level2 = "level-2-enterprise-enhanced-data-protection-iOS"
  static let level3 = "level-3-enterprise-high-data-protection-iOS"

  static let expectations: [(file: String, expected: Expected)] = [
    (
      "graphdocs_beta_iosManagedAppProtection_get.json",
      .refused(
        "line 13, column 39: value.periodOfflineBeforeAccessCheck: the duration is negative: \"-PT17.1357909S\"; write a duration of zero or more, such as PT12H"
      )
    ),
    (
      "graphdocs_beta_iosManagedAppRegistration_get.json",
      .refused(
        "line 3, column 20: value[\"@odata.type\"]: iosManagedAppRegistration is not an iOS policy; \(onlyPolicies)")
    ),
    (
      "graphdocs_v1_managedAppPolicyDeploymentSummary_get.json",
      .refused(
        "line 3, column 20: value[\"@odata.type\"]: managedAppPolicyDeploymentSummary is not an iOS policy; \(onlyPolicies)"
      )
    ),
    (
      "graphdocs_v1_targetedManagedAppConfiguration_get.json",
      .refused(
        "line 3, column 20: value[\"@odata.type\"]: targetedManagedAppConfiguration is not an iOS policy; \(onlyPolicies)"
      )
    ),
    ("icf_2020-03-05_064a122_level-3-enterprise-high-data-protection-iOS-05-03-2020.json", .policy(level3, apps: 11)),
    (
      "icf_2020-03-05_32b8eec_level-2-enterprise-enhanced-data-protection-iOS-05-03-2020.json",
      .policy(level2, apps: 11)
    ),
    ("icf_2020-03-05_ea1d32b_level-1-enterprise-basic-data-protection-iOS-05-03-2020.json", .policy(level1, apps: 11)),
    (
      "icf_2020-03-05_ec85ca0_level-1-enterprise-basic-data-protection-Android.json",
      .refused("line 190, column 21: [\"@odata.type\"]: \(android)")
    ),
    ("icf_2020-03-06_22087be_level-3-enterprise-high-data-protection-iOS.json", .policy(level3, apps: 11)),
    ("icf_2020-03-06_740eddf_level-1-enterprise-basic-data-protection-iOS.json", .policy(level1, apps: 11)),
    ("icf_2020-03-06_cb55e9c_level-2-enterprise-enhanced-data-protection-iOS.json", .policy(level2, apps: 11)),
    (
      "icf_2020-04-22_077d0b6_level-1-enterprise-basic-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Basic Data Protection", apps: 11)
    ),
    (
      "icf_2020-04-22_97686e8_level-2-enterprise-enhanced-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Enhanced Data Protection", apps: 11)
    ),
    (
      "icf_2020-04-22_c09224f_level-3-enterprise-high-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise High Data Protection", apps: 11)
    ),
    (
      "icf_2020-04-23_c1ed38c_level-2-enterprise-enhanced-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Enhanced Data Protection", apps: 11)
    ),
    (
      "icf_2020-04-27_25ee9c1_level-3-enterprise-high-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise High Data Protection", apps: 11)
    ),
    (
      "icf_2020-07-15_3dd5158_level-1-enterprise-basic-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Basic Data Protection v1.1", apps: 11)
    ),
    (
      "icf_2020-07-15_7b1b8a2_level-2-enterprise-enhanced-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Enhanced Data Protection v1.1", apps: 11)
    ),
    (
      "icf_2020-09-22_fa7dc8f_level-3-enterprise-high-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise High Data Protection v1.2", apps: 11)
    ),
    (
      "icf_2020-11-17_44335e0_level-2-enterprise-enhanced-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Enhanced Data Protection v1.4", apps: 11)
    ),
    (
      "icf_2020-11-17_7246c8c_level-3-enterprise-high-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise High Data Protection v1.4", apps: 11)
    ),
    (
      "icf_2021-09-30_79fd1a7_level-1-enterprise-basic-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise Basic Data Protection v1.2", apps: nil)
    ),
    (
      "icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json",
      .policy("iOS/iPadOS Enterprise High Data Protection v1.5", apps: nil)
    ),
    (
      "icf_2021-10-05_34eec8e_level-3-enterprise-high-data-protection-Android.json",
      .refused("line 141, column 21: [\"@odata.type\"]: \(android)")
    ),
    (
      "icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json",
      .refused("line 99, column 21: [\"@odata.type\"]: \(android)")
    ),
  ]

  @Test("There is an expectation for every file, and a file for every expectation")
  func everyFile() throws {
    try expectEqual(Samples.names(), Self.expectations.map(\.file).sorted())
    expectEqual(Self.expectations.count, 25)
  }

  @Test("Every document becomes a policy, or is refused by name, line and column")
  func outcomes() throws {
    for (file, expected) in Self.expectations {
      let bytes = try Samples.bytes(file)
      switch expected {
      case .policy(let name, let apps):
        let document = try GraphDocument.read(bytes, file: file)
        expectEqual(document.policies.map(\.policy.about.displayName), [name], "\(file)")
        expectEqual(document.policies.first?.policy.targeting.apps?.count, apps, "\(file)")
        expectEqual(document.policies.first?.source.typeEvidence, .declared)
        #expect(document.refusals.isEmpty)
      case .refused(let message):
        let error = try #require(throws: PolicyDocumentError.self) { try GraphDocument.read(bytes, file: file) }
        expectEqual(error.description, "\(file): \(message)")
      }
    }
  }

  @Test("S-94: reading and writing a document again loses nothing, through JSON and through wire format")
  func roundTrips() throws {
    for (file, expected) in Self.expectations {
      guard case .policy = expected else { continue }
      let bytes = try Samples.bytes(file)
      let original = try JSONDocument.parse(bytes).value
      let policy = try #require(try GraphDocument.read(bytes).policies.first?.policy)
      #expect(policy.graphJSON().isEquivalent(to: original), "\(file)")

      var writer = WireWriter()
      policy.encode(into: &writer)
      let decoded = try WireReader.decode(writer.bytes) { (reader) throws(WireError) in
        try PolicyDocument(from: &reader)
      }
      expectEqual(decoded, policy, "\(file)")
      expectEqual(decoded.graphJSON(), policy.graphJSON(), "\(file)")
      var again = WireWriter()
      decoded.encode(into: &again)
      expectEqual(again.bytes, writer.bytes, "\(file)")
      // Everything in these documents is known: only the type annotation is kept as JSON.
      expectEqual(policy.keptMembers.map(\.name), ["@odata.type"], "\(file)")
    }
  }

  @Test("Level 3 of 2021 says what its document says")
  func level3Settings() throws {
    let bytes = try Samples.bytes("icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json")
    let policy = try #require(try GraphDocument.read(bytes).policies.first?.policy)
    expectEqual(policy.kind, .targetedPolicy)
    expectEqual(policy.about.roleScopeTagIds, ["0"])
    expectEqual(policy.dataTransfer.saveAsBlocked, true)
    expectEqual(policy.dataTransfer.allowedDataStorageLocations, [.oneDriveForBusiness, .sharePoint])
    expectEqual(policy.dataTransfer.allowedOutboundDataTransferDestinations, .managedApps)
    expectEqual(policy.dataTransfer.blockDataIngestionIntoOrganizationDocuments, true)
    expectEqual(policy.redirection.managedBrowser, [.microsoftEdge])
    expectEqual(policy.redirection.customBrowserProtocol, "")
    expectEqual(policy.redirection.customDialerAppProtocol, "replace_with_dialer_app_url_scheme")
    expectEqual(policy.access.minimumPinLength, 6)
    expectEqual(policy.access.periodBeforePinReset?.nanoseconds, 31_536_000_000_000_000)
    expectEqual(policy.conditionalLaunch.maximumRequiredOsVersion, "15.0")
    #expect(policy.conditionalLaunch.minimumWarningOsVersion == nil)
    expectEqual(PolicyProperty.named("minimumWarningOsVersion").map { policy[$0] }, .null)
    expectEqual(PolicyProperty.named("mobileThreatDefensePartnerPriority").map { policy[$0] }, .absent)
    expectEqual(policy.encryption.appDataEncryptionType, .whenDeviceLocked)
    expectEqual(policy.targeting.targetedAppManagementLevels, [])
  }

  @Test("The reference's example with positive durations has every setting but the lists it leaves out")
  func referenceExample() throws {
    let bytes = try Samples.bytes("graphdocs_beta_iosManagedAppProtection_get.json")
    let text = String(decoding: bytes, as: UTF8.self).split(separator: "\"-PT").joined(separator: "\"PT")
    let document = try GraphDocument.read(Array(text.utf8))
    let item = try #require(document.policies.first)
    expectEqual(item.source.path.description, "value")
    #expect(item.source.position.line == 2 && item.source.position.column == 12)
    let absent = PolicyProperty.all.filter { item.policy[$0] == .absent }.map(\.name)
    expectEqual(
      absent,
      [
        "assignments", "apps", "customSettings", "encryptAppData", "disableAppEncryptionIfDeviceEncryptionIsEnabled",
        "minimumRequiredPatchVersion", "minimumWarningPatchVersion", "screenCaptureBlocked",
      ])
    expectEqual(
      item.policy.keptMembers, [KeptMember("@odata.type", json: "\"#microsoft.graph.iosManagedAppProtection\"")])
    let original = try #require(try JSONDocument.parse(text).value.object?["value"])
    #expect(item.policy.graphJSON().isEquivalent(to: original))
  }
}
