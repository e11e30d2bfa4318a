import Expectations
import AppProtection
import JSON
import Testing
import WireFormat

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Members of a policy in Graph JSON")
struct GraphPolicyTests {
  /// A text for every property that differs from its neighbours'.
  static func sample(_ property: PolicyProperty) -> String {
    switch property.kind {
    case .text: return "\"text of \(property.name)\""
    case .flag: return "true"
    case .number(let range): return "\(range.upperBound)"
    case .duration: return "\"PT\(property.number)M4.5004762S\""
    case .date: return "\"2017-01-01T00:02:43.5775965-08:00\""
    case .choice(let names): return "\"\(names.members.dropLast().last?.name ?? "")\""
    case .choices(let names):
      return JSONValue.array(names.members.dropLast().reversed().map { .string($0.name) }).description
    case .flags(let names):
      return JSONValue.string(names.members.dropFirst().dropLast().map(\.name).joined(separator: ",")).description
    case .texts: return #"["b","","a"]"#
    case .pairs:
      return #"[{"@odata.type":"microsoft.graph.keyValuePair","name":"Default","value":"tel;"},{"name":"x"}]"#
    case .apps:
      return ##"[{"id":"a.ios","version":"-1","mobileAppIdentifier":{"@odata.type":"#x","bundleId":"a"}},{"id":"b"}]"##
    case .assignments:
      return ##"[{"id":"1","target":{"@odata.type":"#microsoft.graph.groupAssignmentTarget","groupId":"g"}}]"##
    }
  }

  static func wireCopy(_ policy: PolicyDocument) throws -> PolicyDocument {
    var writer = WireWriter()
    policy.encode(into: &writer)
    return try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try PolicyDocument(from: &reader) }
  }

  /// Reads the members, and checks that nothing is lost through JSON and through wire format.
  @discardableResult
  static func checked(_ members: String) throws -> PolicyDocument {
    let text = Samples.text(members)
    let policy = try Samples.policy(text).policy
    let original = try JSONDocument.parse(text).value
    #expect(policy.graphJSON().isEquivalent(to: original), "\(members)")
    let copy = try wireCopy(policy)
    expectEqual(copy, policy)
    expectEqual(copy.graphJSON(), policy.graphJSON())
    return policy
  }

  static func refusal(_ members: String) throws -> PolicyDocumentError {
    try #require(throws: PolicyDocumentError.self, "\(members)") { try Samples.policy(Samples.text(members)) }
  }

  @Test("Every property is read into a typed setting that holds all of it")
  func everyProperty() throws {
    let members = PolicyProperty.all.map { "\"\($0.name)\": \(Self.sample($0))" }.joined(separator: ",")
    let policy = try Self.checked(members)
    expectEqual(policy.keptMembers.map(\.name), ["@odata.type"])
    for property in PolicyProperty.all {
      guard case .value = policy[property] else {
        Issue.record("\(property.name) is not set")
        continue
      }
    }
    expectEqual(policy.targeting.targetedAppManagementLevels?.contains([.unmanaged, .mdm]), true)
    expectEqual(policy.targeting.apps?.first?.bundleID, "a")
    expectEqual(policy.targeting.assignments?.first?.groupID, "g")
    expectEqual(policy.dataTransfer.allowedDataIngestionLocations?.first, .photoLibrary)
  }

  @Test("Null, empty and absent are three things for every property")
  func nulls() throws {
    let nulls = PolicyProperty.all.map { "\"\($0.name)\": null" }.joined(separator: ",")
    let policy = try Self.checked(nulls)
    #expect(PolicyProperty.all.allSatisfy { policy[$0] == .null })
    try Self.checked("")
    let empty = try Self.checked("\"customBrowserProtocol\": \"\", \"apps\": [], \"exemptedAppProtocols\": []")
    #expect(empty.redirection.customBrowserProtocol == "" && empty.targeting.apps == [])
    #expect(empty.about.displayName == nil)
  }

  @Test(
    "Unknown members survive, and an unknown name is `unrecognized`",
    arguments: [
      ##""later": {"a": [1.50, null, "\u0027"], "b": {}}, "#microsoft.graph.assign": {"target": "x"}"##,
      ##""assignments@odata.context": "c", "apps@odata.type": "#Collection(x)", "": 0, "a/b": true"##,
      #""allowedOutboundDataTransferDestinations": "someApps", "managedBrowser": "microsoftEdge,otherBrowser""#,
      #""allowedDataStorageLocations": ["sharePoint", "dropbox", "box"], "pinCharacterSet": "Numeric""#,
      #""targetedAppManagementLevels": "mdm, unmanaged", "managedBrowser": "notConfigured""#,
      #""targetedAppManagementLevels": "", "allowedDataStorageLocations": ["unknownFutureValue"]"#,
      #""apps": [{"id": null, "version": "1", "mobileAppIdentifier": {"packageId": "x"}, "more": 1}]"#,
      #""exemptedAppProtocols": [{"name": "Default", "value": null}, {"name": "b", "x": []}]"#,
      #""assignments": [{"id": "1", "source": "direct", "target": {"groupId": null, "collectionId": "c"}}]"#,
      #""genmojiConfigurationState": "unknownFutureValue", "displayName": "e\u0301", "description": "\u00e9""#,
    ])
  func unknown(_ members: String) throws {
    try Self.checked(members)
  }

  @Test("Unknown names become `unrecognized` in their places")
  func unrecognized() throws {
    let policy = try Self.checked(
      #""allowedOutboundDataTransferDestinations": "someApps", "managedBrowser": "microsoftEdge,otherBrowser", "#
        + #""allowedDataStorageLocations": ["sharePoint", "dropbox"]"#)
    expectEqual(policy.dataTransfer.allowedOutboundDataTransferDestinations, .unrecognized)
    expectEqual(policy.redirection.managedBrowser, [.microsoftEdge, .unrecognized])
    expectEqual(policy.dataTransfer.allowedDataStorageLocations, [.sharePoint, .unrecognized])
    expectEqual(
      policy.keptMembers.map(\.name),
      ["@odata.type", "allowedDataStorageLocations", "allowedOutboundDataTransferDestinations", "managedBrowser"])
    var changed = policy
    for property in PolicyProperty.all where property.name == "managedBrowser" { changed[property] = .value(.flags(1)) }
    expectEqual(changed.graphJSON().object?["managedBrowser"], "microsoftEdge")
  }

  @Test(
    "Texts left over from a template are not errors",
    arguments: [
      #""minimumWipeOsVersion": "Minimum Wipe Os Version value""#, #""minimumRequiredOsVersion": "0.0""#,
      #""customDialerAppProtocol": "replace_with_dialer_app_url_scheme""#, #""version": "\"3c00\"""#,
      #""createdDateTime": "0001-01-01T00:00:00Z""#, #""minimumPinLength": 0"#,
    ])
  func placeholders(_ members: String) throws {
    try Self.checked(members)
  }

  @Test("Wrong types, ranges, durations and dates are refused with line, column, path and next step")
  func refusals() throws {
    let prefix = "line 1, column"
    let table: [(members: String, code: PolicyDocumentError.Code, description: String)] = [
      (
        #""pinRequired": "yes""#, .json(.wrongType),
        #"76: pinRequired: true or false is needed, and the text "yes" was found; write true or false without quotes"#
      ),
      (
        #""pinRequired": 1"#, .json(.wrongType),
        "76: pinRequired: true or false is needed, and the number 1 was found; write true or false without quotes"
      ),
      (
        #""maximumPinRetries": 0"#, .json(.outOfRange),
        "82: maximumPinRetries: the number 0 is out of range; write a number from 1 to 65535"
      ),
      (
        #""previousPinBlockCount": 25"#, .json(.outOfRange),
        "86: previousPinBlockCount: the number 25 is out of range; write a number from 0 to 24"
      ),
      (
        #""deployedAppCount": 99999999999999999999"#, .json(.outOfRange),
        "81: deployedAppCount: the number 99999999999999999999 is out of range; write a number from 0 to 2147483647"
      ),
      (
        #""minimumPinLength": "4""#, .json(.wrongType),
        #"81: minimumPinLength: a whole number is needed, and the text "4" was found; write a number from 0 to 65535"#
      ),
      (
        #""minimumPinLength": 4.5"#, .json(.wrongType),
        "81: minimumPinLength: the number 4.5 is not written as a whole number; write a number from 0 to 65535"
      ),
      (
        #""periodBeforePinReset": "-PT17.1357909S""#, .text(.negativeDuration),
        #"85: periodBeforePinReset: the duration is negative: "-PT17.1357909S"; write a duration of zero or more, "#
          + "such as PT12H"
      ),
      (
        #""periodBeforePinReset": "P1Y""#, .text(.calendarDuration),
        #"85: periodBeforePinReset: the duration has years or months, whose length is not fixed: "P1Y"; "#
          + "write it in days, such as P90D"
      ),
      (
        #""periodBeforePinReset": "12:00:00""#, .text(.malformed),
        #"85: periodBeforePinReset: the text is not an ISO 8601 duration: "12:00:00"; "#
          + "write for instance PT12H, PT30M or P90D"
      ),
      (
        #""periodBeforePinReset": 720"#, .json(.wrongType),
        "85: periodBeforePinReset: text is needed, and the number 720 was found; write the value in double quotes"
      ),
      (
        #""createdDateTime": "yesterday""#, .text(.malformed),
        #"80: createdDateTime: the text is not a date with a time and an offset: "yesterday"; write for instance "#
          + "2021-09-30T17:05:00Z or 2021-09-30T17:05:00.1234567-08:00"
      ),
      (
        #""saveAsBlocked": {}"#, .json(.wrongType),
        "78: saveAsBlocked: true or false is needed, and an object was found; write true or false without quotes"
      ),
      (
        #""allowedDataStorageLocations": "sharePoint""#, .json(.wrongType),
        "92: allowedDataStorageLocations: an array is needed, and the text \"sharePoint\" was found; "
          + "write an array in [ ]"
      ),
      (
        #""allowedDataStorageLocations": ["box", 3]"#, .json(.wrongType),
        "100: allowedDataStorageLocations[1]: text is needed, and the number 3 was found; "
          + "write the value in double quotes"
      ),
      (
        #""apps": [{"mobileAppIdentifier": {"bundleId": 7}}]"#, .json(.wrongType),
        "107: apps[0].mobileAppIdentifier.bundleId: text is needed, and the number 7 was found; "
          + "write the value in double quotes"
      ),
      (
        #""exemptedAppProtocols": [{"Name": "Default"}]"#, .json(.missingMember),
        "86: exemptedAppProtocols[0]: the member \"name\" is missing; add \"name\", or rename \"Name\""
      ),
      (
        #""pinRequired": true, "pinRequired": true"#, .json(.duplicateMember),
        "82: pinRequired: the member \"pinRequired\" occurs twice in one object; remove one of them"
      ),
      (
        #""apps": [1,]"#, .json(.trailingComma),
        "71: apps: a trailing comma precedes ]; remove the comma"
      ),
    ]
    for row in table {
      let error = try Self.refusal(row.members)
      expectEqual(error.code, row.code, "\(row.members)")
      expectEqual(error.description, "\(prefix) \(row.description)")
    }
  }

  @Test("A policy made by a program is written with its type and read again")
  func programMade() throws {
    var policy = PolicyDocument(kind: .defaultPolicy)
    policy.dataTransfer.allowedInboundDataTransferSources = .noApps
    let json = policy.graphJSON(includingType: true)
    expectEqual(
      json,
      [
        "@odata.type": "#microsoft.graph.defaultManagedAppProtection", "allowedInboundDataTransferSources": "none",
      ])
    let again = try PolicyDocument(graph: JSONNode(json))
    expectEqual(again.kind, .defaultPolicy)
    expectEqual(again.dataTransfer, policy.dataTransfer)
    expectEqual(policy.graphJSON(), ["allowedInboundDataTransferSources": "none"])
  }

  @Test("Kept text that is no longer JSON is shown as text")
  func damagedKeptMember() {
    var policy = PolicyDocument()
    policy.keptMembers = [KeptMember("x", json: "{")]
    expectEqual(policy.graphJSON(), ["x": "{"])
  }

  @Test("A document with very many unknown members is read in proportionate time")
  func manyMembers() throws {
    let policy = try Self.checked((0..<5_000).map { "\"member \($0)\": [\($0)]" }.joined(separator: ","))
    expectEqual(policy.keptMembers.count, 5_001)
  }

  @Test("Damaged documents yield a policy that survives or an error inside the text, and never stop the program")
  func mutations() throws {
    let text = try Samples.bytes("icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json")
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces = [
      "null", "-1", "1e9", "\"\"", "[]", "{}", "\"-PT1S\"", "\"unknownFutureValue\"", "true", ",", "\"", "}",
    ]
    var survivors = 0
    for round in 0..<400 {
      var bytes = text
      let start = random(bytes.count)
      let piece = Array(pieces[random(pieces.count)].utf8)
      // A whole value is replaced as often as a stray place, so that documents stay JSON often enough.
      if random(2) == 0, let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")),
        let end = bytes[colon...].firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == 0x0A })
      {
        bytes.replaceSubrange(colon + 1..<end, with: piece)
      } else {
        bytes.replaceSubrange(start..<min(bytes.count, start + random(3)), with: piece)
      }
      do throws(PolicyDocumentError) {
        let document = try GraphDocument.read(bytes)
        for item in document.policies {
          survivors += 1
          let copy = try? Self.wireCopy(item.policy)
          expectEqual(copy, item.policy, "round \(round)")
          let original = try? JSONDocument.parse(bytes).value
          expectEqual(original.map { item.policy.graphJSON().isEquivalent(to: $0) }, true, "round \(round)")
        }
      } catch {
        #expect(error.position.line >= 1 && error.position.offset <= bytes.count, "round \(round): \(error)")
      }
    }
    #expect(survivors > 50, "too few documents stayed readable to prove anything")
  }
}
