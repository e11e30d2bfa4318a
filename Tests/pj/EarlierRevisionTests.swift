import Expectations
import AppProtection
import Testing

@testable import CommandSupport

/// The commands on journals that earlier revisions of the rules wrote. What those journals add up to is in the tests of
/// `Simulation`, which keep them.
@Suite("Journals of earlier revisions, through pj")
struct EarlierRevisionTests {
  struct Kept: Sendable, CustomTestStringConvertible {
    let revision: UInt32
    let name: String

    var path: String {
      _ = Repository.root
      return "Tests/Simulation/Golden/revision-\(revision)/\(name)"
    }
    var isDamaged: Bool { name == "damaged-frame" }
    /// Whether this program's rules give the states that it recorded.
    var isReproduced: Bool { revision >= AppProtectionMachine.earliestKeptRevision }
    var testDescription: String { "revision \(revision), \(name)" }
  }

  static let kept: [Kept] = [1, 2, 3, 4].flatMap { revision in
    Repository.journals.map { Kept(revision: UInt32(revision), name: $0) }
  }

  @Test(
    "Every command that reads a journal reads one of an earlier revision, and calls only damage damage",
    arguments: kept)
  func commands(_ kept: Kept) {
    let verified = ToolRun("verify", kept.path)
    expectEqual(verified.code, kept.isDamaged ? .different : .done, "\(verified.output)")
    for words in [["log"], ["show", "2"], ["state"], ["stats"]] {
      let run = ToolRun([words[0], kept.path] + words.dropFirst())
      expectEqual(run.code, kept.isDamaged ? .partial : .done, "\(words): \(run.notes)")
      #expect(run.notes.isEmpty != kept.isDamaged, "\(words): \(run.notes)")
    }
    #expect(ToolRun("log", kept.path).output.contains("process.started"))
    #expect(ToolRun("show", kept.path, "2").output.contains("process.started"))
    #expect(ToolRun("state", kept.path, "--path", "/process/reducerRevision").output.contains("\(kept.revision)"))
    #expect(ToolRun("stats", kept.path).output.contains("process.started"))
  }

  @Test("A check says which revision wrote a journal, and calls none of its digests a mismatch", arguments: kept)
  func check(_ kept: Kept) {
    let run = ToolRun("check", kept.path)
    #expect(!run.output.contains("differs"), "\(run.output)")
    #expect(run.output.contains(" of revision \(kept.revision) of the rules left out") != kept.isReproduced)
    expectEqual(run.code, kept.isReproduced && !kept.isDamaged ? .done : .partial, "\(run.output)")
  }

  @Test(
    "A comparison with a journal of the next revision says which revision wrote each",
    arguments: kept.filter { $0.revision < 4 })
  func compare(_ kept: Kept) {
    let next = Kept(revision: kept.revision + 1, name: kept.name)
    let run = ToolRun("compare", kept.path, next.path)
    #expect(
      run.output.contains("rules       revision \(kept.revision) ≠ revision \(next.revision) from event 2 on"),
      "\(run.output)")
  }
}
