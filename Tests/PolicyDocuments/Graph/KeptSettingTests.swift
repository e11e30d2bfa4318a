import Expectations
import Testing

@testable import AppProtection
@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("What is kept and decides nothing")
struct KeptSettingTests {
  @Test("The members about a policy itself are read under Graph's names, each into its own setting")
  func about() throws {
    let policy = try GraphPolicyTests.checked(
      #"""
      "id": "T_1", "displayName": "n", "description": "d", "version": "\"3c00\"", "roleScopeTagIds": ["0", "7"],
      "createdDateTime": "2021-09-30T17:05:00.1234567Z", "lastModifiedDateTime": "2022-01-02T03:04:05Z"
      """#)
    #expect(policy.about.id == "T_1" && policy.about.displayName == "n" && policy.about.description == "d")
    #expect(policy.about.version == "\"3c00\"" && policy.about.roleScopeTagIds == ["0", "7"])
    expectEqual(policy.about.createdDateTime?.text, "2021-09-30T17:05:00.1234567Z")
    expectEqual(policy.about.lastModifiedDateTime?.text, "2022-01-02T03:04:05Z")
  }

  @Test("Whom a policy targets is read: groups, devices and apps")
  func targeting() throws {
    let targeting = try GraphPolicyTests.checked(
      #"""
      "isAssigned": true, "deployedAppCount": 11, "appGroupType": "allCoreMicrosoftApps",
      "targetedAppManagementLevels": "unmanaged,androidEnterprise",
      "apps": [{"id": "x.ios", "version": "-7", "mobileAppIdentifier": {"bundleId": "x"}}]
      """#
    ).targeting
    #expect(targeting.isAssigned == true && targeting.deployedAppCount == 11)
    expectEqual(targeting.appGroupType, .allCoreMicrosoftApps)
    expectEqual(targeting.targetedAppManagementLevels?.rawValue, 1 | 4)
    #expect(targeting.apps?.map(\.id) == ["x.ios"] && targeting.apps?.map(\.version) == ["-7"])
    expectEqual(targeting.apps?.map(\.bundleID), ["x"])
  }

  @Test("A group is included or excluded by its target's type, with or without a number sign, and may have a filter")
  func assignments() throws {
    for sign in ["#", ""] {
      func target(_ name: String, _ more: String) -> String {
        #"{"id": "\#(name)", "target": {"@odata.type": "\#(sign)microsoft.graph.\#(name)"\#(more)}}"#
      }
      let targets = [
        target("groupAssignmentTarget", #", "groupId": "g""#),
        target(
          "exclusionGroupAssignmentTarget",
          #", "groupId": "h", "deviceAndAppManagementAssignmentFilterId": "f", "#
            + #""deviceAndAppManagementAssignmentFilterType": "exclude""#),
        target("allLicensedUsersAssignmentTarget", ""),
      ]
      let policy = try GraphPolicyTests.checked("\"assignments\": [\(targets.joined(separator: ","))]")
      let assignments = try #require(policy.targeting.assignments)
      expectEqual(assignments.map(\.groupID), ["g", "h", nil])
      expectEqual(assignments.map(\.target), [.group, .exclusion, .allUsers])
      expectEqual(assignments.map(\.filterID), [nil, "f", nil])
      expectEqual(assignments.map(\.filterType), [nil, "exclude", nil])
    }
  }

  @Test("An app's identifier is read whether its type has a number sign or not, or is not written")
  func identifiers() throws {
    for type in [
      ##""@odata.type": "#microsoft.graph.iosMobileAppIdentifier", "##,
      #""@odata.type": "microsoft.graph.iosMobileAppIdentifier", "#, "",
    ] {
      let policy = try GraphPolicyTests.checked(
        #""apps": [{"id": "x.ios", "mobileAppIdentifier": {\#(type)"bundleId": "x"}}]"#)
      expectEqual(policy.targeting.apps?.map(\.bundleID), ["x"])
    }
  }

  @Test("A list of pairs may be empty, and a pair may lack its text")
  func pairs() throws {
    try expectEqual(GraphPolicyTests.checked(#""exemptedAppProtocols": []"#).dataTransfer.exemptedAppProtocols, [])
    let policy = try GraphPolicyTests.checked(
      #""exemptedAppProtocols": [{"name": "Default", "value": "skype;tel"}, {"name": "Mine", "value": ""}, {"name": "x"}]"#
    )
    expectEqual(policy.dataTransfer.exemptedAppProtocols?.map(\.name), ["Default", "Mine", "x"])
    expectEqual(policy.dataTransfer.exemptedAppProtocols?.map(\.value), ["skype;tel", "", nil])
  }

  @Test("The settings of the default policy are read under Graph's names, each into its own setting")
  func defaultPolicy() throws {
    let members = #"""
      "@odata.type": "#microsoft.graph.defaultManagedAppProtection", "encryptAppData": true,
      "disableAppEncryptionIfDeviceEncryptionIsEnabled": false, "minimumRequiredPatchVersion": "2020-01-05",
      "minimumWarningPatchVersion": "2021-02-06", "screenCaptureBlocked": true,
      "customSettings": [{"name": "k", "value": "v"}]
      """#
    let settings = try Samples.policy("{\(members)}").policy.defaultPolicy
    #expect(settings.encryptAppData == true && settings.disableAppEncryptionIfDeviceEncryptionIsEnabled == false)
    #expect(settings.minimumRequiredPatchVersion == "2020-01-05" && settings.minimumWarningPatchVersion == "2021-02-06")
    #expect(settings.screenCaptureBlocked == true && settings.customSettings?.map(\.value) == ["v"])
  }
}
