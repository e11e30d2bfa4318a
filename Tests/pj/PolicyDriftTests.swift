import Expectations
import JSON
import PlainText
import Testing

@testable import PolicyCommands

@Suite("pj policy diff finds drift")
struct PolicyDriftTests {
  private static func policy(_ members: String) -> [UInt8] {
    Array(##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", \##(members)}"##.utf8)
  }

  private static func run(_ files: [(String, [UInt8])], _ words: String...) throws -> ToolRun {
    try TestFiles.withTemporaryFolder { folder in
      for (path, bytes) in files {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        expectEqual(TestFiles.shell("mkdir -p '\(folder)/\(parent)'"), 0)
        try TestFiles.write(bytes, to: "\(folder)/\(path)")
      }
      let run = ToolRun(["policy", "diff"] + words.map { $0.hasPrefix("-") ? $0 : "\(folder)/\($0)" })
      return run
    }
  }

  @Test("A file against what a device has names since when each setting drifted, and by which event")
  func journal() throws {
    let journal = Repository.journal("framework-history")
    let old = ToolRun("policy", "show", "\(journal)@20", "--account", "a3", "-j")
    expectEqual(old.code, .done)
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/wanted.json"
      try TestFiles.write(Self.policy(#""minimumRequiredOsVersion": "99.1", "pinRequired": true"#), to: path)
      for words in [[path, journal], [journal, path]] {
        let run = ToolRun(["policy", "diff"] + words + ["--account", "a3", "--settings-only"])
        #expect(run.code == .different && run.output.contains("Min OS version, Block access"), "\(run)")
        let line = run.lines.first { $0.contains("Min OS version, Block access") } ?? ""
        #expect(line.contains("since event ") && line.contains(", policy.received"), "\(line)")
        let json = ToolRun(["policy", "diff"] + words + ["--account", "a3", "--settings-only", "-j"])
        let changes = json.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "change" }
        let since = changes.compactMap { $0["since"]?.object }
        #expect(!since.isEmpty && since.allSatisfy { $0["event"]?.number != nil && $0["time"]?.string != nil })
      }
      // A journal has no assignments, so that those of a file are no drift.
      let target = ##"{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "g"}}"##
      try TestFiles.write(Self.policy("\"assignments\": [\(target)], \"deployedAppCount\": 3"), to: path)
      let assigned = ToolRun("policy", "diff", path, journal, "--account", "a3")
      #expect(!assigned.output.contains("Groups") && !assigned.output.contains("Deployed"), "\(assigned.output)")
      // What the device has is no drift.
      let same = ToolRun("policy", "diff", "\(journal)@20", "\(journal)@20", "--account", "a3")
      expectEqual(same.code, .done)
      // Within a journal, what one place lacks is a difference: at event 300 the policy still lists its apps.
      let within = ToolRun("policy", "diff", "\(journal)@300", journal, "--account", "a1")
      #expect(within.code == .different && within.lines.contains { $0.hasPrefix("  Apps ") }, "\(within)")
      let missing = ToolRun("policy", "diff", "\(folder)/gone.json", journal, "--account", "a3")
      expectEqual(missing.code, .unreadable, "\(missing.notes)")
    }
  }

  @Test("The event is the one since which the value differs, and not the last that changed it")
  func origin() throws {
    let journal = Repository.journal("framework-history")
    let blame = ToolRun("blame", journal, "/policies/a3/minimumRequiredOsVersion", "-j")
    let writes = blame.records.compactMap { $0?.object?["writes"]?.array }.first ?? []
    let events = writes.compactMap { $0.object?["event"]?.number?.integer(Int.self) }
    try #require(events.count > 1)
    // The value before the last change is wanted, so that it drifted with that; one that never was, with the first.
    let former = try #require(writes[0].object?["before"]?.string)
    try TestFiles.withTemporaryFolder { folder in
      for (version, event) in [(former, events[0]), ("99.9", events[events.count - 1])] {
        try TestFiles.write(Self.policy("\"minimumRequiredOsVersion\": \"\(version)\""), to: "\(folder)/a.json")
        let run = ToolRun("policy", "diff", "\(folder)/a.json", journal, "--account", "a3")
        let line = run.lines.first { $0.contains("Min OS version, Block access") } ?? ""
        #expect(line.contains("since event \(event), "), "\(version): \(line)")
      }
    }
  }

  @Test("Two exports agree whatever their ids, dates, order, empty lists and ids of assignments")
  func exports() throws {
    let target = ##"{"target": {"@odata.type": "#microsoft.graph.groupAssignmentTarget", "groupId": "1"}}"##
    let all =
      ##"{"id": "x", "target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget", "deviceAndAppManagementAssignmentFilterType": "none"}}"##
    let one = Self.policy(
      #""displayName": "P", "id": "1", "version": "a", "pinRequired": true, "roleScopeTagIds": ["0"], "allowedDataStorageLocations": [], "assignments": [\#(target), \#(all)], "apps": [{"id": "b.c.ios", "version": "1", "mobileAppIdentifier": {"bundleId": "b.C"}}]"#
    )
    let other = Self.policy(
      #""displayName": "P", "id": "2", "pinRequired": true, "roleScopeTagIds": ["Default"], "assignments": [\#(all.replacing("\"x\"", with: "\"y\"")), \#(target)], "apps": [{"mobileAppIdentifier": {"bundleId": "b.c"}}]"#
    )
    let run = try Self.run([("a/p.json", one), ("b/q.json", other)], "a", "b")
    #expect(run.code == .done && run.output == "1 is the same\n", "\(run)")
    // A response that lacks apps and assignments says nothing of them.
    let bare = Self.policy(#""displayName": "P", "pinRequired": true"#)
    try expectEqual(Self.run([("a/p.json", one), ("b/q.json", bare)], "a", "b").code, .done)
    let changed = try Self.run(
      [
        ("a/p.json", one),
        ("b/q.json", Array(String(decoding: other, as: UTF8.self).replacing("true", with: "false").utf8)),
      ], "a", "b", "-j")
    let change = changed.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "change" }
    #expect(changed.code == .different && change.map { $0["title"]?.string } == ["PIN for access"])
  }

  @Test("Documents that only one of two exports has are named; a file asks for its own documents alone")
  func missing() throws {
    let (one, two) = (Self.policy(#""displayName": "One""#), Self.policy(#""displayName": "Two""#))
    let files = [
      ("a/one.json", one), ("a/two.json", two), ("b/two.json", two), ("b/x.json", Self.policy(#""displayName": "X""#)),
    ]
    let run = try Self.run(files, "a", "b")
    expectEqual(run.code, .different)
    #expect(
      run.output.contains(": One (iosManagedAppProtection): ") && run.output.contains("missing in "), "\(run.output)")
    #expect(run.output.hasSuffix("1 is missing in the second, 1 is only in the second, 1 is the same\n"))
    let file = try Self.run(files, "a/two.json", "b")
    #expect(
      file.code == .done && file.output == "1 is the same\n"
        && file.notes.contains("1 other documents were not asked for"))
    let gone = try Self.run(files, "a/one.json", "b", "-j")
    #expect(gone.code == .different && gone.output.contains(#""missing":1"#))
    let list = Array("[\(String(decoding: one, as: UTF8.self)), \(String(decoding: two, as: UTF8.self))]".utf8)
    try expectEqual(Self.run([("l.json", list), ("m.json", list)], "l.json", "m.json").output, "2 are the same\n")
  }

  @Test("A report of two exports has a table for each document that differs, and one of those that one side alone has")
  func report() throws {
    func policy(_ name: String, _ blocked: Bool) -> [UInt8] {
      Self.policy(#""displayName": "\#(name)", "printBlocked": \#(blocked)"#)
    }
    let files = [
      ("a/one.json", policy("One", true)), ("a/same.json", policy("Same", true)), ("a/old.json", policy("Old", true)),
      ("b/uno.json", policy("One", false)), ("b/same.json", policy("Same", true)), ("b/new.json", policy("New", true)),
    ]
    let run = try Self.run(files, "a", "b", "--format=csv")
    expectEqual(run.code, .different)
    let rows = try CSVRecords.read(run.output).dropFirst().map { row in
      let place = [2, 3].map { row.fields[$0].split(separator: "/").suffix(2).joined(separator: "/") }
      return [row.fields[7], row.fields[1]] + place
    }
    let kind = "(iosManagedAppProtection)"
    expectEqual(
      rows,
      [
        ["One \(kind)", "Printing Org data", "a/one.json", "Block"],
        ["One \(kind)", "Printing Org data", "b/uno.json", "Allow"],
        ["On one side alone", "Old \(kind)", "First", "a/old.json"],
        ["On one side alone", "Old \(kind)", "Second", "missing"],
        ["On one side alone", "New \(kind)", "First", "missing"],
        ["On one side alone", "New \(kind)", "Second", "b/new.json"],
      ])
    let page = try Self.run(files, "a", "b", "--format=html")
    #expect(page.code == .different && page.output.contains("1 document differs, 1 is missing in the second"))
    #expect(try Self.run(files, "a", "a", "--format=markdown").code == .done)
  }

  @Test("App configurations are compared, and what Microsoft365DSC leaves out is not")
  func others() throws {
    func configuration(_ value: String, _ id: String) -> [UInt8] {
      Array(
        ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": "\##(id)", "displayName": "C", "customSettings": [{"name": "k", "value": "\##(value)"}], "apps": [{"id": "b"}, {"id": "a"}]}"##
          .utf8)
    }
    try expectEqual(
      Self.run([("a/c.json", configuration("1", "x")), ("b/c.json", configuration("1", "y"))], "a", "b").code, .done)
    let run = try Self.run([("a/c.json", configuration("1", "x")), ("b/c.json", configuration("2", "x"))], "a", "b")
    #expect(run.code == .different && run.output.contains("Setting k"), "\(run.output)")
    let partial = Array(
      "Configuration C { Node localhost { IntuneAppProtectionPolicyiOS x { DisplayName = 'P'; PinRequired = $True } } }"
        .utf8)
    let whole = Self.policy(#""displayName": "P", "pinRequired": true, "printBlocked": true"#)
    try expectEqual(Self.run([("a/p.json", whole), ("b/p.ps1", partial)], "a", "b").code, .done)
    let single = try Self.run([("p.json", whole), ("p.ps1", partial)], "p.json", "p.ps1")
    #expect(single.code == .done && single.notes.contains("settings that it lacks are not compared"), "\(single)")
  }
}
