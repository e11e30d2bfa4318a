import Expectations
import JSON
import Testing

@testable import PolicyCommands

@Suite("Properties beside the portal's words")
struct PolicyPropertyOutputTests {
  private static func policy(_ members: String, on platform: String = "ios") -> String {
    ##"{"@odata.type": "#microsoft.graph.\##(platform)ManagedAppProtection", "displayName": "A", \##(members)}"##
  }

  private static func configuration(_ members: String) -> String {
    ##"{"@odata.type": "#microsoft.graph.androidManagedStoreAppConfiguration", "displayName": "C", \##(members)}"##
  }

  /// The records of a kind that a command on files writes, as objects.
  private static func records(
    _ kind: String, _ words: [String], _ files: [(String, String)], _ options: [String] = []
  ) throws -> [JSONObject] {
    try TestFiles.withTemporaryFolder { folder in
      for (name, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(name)") }
      let run = ToolRun(["policy"] + words + files.map { "\(folder)/\($0.0)" } + options + ["-j"])
      expectEqual(OutputSchemaTests.problems(of: run.output), [], "\(run.output)")
      return run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == kind }
    }
  }

  @Test("A difference has the properties of both as Graph has them")
  func difference() throws {
    let files = [
      ("a.json", Self.policy(#""pinRequired": true, "managedBrowser": "microsoftEdge", "x": 1"#)),
      ("b.json", Self.policy(#""pinRequired": false, "x": 2"#)),
    ]
    let changes = try Self.records("change", ["diff"], files)
    let shown = changes.map {
      "\($0["beforeProperties"]?.description ?? "") \($0["afterProperties"]?.description ?? "")"
    }
    expectEqual(
      shown,
      [
        #"{"managedBrowser":"microsoftEdge"} {}"#, #"{"pinRequired":true} {"pinRequired":false}"#,
        #"{"x":1} {"x":2}"#,
      ],
      "\(changes)")
  }

  @Test("Policies of two platforms keep their own properties apart")
  func platforms() throws {
    let files = [
      ("a.json", Self.policy(#""pinRequired": true, "faceIdBlocked": true"#)),
      ("b.json", Self.policy(#""pinRequired": false, "connectToVpnOnLaunch": true"#, on: "android")),
    ]
    let changes = try Self.records("change", ["diff"], files)
    #expect(
      changes.contains {
        $0["beforeProperties"]?.description == #"{"pinRequired":true}"#
          && $0["afterProperties"]?.description == #"{"pinRequired":false}"#
      }, "\(changes)")
    let only = try Self.records("only", ["diff"], files)
    #expect(only.contains { $0["properties"]?.description == #"{"connectToVpnOnLaunch":true}"# }, "\(only)")
  }

  @Test("What names an organization is withheld here too")
  func withheld() throws {
    let target = ##"{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g-secret"}}"##
    let files = [
      ("a.json", Self.policy(#""assignments": [\#(target)]"#)),
      ("b.json", Self.policy(#""assignments": [\#(target.replacing("g-secret", with: "g-other"))]"#)),
    ]
    let changes = try Self.records("change", ["diff"], files)
    expectEqual(changes.compactMap { $0["afterProperties"]?.description }, [#"{"redacted":"account"}"#])
    let revealed = try Self.records("change", ["diff"], files, ["--reveal"])
    #expect(revealed.first?["afterProperties"]?.description.contains("g-other") == true, "\(revealed)")
  }

  @Test("Combined and assessed settings have the properties behind their words")
  func others() throws {
    let files = [
      ("a.json", Self.policy(#""minimumPinLength": 4, "pinRequired": true"#)),
      ("b.json", Self.policy(#""minimumPinLength": 8"#)),
    ]
    let settings = try Self.records("setting", ["combine"], files)
    let length = try #require(settings.first { $0["properties"]?.object?["minimumPinLength"] != nil })
    expectEqual(length["others"]?.description, #"[{"policy":1,"value":"4","properties":{"minimumPinLength":4}}]"#)
    let level = try Self.records("setting", ["level"], [files[0]])
    #expect(level.contains { $0["valueProperties"]?.description == #"{"minimumPinLength":4}"# }, "\(level)")
    #expect(level.allSatisfy { $0["valueProperties"]?.object != nil })
  }

  @Test("An app configuration shows its properties, settings and permissions apart")
  func configuration() throws {
    let payload =
      #"{"managedProperty": [{"key": "a", "valueBool": true}, {"key": "password", "valueString": "hunter2"}]}"#
    let text = Self.configuration(
      #""packageId": "app:com.a", "payloadJson": \#(JSONValue.string(payload).description), "permissionActions": [{"permission": "android.permission.CAMERA", "action": "prompt"}]"#
    )
    let record = try #require(Self.records("document", ["show"], [("c.json", text)]).first)
    expectEqual(
      record["settings"]?.description,
      #"[{"list":"payloadJson","key":"a","type":"valueBool","value":"true"},{"list":"payloadJson","key":"password","type":"valueString","value":"(secret)"}]"#
    )
    expectEqual(
      record["permissions"]?.description, #"[{"permission":"android.permission.CAMERA","action":"prompt"}]"#)
    expectEqual(record["properties"]?.object?["displayName"]?.string, "C")
    expectEqual(record["properties"]?.object?["packageId"]?.string, "app:com.a")
    let other = text.replacing("valueBool\\\": true", with: "valueBool\\\": false")
    let changes = try Self.records("change", ["diff"], [("c.json", text), ("d.json", other)])
    expectEqual(
      changes.map { $0["afterProperties"]?.description ?? "" },
      [#"{"payloadJson":[{"key":"a","type":"valueBool","value":"false"}]}"#], "\(changes)")
  }
}
