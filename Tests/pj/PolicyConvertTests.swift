import Expectations
import JSON
import Testing

@testable import PolicyCommands

@Suite("pj policy convert")
struct PolicyConvertTests {
  private static let files: [(path: String, text: String)] = [
    (
      "policy.json",
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "id": "T_1", "version": "\"3\"", "displayName": "Field, staff", "minimumPinLength": 6, "periodOfflineBeforeWipeIsEnforced": "P90D", "customMember": [1, {"a": "=1"}]}"##
    ),
    (
      "bare.json",
      ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection", "displayName": "Phones", "pinRequired": true}"##
    ),
    (
      "lost.json",
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Lost", "pinRequired": "System.Object[]"}"##
    ),
    (
      "configuration.json",
      ##"{"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "C", "customSettings": []}"##
    ),
  ]

  /// Runs commands one after the other in a folder; `./` stands for it.
  private static func run(_ commands: [String]..., then body: (String) throws -> Void = { _ in }) throws -> [ToolRun] {
    try TestFiles.withTemporaryFolder { folder in
      for (path, text) in files { try TestFiles.write(Array(text.utf8), to: "\(folder)/\(path)") }
      let runs = commands.map { words in
        ToolRun(["policy"] + words.map { $0.hasPrefix("./") ? "\(folder)\($0.dropFirst())" : $0 })
      }
      try body(folder)
      return runs
    }
  }

  @Test("A policy goes through a table and comes back the same")
  func table() throws {
    let runs = try Self.run(
      ["convert", "./policy.json", "./bare.json", "--to", "csv", "-o", "./p.csv"],
      ["diff", "./policy.json", "./p.csv"],
      ["convert", "./p.csv", "--to", "graph", "-o", "./again.json"],
      ["show", "./again.json", "--all"], ["list", "./p.csv"], ["show", "./p.csv", "--all"]
    ) { folder in
      let text = String(decoding: try TestFiles.read("\(folder)/p.csv"), as: UTF8.self)
      #expect(text.hasPrefix("policy,member,value\r\n"))
      #expect(text.contains(#""1","/customMember/[1]/a","""=1"""#) && text.contains(#""1","/minimumPinLength","6""#))
    }
    expectEqual(runs[0].code, .done, "\(runs[0].notes)")
    #expect(runs[0].output.contains("2 policies written to "), "\(runs[0].output)")
    expectEqual(runs[2].code, .done, "\(runs[2].notes)")
    #expect(runs[4].output.contains("shapes: 2 table"), "\(runs[4].output)")
    // But for the places in the files.
    func settings(_ run: ToolRun) -> [Substring] { run.lines.filter { !$0.contains(": line ") } }
    expectEqual(settings(runs[3]), settings(runs[5]))
    #expect(settings(runs[5]).count > 100)
  }

  @Test("What the new shape does not hold is named, and nothing is written without --lossy")
  func lossy() throws {
    let runs = try Self.run(
      ["convert", "./policy.json", "./bare.json", "--to", "intunecd", "-o", "./backup"],
      ["convert", "./policy.json", "./bare.json", "--to", "intunecd", "-o", "./backup", "--lossy", "-j"],
      ["list", "./backup"], ["diff", "./policy.json", "./backup", "--settings-only"]
    ) { folder in
      expectEqual(
        try TestFiles.names(in: "\(folder)/backup/App Protection").sorted(),
        ["Field, staff_iosManagedAppProtection.json", "Phones_androidManagedAppProtection.json"])
    }
    expectEqual(runs[0].code, .different)
    #expect(runs[0].output.contains(#/reduced +Field, staff +.*policy.json: line 1, column 1: without id, version/#))
    #expect(runs[0].notes.contains("nothing is written"), "\(runs[0].notes)")
    expectEqual(runs[1].code, .done, "\(runs[1].notes)")
    let records = runs[1].records.compactMap { $0?.object }
    expectEqual(records.dropFirst().first?["losses"]?.array?.compactMap(\.string), ["id", "version"])
    expectEqual(records.last?["written"]?.number, JSONNumber(2))
    #expect(runs[2].output.contains("2 read") && runs[2].output.contains("2 IntuneCD"), "\(runs[2].output)")
    #expect(runs[3].code == .done, "\(runs[3].output)\(runs[3].notes)")
  }

  @Test("A policy that is unknown in part is never written, and the others only with --lossy")
  func unknown() throws {
    let runs = try Self.run(
      ["convert", "./lost.json", "./bare.json", "--to", "graph"],
      ["convert", "./lost.json", "./bare.json", "--to", "graph", "--lossy"],
      ["convert", "./lost.json", "--to", "csv", "--lossy"])
    #expect(runs[0].code == .different && runs[0].output.isEmpty, "\(runs[0].output)")
    #expect(runs[0].notes.contains("lost.json: line 1, column 1: refused: the value of pinRequired is unknown"))
    #expect(runs[1].code == .partial && runs[1].output.contains("Phones") && !runs[1].output.contains("Lost"))
    #expect(runs[2].code == .different && runs[2].output.isEmpty, "\(runs[2].notes)")
  }

  @Test("Documents that are no policies are skipped, and nothing else is no success")
  func others() throws {
    let runs = try Self.run(
      ["convert", "./configuration.json", "./bare.json", "--to", "graph"],
      ["convert", "./configuration.json", "--to", "csv"],
      ["convert", "./missing.json", "--to", "csv"])
    #expect(runs[0].code == .done && runs[0].output.contains("Phones"))
    #expect(runs[1].code == .unreadable && runs[1].notes.contains("there is no policy to convert"), "\(runs[1].notes)")
    expectEqual(runs[2].code, .unreadable)
  }

  @Test("What is there is not replaced, and wrong use is named")
  func places() throws {
    let runs = try Self.run(
      ["convert", "./bare.json", "--to", "graph", "-o", "./policy.json"],
      ["convert", "./bare.json", "--to", "intunecd", "-o", "./"], ["convert", "./bare.json", "--to", "intunecd"],
      ["convert", "./bare.json"], ["convert", "./bare.json", "--to", "graph", "-j"],
      ["convert", "./bare.json", "--to", "graph", "-o", "-"], ["convert", "./bare.json", "--to", "yaml"],
      ["convert", "./bare.json", "--to", "graph", "--account", "a1"],
      ["convert", "./bare.json", "--to", "graph", "-o", "./none/x.json"]
    ) { folder in
      expectEqual(try TestFiles.read("\(folder)/policy.json"), Array(Self.files[0].text.utf8))
    }
    for (index, words) in [
      "this exists and is not replaced", "this exists and is not replaced",
      "--to intunecd writes a folder: name it with --output", "--to is missing: it names the new shape", "",
      "--output names what to write; without it, convert prints it", "graph, csv",
      "convert takes files, and no account's policy in a journal", "",
    ].enumerated() {
      #expect(runs[index].code == (index == 8 ? .unreadable : .wrongUse), "\(index): \(runs[index].notes)")
      #expect(runs[index].notes.contains(words), "\(index): \(runs[index].notes)")
      #expect(runs[index].output.isEmpty || index == 4, "\(runs[index].output)")
    }
  }
}
