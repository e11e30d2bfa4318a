import Expectations
import JSON
import Testing

/// Trouble that is over, apart from what holds at the end.
@Suite("What is over")
struct PastTroubleTests {
  private static func simulate(_ fixture: String, into journal: String) {
    let scenario = "\(Repository.root)/Tests/Simulation/Diagnosis/\(fixture).json"
    expectEqual(ToolRun("simulate", scenario, "-o", journal).code, .done)
  }

  @Test("A journal with past trouble alone says that nothing is wrong now, and exits with 1; --only now with 0")
  func over() throws {
    try TestFiles.withTemporaryFolder { folder in
      Self.simulate("jailbreak/five-times-and-restored@launch.evaluated#1", into: "\(folder)/j")
      let run = ToolRun("diagnose", "\(folder)/j")
      #expect(run.code == .different && run.output.hasPrefix("Nothing is wrong now. What is over:\n"), "\(run.output)")
      #expect(run.output.contains("it came 5 times"), "\(run.output)")
      let now = ToolRun("diagnose", "\(folder)/j", "--only", "now")
      #expect(now.code == .done && now.output.hasPrefix("nothing is wrong now"), "\(now.output)")
      expectEqual(ToolRun("diagnose", "\(folder)/j", "--only", "over").code, .different)
      expectEqual(ToolRun("fleet", "\(folder)/j").code, .different)
      let fleet = ToolRun("fleet", "\(folder)/j", "--only", "now")
      #expect(fleet.code == .done && fleet.output.contains("1 clean"), "\(fleet.output)")
    }
  }

  @Test("JSON has the state, the end and the episodes with their times")
  func members() throws {
    try TestFiles.withTemporaryFolder { folder in
      Self.simulate("jailbreak/five-times-and-restored@launch.evaluated#1", into: "\(folder)/j")
      let finding = try #require(
        ToolRun("diagnose", "\(folder)/j", "-j").records.compactMap { $0?.object }.first {
          $0["kind"]?.string == "finding" && $0["family"]?.string == "jailbreak"
        })
      expectEqual(finding["state"]?.string, "over")
      expectEqual(finding["ending"]?.object?["how"]?.string, "recovered")
      expectEqual(finding["time"]?.string?.hasPrefix("2026-09-"), true)
      let episodes = try #require(finding["episodes"]?.array).compactMap(\.object)
      expectEqual(episodes.count, 5)
      expectEqual(Set(episodes.map { $0["ending"]?.object?["how"]?.string }), ["recovered"])
      let first = try #require(finding["evidence"]?.array?.first?.object)
      expectEqual(first["time"]?.string, finding["time"]?.string)
      expectEqual(finding["deciding"], first["event"])
      // The line that decides may be folded.
      let lines = ToolRun("diagnose", "\(folder)/j").lines
      let decides = lines.indices.filter { lines[$0].contains("← decides") }
      let marked = decides.map { lines[...$0].last { $0.contains(#/^  [0-9]+  /#) } }
      expectEqual(marked.map { $0?.split(separator: " ").first.flatMap { UInt64($0) } }, [31])
      expectEqual(finding["deciding"], .number(31))
    }
  }

  @Test(
    "A part of the answer names what is wrong beside it, and never says that nothing is wrong now",
    arguments: [
      ["--only", "over"], ["--family", "offline-block"], ["--family", "jailbreak"], ["--complaint", "sharing"],
      ["--about", "2026-09-08"],
    ])
  func beside(_ options: [String]) throws {
    try TestFiles.withTemporaryFolder { folder in
      Self.simulate("missing-capability/lost-with-an-update@token.denied#2", into: "\(folder)/j")
      let run = ToolRun(["diagnose", "\(folder)/j"] + options)
      #expect(!run.output.contains("Nothing is wrong now"), "\(run.output)")
      #expect(
        run.output.contains("Not asked for, and wrong now: missing-capability\n"), "\(run.output)")
      let whole = ToolRun("diagnose", "\(folder)/j")
      #expect(!whole.output.contains("Not asked for"), "\(whole.output)")
      let end = ToolRun(["diagnose", "\(folder)/j", "-j"] + options).records.compactMap { $0?.object }.last
      expectEqual(end?["standing"], .number(1))
    }
  }
}
