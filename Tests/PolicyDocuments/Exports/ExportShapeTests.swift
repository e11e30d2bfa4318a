import Expectations
import AppProtection
import JSON
import JournalSimulation
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Shapes of exports")
struct ExportShapeTests {
  @Test("One policy is decoded the same from every shape", arguments: ExportSamples.all.indices)
  func same(index: Int) throws {
    let (name, bytes, shape) = ExportSamples.all[index]
    let wanted = try PolicyFile.read(Array(ExportSamples.graph.utf8)).policies[0].policy
    let file = try PolicyFile.read(bytes, name: name)
    #expect(file.policies.count == 1 && file.shape.name == shape, "\(name): \(file.shape.name)")
    expectEqual(
      ExportSamples.settings(try #require(file.policies.first).policy), ExportSamples.settings(wanted), "\(name)")
    expectEqual(ExportSamples.settings(wanted).count, 11)
    expectEqual(file.policies[0].isPartial, shape == "Microsoft365DSC")
    // Without its name, the file is understood as well.
    try expectEqual(PolicyFile.read(bytes).policies.map(\.policy), file.policies.map(\.policy), "\(name)")
  }

  @Test("Assignments in a file of their own are joined by id, by name, and to nothing else")
  func assignments() throws {
    let folder = "backup/App Protection Policies"
    for (path, isJoined) in [
      ("\(folder)/Assignments/T_1 - Fahrdienst.json", true), ("\(folder)/Assignments/Fahrdienst.json", true),
      ("backup/Other/Assignments/T_1 - Fahrdienst.json", false),
    ] {
      var lists = AssignmentLists()
      #expect(AssignmentLists.holds(path))
      try lists.add(Array(ExportSamples.backupAssignments.utf8), path: path)
      var file = try PolicyFile.read(Array(ExportSamples.backup.utf8), name: "\(folder)/Fahrdienst.json")
      lists.join(&file, path: "\(folder)/Fahrdienst.json")
      let wanted = try PolicyFile.read(Array(ExportSamples.graph.utf8)).policies[0].policy
      #expect(
        (ExportSamples.settings(file.policies[0].policy) == ExportSamples.settings(wanted)) == isJoined, "\(path)")
      expectEqual(lists.orphans, isJoined ? [] : [path])
    }
    var lists = AssignmentLists()
    #expect(throws: PolicyDocumentError.self) {
      try lists.add(Array(ExportSamples.graph.utf8), path: "Assignments/a.json")
    }
    #expect(!AssignmentLists.holds("App Protection Policies/Kasse.json"))
  }

  @Test("Of a configuration, other resources are named, credentials are dropped, and a broken resource is one row")
  func desiredState() throws {
    let file = try PolicyFile.read(Array(ExportSamples.desiredState.utf8), name: "a.ps1")
    expectEqual(file.refusals.map(\.foreignType), ["AADConditionalAccessPolicy"])
    #expect(!"\(file.policies[0].policy)".contains("hunter2"))
    let broken = ExportSamples.desiredState.replacing(
      "MinimumPinLength = 6;", with: "MinimumPinLength, (Get-Item x).Length")
    let two = broken.replacing(
      "AADConditionalAccessPolicy \"Other\" { DisplayName = \"x\"; Users = @($OrganizationName) }",
      with:
        "IntuneAppProtectionPolicyiOS 'A' { DisplayName = 'A' }; IntuneAppProtectionPolicyAndroid 'B' { DisplayName = 'B' }"
        + "; IntuneAppProtectionPolicyiOS 'C' { Ensure = 'Absent' }")
    let other = try PolicyFile.read(Array(two.utf8), name: "a.ps1")
    expectEqual(other.policies.map(\.policy.about.displayName), ["A", "B"])
    expectEqual(
      other.refusals.map { $0.foreignType ?? "\($0)" },
      [
        "a.ps1: line 28, column 29: = is needed after the property's name; write NAME = VALUE",
        "resource with Ensure = Absent",
      ], "\(other.refusals)")
  }

  @Test("What only a run of the script would make is left out by name, and the resources around it are read")
  func statements() throws {
    let text = """
      Configuration C {
        foreach ($name in $names) {
          Node $name {
            IntuneAppProtectionPolicyiOS a { DisplayName = 'A' }
            foreach ($x in @('1', '2'))
            {
              IntuneAppProtectionPolicyiOS "p-$x" { DisplayName = "P $x" }
            }
            if ($isProduction) { IntuneAppProtectionPolicyiOS q { DisplayName = 'Q' } }
            else { IntuneAppProtectionPolicyiOS r { DisplayName = 'R' } }
            $groups = @('one'); IntuneAppProtectionPolicyiOS b { DisplayName = 'B' }
            $groups |
              ForEach-Object { AADGroup $_ { DisplayName = $_ } }
            IntuneAppProtectionPolicyiOS c { DisplayName = 'C' }
          }
        }
        Node other { IntuneAppProtectionPolicyAndroid d { DisplayName = 'D' } }
      }
      """
    let file = try PolicyFile.read(Array(text.utf8), name: "a.ps1")
    expectEqual(file.policies.map(\.policy.about.displayName), ["A", "B", "C", "D"])
    expectEqual(file.refusals.map(\.position.line), [5, 9, 11, 12])
    expectEqual(
      file.refusals.first?.description,
      "a.ps1: line 5, column 7: this makes resources only when the script runs, and nothing is executed; "
        + "write the resources themselves, or export the tenant with Microsoft365DSC")
  }

  @Test("An older resource lists groups and excluded groups by their ids")
  func olderAssignments() throws {
    let text = """
      Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x {
        DisplayName = "A$"; Assignments = @('g1'); ExcludedGroups = @('g2')
      } } }
      """
    let policy = try PolicyFile.read(Array(text.utf8), name: "a.ps1").policies[0].policy
    expectEqual(policy.targeting.assignments?.map(\.groupID), ["g1", "g2"])
    expectEqual(policy.targeting.assignments?.map(\.isInclusion), [true, false])
    expectEqual(policy.about.displayName, "A$")
  }

  @Test(
    "What is not read is refused with its place",
    arguments: [
      ("Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { A = 1; a = 2 } } }", "occurs twice"),
      ("Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { 'A' } } }", "a property is needed"),
      ("Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { A } } }", "= is needed"),
      (
        "Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { A = " + String(repeating: "@(", count: 80),
        "nested deeper"
      ),
      ("Configuration C { Node localhost { 12 } }", "this is not a resource"),
    ])
  func refusedResources(text: String, reason: String) throws {
    // A text that ends too early is refused as a whole.
    guard let file = try? PolicyFile.read(Array(text.utf8), name: "a.ps1") else {
      expectEqual(reason, "nested deeper")
      return
    }
    #expect(file.policies.isEmpty && file.refusals.contains { "\($0)".contains(reason) }, "\(file.refusals)")
  }

  @Test(
    "A value that only a run of the script would say is unknown, with its place, and the rest is read",
    arguments: [
      ("$Other", "the value of PinRequired is a variable"), ("\"$(x)\"", "has a variable in it"),
      ("'b' + 'c'", "something follows the value of PinRequired"), ("b", "a word without quotes"),
      ("@(1 2)", "not separated by commas"), ("(Get-Item x).Length", "not a text, a number"),
      ("@{ A = 1 }", "not a text, a number"),
    ])
  func unknownValues(value: String, reason: String) throws {
    let text =
      "Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { PinRequired = \(value); MinimumPinLength = 6 } } }"
    let item = try #require(try PolicyFile.read(Array(text.utf8), name: "a.ps1").policies.first)
    #expect(item.lost == ["pinRequired"] && item.policy.access.minimumPinLength == 6)
    let finding = try #require(item.findings.first { $0.rule == .lostData })
    #expect(
      finding.description.hasPrefix("a.ps1: line 1, column 69: ") && finding.message.contains(reason), "\(finding)")
  }

  @Test(
    "Files that are no configuration are named",
    arguments: [
      ("x.ps1", "Get-Item", "PowerShell script"), ("x.mof", "instance of MSFT_X {};", "compiled configuration"),
      ("-", "instance of MSFT_X {};", "compiled configuration"), ("x.ps1", "Configuration C { }", "has no block Node"),
      ("x.ps1", "Configuration C { Node localhost {", "ends inside the block Node"),
    ])
  func noConfiguration(name: String, text: String, reason: String) {
    let error = #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(text.utf8), name: name) }
    expectEqual(error.map { "\($0)".contains(reason) }, true, "\(String(describing: error))")
  }

  @Test("What an exporting program lost is an error with its place, and the rest is read")
  func losses() throws {
    let rows = [
      #""apps": "System.Object[]""#, #""apps": ["@{id=1; version=2}"]"#,
      #""exemptedAppProtocols": [{"name": "a", "value": "System.Collections.Hashtable"}]"#,
      #""allowedDataStorageLocations": [{}, {}]"#, #""pinCharacterSet": {}"#,
    ]
    for row in rows {
      let file = try PolicyFile.read(Array(Samples.text("\"displayName\": \"@{x}\", \(row)").utf8), name: "a.json")
      let findings = file.policies[0].findings.filter { $0.rule == .lostData }
      #expect(findings.count == 1 && file.policies[0].policy.about.displayName == "@{x}", "\(row)")
      expectEqual(findings.first.map { "\($0)".hasPrefix("a.json: line 1, column ") }, true)
    }
    let configuration =
      ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "customSettings": "System.Object[]"}"##
    try expectEqual(PolicyFile.read(Array(configuration.utf8)).configurationFindings.map(\.rule), [.lostData])
    let sdk = #"{"AdditionalProperties": {}, "AllowedDataStorageLocations": [{}], "Apps": null}"#
    let error = #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(sdk.utf8)) }
    expectEqual(error?.code, .lostValues)
  }

  @Test("A list that goes on says so, and a broken entry does not hide the others")
  func lists() throws {
    try expectEqual(PolicyFile.read(Array(ExportSamples.list.utf8)).continuation, .text(line: 2, column: 2))
    #expect(try PolicyFile.read(Array(ExportSamples.graph.utf8)).continuation == nil)
    let text = "[{\"@odata.type\": 7}, \(Samples.text("\"displayName\": \"B\""))]"
    let file = try PolicyFile.read(Array(text.utf8), name: "a.json")
    expectEqual(file.policies.map(\.policy.about.displayName), ["B"])
    #expect(file.refusals.count == 1 && file.refusals[0].isBroken && file.refusals[0].file == "a.json")
  }

  @Test("IntuneCD's app, and groups by their names, are understood")
  func intuneCD() throws {
    let text = """
      '@odata.type': '#microsoft.graph.iosMobileAppConfiguration'
      displayName: Post
      targetedMobileApps:
        appName: Outlook
        type: '#microsoft.graph.iosVppApp'
      assignments:
      - target:
          '@odata.type': '#microsoft.graph.groupAssignmentTarget'
          deviceAndAppManagementAssignmentFilterId: null
          groupName: Kassenpersonal
      settings: []
      encodedSettingXml: ~

      """
    let file = try PolicyFile.read(Array(text.utf8), name: "App Configuration/Post.yaml")
    guard case .appConfiguration(let configuration)? = file.others.first else {
      Issue.record("\(file.others) \(file.refusals)")
      return
    }
    #expect(configuration.apps == ["Outlook"] && configuration.assignments?.map(\.groupID) == ["Kassenpersonal"])
  }

  @Test("Groups, filters and tables of names are documents of their own")
  func others() throws {
    let texts = [
      ##"{"@odata.context": "x/$metadata#groups/$entity", "id": "1", "displayName": "G"}"##,
      #"{"id": "1", "groupTypes": [], "securityEnabled": true, "membershipRule": "(device.x -eq 1)"}"#,
      #"{"displayName": "F", "platform": "iOSMobileApplicationManagement", "rule": "(app.osVersion -eq \"1\")"}"#,
      #"{"TenantId": "t", "Objects": [{"Id": "1", "DisplayName": "G", "Type": "Group"}]}"#,
    ]
    let kinds = try texts.map { try PolicyFile.read(Array($0.utf8)).others.map(\.kindName) }
    expectEqual(kinds, [["Group"], ["Group"], ["Assignment filter"], ["Table of names"]])
  }

  @Test("No change of a byte and no truncation of any shape makes a reader trap")
  func garbled() {
    var random = SeededGenerator(seed: 11)
    for (name, bytes, _) in ExportSamples.all {
      for round in 0..<150 {
        var garbled = bytes
        if round.isMultiple(of: 2) { garbled.removeLast(random.below(garbled.count)) }
        for _ in 0..<(round % 5) where !garbled.isEmpty {
          let hostile = Array("{}[]()'\"`$@#:-|>&*!%\\\n\r\t =,;\0".utf8)
          garbled[random.below(garbled.count)] =
            random.oneIn(3) ? UInt8(truncatingIfNeeded: random.next()) : hostile[random.below(hostile.count)]
        }
        _ = try? PolicyFile.read(garbled, name: name)
        _ = try? PolicyFile.read(garbled)
      }
    }
  }
}
