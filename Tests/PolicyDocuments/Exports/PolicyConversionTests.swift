import AppProtection
import Expectations
import JSON
import JournalSimulation
import PlainText
import Testing

@testable import GraphDocuments
@testable import PolicyDocuments

@Suite("Policies in another shape")
struct PolicyConversionTests {
  private typealias Shape = PolicyConversion.Shape

  /// Policies of every kind with random settings, and members and texts that are hard to write.
  private static func policies(_ random: inout SeededGenerator) throws -> [PolicyDocument] {
    let texts = [
      "plain", "", " 6", "6", "6.0", "-1", "true", "null", "\"", "\"\u{301}", "a,b", "=1+1", "@SUM(A1)", "'x", "[1]",
      "＝1+1", "－1", "{}",
      "a\r\nb", "\u{FEFF}x", "\u{0}", "é", "e\u{301}", "/~[", "%x", "\u{2028}", "#N/A",
    ]
    func text() -> String { texts.randomElement(using: &random) ?? "" }
    return try [PolicyKind.targetedPolicy, .defaultPolicy, .androidPolicy, .windowsPolicy].map { kind in
      var members = [JSONObject.Member("@odata.type", .string("#microsoft.graph.\(kind.rawValue)"))]
      for property in kind.platform.properties {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: continue
        case 1 where !property.name.hasPrefix("@"): members.append(.init(property.name, .null))
        case _:
          let value: PolicyValue? =
            if case .text = property.kind, Bool.random(using: &random) {
              .text(text())
            } else {
              property.extremes.randomElement(using: &random)
            }
          if let value { members.append(.init(property.name, property.graphJSON(of: value, on: kind.platform))) }
        }
      }
      for name in ["own", "~/[x", "[0]", "=x", "a\nb", "customB", ""] where Bool.random(using: &random) {
        members.append(
          .init(
            name,
            .array([.object([.init(text(), .string(text()))]), .string(text()), .array([]), .object([]), .number(1)])))
      }
      let file = try PolicyFile.read(Array(JSONValue.object(members).description.utf8))
      return try #require(file.policies.first).policy
    }
  }

  private static func read(_ files: [PolicyConversion.File]) throws -> [PolicyDocument] {
    try files.flatMap { try PolicyFile.read($0.bytes, name: $0.path).policies.map(\.policy) }
  }

  @Test("A policy of any kind is the same again after a way through another shape", arguments: 0..<6)
  func ways(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed, 43)
    let policies = [try Self.policies(&random)[Int(seed) % 4]]
    for first in Shape.allCases {
      let files = try PolicyConversion(of: policies, to: first).files()
      for second in Shape.allCases where second != first {
        // A folder has no ids, so what comes back from it is compared with what it holds.
        if second == .intunecd {
          let folder = try PolicyConversion(of: try Self.read(files), to: second).files()
          let back = try PolicyConversion(of: try Self.read(folder), to: first).files()
          expectEqual(try PolicyConversion(of: try Self.read(back), to: second).files(), folder)
          continue
        }
        let there = try PolicyConversion(of: try Self.read(files), to: second).files()
        expectEqual(try PolicyConversion(of: try Self.read(there), to: first).files(), files)
      }
    }
  }

  @Test("Every real policy keeps its settings in every shape", arguments: try Samples.names())
  func real(name: String) throws {
    guard let file = try? PolicyFile.read(try Samples.bytes(name), name: name), !file.policies.isEmpty else { return }
    for shape in Shape.allCases {
      let back = try Self.read(try PolicyConversion(of: file.policies.map(\.policy), to: shape).files())
      for (one, other) in zip(file.policies, back) {
        let lost = PolicyConversion.losses(of: one.policy, in: shape)
        expectEqual(lost.isEmpty, shape != .intunecd)
        for property in one.policy.kind.platform.properties where !lost.contains(property.name) {
          #expect(one.policy[property] == other[property], "\(name), \(shape): \(property.name)")
        }
      }
    }
  }

  @Test("What is unknown is in no shape")
  func unknown() throws {
    let lost = try PolicyFile.read(
      Array(Samples.text(#""pinRequired": "System.Object[]", "minimumPinLength": 6"#).utf8))
    #expect(
      try #require(PolicyConversion.obstacle(to: lost.policies[0])).contains("the value of pinRequired is unknown"))
    let device = try PolicyFile.read(Array(#"{"AccessRecheckOfflineTimeout": "720", "PINEnabled": "1"}"#.utf8))
    for item in device.policies { #expect(PolicyConversion.obstacle(to: item) != nil) }
    #expect(PolicyConversion.obstacle(to: PolicyFile.Item(PolicyDocument())) == nil)
  }

  @Test(
    "What a response with chosen members lacks is unknown",
    arguments: [
      ("iosManagedAppProtections", false), ("iosManagedAppProtections/$entity", false),
      ("iosManagedAppProtections(id,pinRequired)", true), ("iosManagedAppProtections(id,apps())/$entity", true),
      ("iosManagedAppProtections(apps(),assignments())/$entity", false), ("iosManagedAppProtections(apps(id))", false),
      ("iosManagedAppProtections(apps(id),version)", true), ("iosManagedAppProtections('T_1')", false),
    ])
  func selection(context: String, isPartial: Bool) throws {
    let policy = #""displayName": "P", "pinRequired": true, "fingerprintBlocked": true"#
    let link = "https://graph.microsoft.com/v1.0/$metadata#deviceAppManagement/\(context)"
    let text =
      context.hasSuffix("$entity")
      ? #"{"@odata.context": "\#(link)", \#(policy)}"# : #"{"@odata.context": "\#(link)", "value": [{\#(policy)}]}"#
    let item = try #require(try PolicyFile.read(Array(text.utf8)).policies.first)
    expectEqual(item.isPartial, isPartial)
    expectEqual(
      item.unknown.contains(try #require(PolicyProperty.named("minimumPinLength")), in: item.policy), isPartial)
    expectEqual(PolicyConversion.obstacle(to: item) != nil, isPartial)
  }

  @Test("The files of IntuneCD have names that lead nowhere else, and one each")
  func names() throws {
    let names = [
      "../../etc/x", "a", "A", "", ".", "con\u{0}\n", "-rf", "~x", String(repeating: "é", count: 300), "a/b\\c:d",
    ]
    let policies = names.map { name in
      var policy = PolicyDocument()
      policy.about.displayName = name
      return policy
    }
    let files = try PolicyConversion(of: policies, to: .intunecd).files()
    expectEqual(Set(files.map { $0.path.lowercased() }).count, names.count)
    for file in files {
      let parts = file.path.split(separator: "/", omittingEmptySubsequences: false)
      #expect(parts.count == 2 && parts[0] == "App Protection" && parts[1].utf8.count < 250, "\(file.path)")
      #expect(
        !parts[1].hasPrefix(".") && !parts[1].hasPrefix("-") && parts[1].hasSuffix("_iosManagedAppProtection.json"))
      #expect(!file.path.unicodeScalars.contains { $0.value < 0x20 })
    }
    try expectEqual(Self.read(files).map { $0.about.displayName ?? "" }, names)
  }

  @Test(
    "A table that is not whole is refused with its line",
    arguments: [
      ("\"1\",\"/a\"", 2, "a line has 2 fields, and 3 are needed"), ("\"1\",\"a\",\"1\"", 2, "begins with a slash"),
      ("\"1\",\"/a/[x]\",\"1\"", 2, "a number in brackets"), ("\"1\",\"/a~3\",\"1\"", 2, "~0, ~1 or ~2"),
      ("\"1\",\"/a/[1]\",\"1\"", 2, "element 0 is missing"), ("1,/a,1\r\n1,/a/b,1", 2, "has a value and members"),
      ("1,/a,1\n2,/a,1\n1,/b,1", 4, "are not together"), ("1,/a,1\n1,/b,1\n1,/a,2", 4, "there twice"),
      ("1,/a/b,1\n1,/a/[0],1", 2, "both members and elements"), ("1,/a,\"x", 2, "a quotation mark is not closed"),
      ("1,/a,\"x\"y", 2, "something follows the quotation mark"), ("1,/a,1\n1,/a,2", 2, "two values"),
    ])
  func tables(lines: String, line: Int, message: String) {
    for ending in ["\r\n", "\n"] {
      let bytes = Array("policy,member,value\(ending)\(lines)\(ending)".utf8)
      #expect {
        try PolicyFile.read(bytes, name: "p.csv")
      } throws: { error in
        guard let error = error as? PolicyDocumentError else { return false }
        return error.code == .table && error.position.line == line && error.message.contains(message)
      }
    }
  }

  @Test("A table is recognized without its name, and by its name without a heading refused")
  func heading() throws {
    let table = "policy,member,value\n1,/@odata.type,#microsoft.graph.iosManagedAppProtection\n1,/minimumPinLength,6\n"
    let file = try PolicyFile.read(Array(table.utf8))
    expectEqual(file.shape.name, "table")
    expectEqual(file.policies.first?.policy.access.minimumPinLength, 6)
    #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array("a,b\n1,2\n".utf8), name: "p.csv") }
    #expect(throws: PolicyDocumentError.self) { try PolicyFile.read([], name: "p.csv") }
    let deep = "policy,member,value\n1,/\(String(repeating: "a/", count: 70)),1\n"
    #expect(throws: PolicyDocumentError.self) { try PolicyFile.read(Array(deep.utf8), name: "p.csv") }
  }

  @Test("No cell is a formula for a spreadsheet")
  func formulas() throws {
    var random = SeededGenerator(seed: 7, 47)
    for _ in 0..<3 {
      let policies = try Self.policies(&random)
      let files = try PolicyConversion(of: policies, to: .csv).files()
      for record in try CSVRecords.read(String(decoding: files[0].bytes, as: UTF8.self)) {
        for field in record.fields {
          let sign = field.unicodeScalars.first ?? " "
          #expect(!"=+@|%'\t\r\n＝＋－＠".unicodeScalars.contains(sign), "\(field)")
          #expect(sign != "-" || Double(field) != nil, "\(field)")
        }
      }
    }
  }
}
