import Expectations
import Journal
import Testing

/// Positions among lost events: of a journal that lacks files, and of one salvaged from it.
@Suite("Positions where events are lost")
struct LostPositionTests {
  /// Gives `framework-history` without some of its segments, by their place, and what was salvaged from that.
  private func withLosses(_ lost: [Int], _ body: ([String]) throws -> Void) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/field"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let segments = try TestFiles.names(in: path).filter { $0.hasSuffix(".seg") }.sorted()
      for place in lost { try TestFiles.removeFile("\(path)/\(segments[place])") }
      let salvaged = ToolRun("salvage", path, "-o", "\(folder)/salvaged")
      expectEqual(salvaged.code, lost.count == segments.count ? .unreadable : .partial)
      try body(lost.count == segments.count ? [path] : [path, "\(folder)/salvaged"])
    }
  }

  /// Expects that a command ends in 3 without an answer, and why.
  private func expectUnknown(_ words: [String], _ reason: String) {
    let run = ToolRun(words)
    #expect(run.code == .partial && run.output.isEmpty, "\(words)")
    #expect(run.notes.contains(": \(reason)"), "\(words): \(run.notes)")
    // What was lost before a journal was salvaged is in no byte of it.
    let isSalvaged = words.contains { $0.contains("/salvaged") }
    #expect(run.notes.contains(isSalvaged ? ". Next: pj help damage" : ". Next: pj salvage "), "\(words): \(run.notes)")
  }

  @Test("Where the end is lost, nothing that depends on it is answered")
  func lostEnd() throws {
    try withLosses([1, 2, 3]) { paths in
      for path in paths {
        let lost = "unknown: events 76–378 are lost"
        let time = "the last event at or before that time is \(lost)"
        expectUnknown(["policy", "show", "\(path)@2020-10-15", "--account", "a3"], time)
        expectUnknown(["policy", "diff", "\(path)@2020-05", "\(path)@2021-05", "--account", "a3"], time)
        expectUnknown(["diff", path, "2020-05", "2021-05"], time)
        expectUnknown(["state", path, "--at", "2099-01-01"], time)
        expectUnknown(["state", path, "--at", "end~0"], "end~0 is \(lost)")
        expectUnknown(["state", path, "--at", "end~3"], "end~3 is \(lost)")
        expectUnknown(["state", path, "--at", "-1d"], "the time of the last event is \(lost)")
        expectUnknown(["log", path, "--until", "end~0"], "end~0 is \(lost)")
        expectUnknown(["show", path, "end"], "the last event is \(lost)")
        let type = "the last policy.received is \(lost)"
        let run = ToolRun("state", path, "--at", "policy.received")
        #expect(run.code == .partial && run.output.isEmpty && run.notes.contains(type), "\(run.notes)")
        let lint = ToolRun("policy", "lint", "\(path)@2020-10-15", "--account", "a3")
        #expect(lint.code == .partial && lint.notes.contains(time), "\(lint.notes)")
        expectUnknown(["state", path, "--at", "300"], "event 300 is lost: the last one left is 75")
        #expect(ToolRun("state", path, "--at", "75").output.contains("a3"), "a number says which event is meant")
      }
    }
  }

  @Test("Where nothing says how far the journal reached, nothing that depends on it is answered")
  func unknownEnd() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/field"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: path)
      try TestFiles.removeFile("\(path)/HEAD")
      let end = "unknown: events from 21 on may be lost"
      expectUnknown(["state", path, "--at", "end~3"], "end~3 is \(end)")
      expectUnknown(["show", path, "end"], "the last event is \(end)")
      expectUnknown(["state", path, "--at", "2099-01"], "the last event at or before that time is \(end)")
      #expect(ToolRun("state", path, "--at", "20").output.contains("a1"))
      let log = ToolRun("log", path, "..2099-01")
      #expect(log.code == .partial && log.output.contains("20 events (1–20)"))
    }
  }

  @Test("A time beside lost events is unknown; one that the next event proves is known")
  func hole() throws {
    try withLosses([1]) { paths in
      for path in paths {
        let time = "the last event at or before that time is unknown: events 76–188 are lost"
        expectUnknown(["state", path, "--at", "2020-05-15"], time)
        expectUnknown(["state", path, "--at", "2020-06-15", "--path", "/accounts"], time)
        expectUnknown(["show", path, "2020-05-15"], time)
        #expect(ToolRun("show", path, "2020-04-01").output.hasPrefix("event "))
        #expect(ToolRun("show", path, "end~3").output.hasPrefix("event 375 "))
        for words in [["log", path, "2020-05"], ["stats", path, "2020-05"]] {
          let run = ToolRun(words)
          #expect(run.code == .partial && run.notes.contains(path == paths[0] ? "1 place damaged" : "113 events lost"))
        }
      }
      let state = ToolRun("state", paths[1], "--at", "2020-04-01")
      #expect(state.code == .done && state.notes.isEmpty)
    }
  }

  @Test("The number of an event among its like is unknown after a loss, and so is the last one before it")
  func types() throws {
    try withLosses([1]) { paths in
      for path in paths {
        let lost = "unknown: events 76–188 are lost"
        #expect(ToolRun("show", path, "policy.received#1").output.hasPrefix("event "))
        let count = ToolRun("log", path, "--type", "policy.received", "-j").lines.count { $0.contains(#""seq":"#) }
        for number in [count, count + 1] {
          expectUnknown(
            ["show", path, "policy.received#\(number)"],
            "which event is policy.received#\(number), of which \(count) are left, is \(lost)")
        }
        expectUnknown(["show", path, "no.such"], "no event of type no.such is left, and events 76–188 are lost")
      }
    }
  }

  @Test(
    "Of a journal without any segment no position is known",
    arguments: ["end", "300", "2020-05", "policy.received", "policy.received#2", "end~3", "-1d"])
  func noSegments(position: String) throws {
    try withLosses([0, 1, 2, 3]) { paths in
      for words in [["show", paths[0], position], ["state", paths[0], "--at", position]] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.output.isEmpty, "\(words)")
        #expect(
          !run.notes.contains("the journal has no events") && run.notes.contains("Next: ask for the whole folder"))
      }
    }
  }
}
