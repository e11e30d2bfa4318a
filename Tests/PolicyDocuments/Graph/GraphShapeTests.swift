import Expectations
import AppProtection
import JSON
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Shapes of exported documents")
struct GraphShapeTests {
  static let entity = Samples.text("\"displayName\": \"A\"")
  static let android = "{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"}"

  /// The names and paths of the policies in a text.
  static func found(_ text: String) throws -> [String] {
    try GraphDocument.read(Array(text.utf8)).policies.map {
      "\($0.policy.about.displayName ?? "-") at \($0.source.path), \($0.source.position), \($0.source.typeEvidence)"
    }
  }

  @Test("A policy, a response, a list and a bare array are all read")
  func shapes() throws {
    try expectEqual(Self.found(Self.entity), ["A at (document), line 1, column 1, declared"])
    try expectEqual(Self.found("{\"value\": \(Self.entity)}"), ["A at value, line 1, column 11, declared"])
    let second = Self.entity.replacing("\"A\"", with: "\"B\"")
    try expectEqual(
      Self.found("{\"@odata.context\": \"x\",\n\"value\": [\(Self.entity),\n \(second)]}"),
      ["A at value[0], line 2, column 11, declared", "B at value[1], line 3, column 2, declared"])
    try expectEqual(Self.found("[\(Self.entity)]"), ["A at [0], line 1, column 2, declared"])
    try expectEqual(Self.found("[]"), [])
  }

  @Test("UTF-16 with CR LF and escapes, as PowerShell writes it, is read")
  func utf16() throws {
    let text = Self.entity.replacing("\"A\"", with: "\"Bob\\u0027s ä\"").replacing(", ", with: ",\r\n  ")
    for lowByteFirst in [true, false] {
      let bytes = ([0xFEFF] + Array(text.utf16)).flatMap { unit -> [UInt8] in
        let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
        return lowByteFirst ? bytes.reversed() : bytes
      }
      let document = try GraphDocument.read(bytes)
      expectEqual(document.policies.map(\.policy.about.displayName), ["Bob's ä"])
      expectEqual(document.encoding, lowByteFirst ? .utf16LittleEndian : .utf16BigEndian)
    }
  }

  @Test("A policy that was encoded once too often, as one JSON string, is read, and so is one encoded twice too often")
  func encodedAsWhole() throws {
    let once = JSONValue.string(Self.entity).description
    try expectEqual(Self.found(" " + once), ["A at (document), line 1, column 2, declared"])
    try expectEqual(Self.found(JSONValue.string(once).description), ["A at (document), line 1, column 1, declared"])
    try expectEqual(
      Self.found(JSONValue.string("\n[\(Self.entity)]").description), ["A at [0], line 1, column 1, declared"])
    #expect(throws: PolicyDocumentError.self) { try Self.found("\"A\"") }
    #expect(throws: PolicyDocumentError.self) { try Self.found(JSONValue.string("{\"x\": ").description) }
  }

  @Test("A policy packed into a template's strings is read, whatever the case of the names")
  func packed() throws {
    let inner =
      "{\"@odata.type\":\"microsoft.graph.iosManagedAppProtection\",\"Displayname\":\"A\",\"PINRequired\":true}"
    let template = JSONValue.object([.init("Displayname", "T"), .init("RAWJson", .string(inner))])
    let twice = JSONValue.object([
      .init("PartitionKey", "IntuneTemplate"), .init("json", .string(template.description)),
    ])
    try expectEqual(Self.found(template.description), ["A at RAWJson, line 1, column 30, declared"])
    try expectEqual(Self.found(twice.description), ["A at json.RAWJson, line 1, column 41, declared"])
    let policy = try Samples.policy(twice.description).policy
    expectEqual(policy.access.pinRequired, true)
    expectEqual(policy.graphJSON().object?["pinRequired"], true)
    let list = JSONValue.array([template, twice])
    try expectEqual(GraphDocument.read(Array(list.description.utf8)).policies.count, 2)
  }

  @Test("An error inside a packed text is placed at the string and described inside it")
  func packedTrouble() throws {
    func refusal(_ packed: String) throws -> String {
      let text = JSONValue.object([.init("RAWJson", .string(packed))]).description
      return try #require(throws: PolicyDocumentError.self) { try GraphDocument.read(Array(text.utf8), file: "t") }
        .description
    }
    try expectEqual(
      refusal("{\n\"pinRequired\": }"),
      "t: line 1, column 12: RAWJson.pinRequired: in the JSON text inside this string, at line 2, column 16: "
        + "expected a value, found '}'; "
        + "write an object, an array, a number, true, false, null or text in double quotes")
    try expectEqual(
      refusal(Samples.text("\"pinRequired\": true, \"PinRequired\": true")),
      "t: line 1, column 12: RAWJson.PinRequired: in the JSON text inside this string, at line 1, column 97: "
        + "the member pinRequired occurs twice, in different spellings; remove one of them")
    #expect(
      try refusal(Self.android).contains("at line 1, column 17: androidManagedAppProtection is not an iOS policy;"))
    var text = Self.entity
    for _ in 0..<3 { text = JSONValue.object([.init("JSON", .string(text))]).description }
    let error = try #require(throws: PolicyDocumentError.self) { try GraphDocument.read(Array(text.utf8)) }
    expectEqual(error.code, .packedTooDeep)
    expectEqual(error.path.description, "JSON.JSON.JSON")
  }

  @Test("The type is known with and without a number sign and namespace")
  func typeNames() throws {
    for type in ["#microsoft.graph.iosManagedAppProtection", "microsoft.graph.iosManagedAppProtection"] {
      let item = try Samples.policy("{\"@odata.type\": \"\(type)\"}")
      expectEqual(item.policy.kind, .targetedPolicy)
      expectEqual(item.policy.graphJSON().object?["@odata.type"]?.string, type)
    }
    let item = try Samples.policy(
      "{\"@odata.type\": \"#microsoft.graph.defaultManagedAppProtection\", \"encryptAppData\": true}")
    expectEqual(item.policy.kind, .defaultPolicy)
    expectEqual(item.policy.defaultPolicy.encryptAppData, true)
  }

  @Test("Without a type, the response's context or members that only iOS policies have identify it")
  func inference() throws {
    let context = "https://graph.microsoft.com/beta/$metadata#deviceAppManagement"
    func response(_ collection: String) -> String {
      "{\"@odata.context\": \"\(context)/\(collection)\", \"value\": [{\"displayName\": \"A\"}]}"
    }
    try expectEqual(Self.found(response("iosManagedAppProtections")).first?.hasSuffix("context"), true)
    try expectEqual(Self.found(response("iosManagedAppProtections(displayName)")).count, 1)
    let other = try GraphDocument.read(Array(response("defaultManagedAppProtections").utf8))
    expectEqual(other.policies.first?.policy.kind, .defaultPolicy)
    let assignments = try GraphDocument.read(Array(response("iosManagedAppProtections('T_1')/assignments").utf8))
    #expect(assignments.policies.isEmpty)
    expectEqual(assignments.refusals.map(\.foreignType), ["targetedManagedAppPolicyAssignment"])
    for path in ["('T_1')/apps", "('T_1')/deploymentSummary/$entity"] {
      #expect(throws: PolicyDocumentError.self) { try Self.found(response("iosManagedAppProtections\(path)")) }
    }
    let single = "{\"@odata.context\": \"\(context)/iosManagedAppProtections/$entity\", \"displayName\": \"A\"}"
    try expectEqual(Samples.policy(single).source.typeEvidence, .context)
    let android = try GraphDocument.read(Array(response("androidManagedAppProtections").utf8))
    #expect(android.policies.isEmpty && android.refusals.map(\.foreignKind) == [.platform("Android")])

    let inferred = try Samples.policy("{\"pinRequired\": true, \"thirdPartyKeyboardsBlocked\": false}")
    expectEqual(inferred.source.typeEvidence, .members)
    expectEqual(inferred.policy.graphJSON(), ["thirdPartyKeyboardsBlocked": false, "pinRequired": true])
    for text in ["{}", "{\"pinRequired\": true}", "{\"customBrowserProtocol\": \"\", \"encryptAppData\": true}"] {
      let error = try #require(throws: PolicyDocumentError.self) { try Self.found(text) }
      expectEqual(error.code, .unknownType)
      expectEqual(
        error.description,
        "line 1, column 1: the object has no \"@odata.type\", and its members do not tell that it is a policy for "
          + "iOS; add \"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\" if it is one")
    }
  }

  @Test(
    "Foreign types are refused by name",
    arguments: [
      "androidManagedAppProtection", "windowsManagedAppProtection", "iosManagedAppRegistration",
      "targetedManagedAppConfiguration", "iosMobileAppConfiguration", "managedAppPolicyDeploymentSummary",
      "IosManagedAppProtection",
    ])
  func foreignTypes(_ type: String) throws {
    for text in ["{\"@odata.type\": \"#microsoft.graph.\(type)\"}", "{\"@odata.type\": \"microsoft.graph.\(type)\"}"] {
      let error = try #require(throws: PolicyDocumentError.self) { try Self.found(text) }
      expectEqual(error.code, .foreignType)
      expectEqual(
        error.description,
        "line 1, column 17: [\"@odata.type\"]: \(type) is not an iOS policy; "
          + "give a document of type iosManagedAppProtection or defaultManagedAppProtection")
    }
  }

  @Test("In a list, the policies are read and the rest is named")
  func mixedList() throws {
    let text = "{\"value\": [\(Self.android),\n\(Self.entity),\n\(Self.android)]}"
    let document = try GraphDocument.read(Array(text.utf8), file: "list.json")
    expectEqual(document.policies.map(\.source.path.description), ["value[1]"])
    expectEqual(document.policies.first?.source.file, "list.json")
    expectEqual(
      document.refusals.map(\.description),
      [(1, 28, 0), (3, 17, 2)].map { line, column, index in
        "list.json: line \(line), column \(column): value[\(index)][\"@odata.type\"]: androidManagedAppProtection is "
          + "not an iOS policy; give a document of type iosManagedAppProtection or defaultManagedAppProtection"
      })
  }

  @Test("A value that is neither an object nor a list is refused")
  func scalars() throws {
    for text in ["1", "\"x\"", "null", "[1]", "{\"value\": [null]}"] {
      let error = try #require(throws: PolicyDocumentError.self) { try Self.found(text) }
      expectEqual(error.code, .unknownType)
      #expect(error.message.hasPrefix("a policy or a list of policies is needed, and "))
    }
    // A policy has no member "value" that is text: this object does not say what it is.
    let error = try #require(throws: PolicyDocumentError.self) { try Self.found("{\"value\": \"x\"}") }
    expectEqual(error.code, .unknownType)
  }

  @Test("A type name from a document cannot harm a terminal")
  func hostileTypeName() throws {
    let error = try #require(throws: PolicyDocumentError.self) {
      try Self.found("{\"@odata.type\": \"#microsoft.graph.a\\u001b[31mb\"}")
    }
    expectEqual(error.message, "\"a\\u001b[31mb\" is not an iOS policy")
  }
}
