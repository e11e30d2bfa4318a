import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import Testing

@testable import CommandSupport
@testable import JournalCommands
@testable import ReplayTool
@testable import PolicyCommands

/// A log that several threads compute is the log that one computes, whatever is wrong with the journal.
@Suite("A log on several threads")
struct ParallelLogTests {
  private static let questions: [[String]] = [
    ["log", "P"], ["log", "P", "-j"], ["log", "P", "100..300"], ["log", "P", "-j", "90..", "--reveal"],
    ["log", "P", "-g", "wiped"], ["log", "P", "-g", "nothing says this"], ["log", "P", "--type", "polcy.*"],
    ["log", "P", "--account", "a9"], ["log", "P", "-w", "type = \"launch.*\" and not account = \"a2\""],
    ["log", "P", "--findings", "-j"], ["log", "P", "--path", "/policies"], ["log", "P", "--caused-by", "12"],
    ["log", "P", "-C", "2", "-g", "wiped"], ["log", "P", "--type", "policy.*", "-j"],
    ["log", "P", "--not-type", "launch.*"], ["log", "P", "80..", "--type", "wipe.*", "--not-type", "wipe.f*"],
    ["log", "P", "--type", "wipe.*", "--not-type", "wipe.*"],
  ]

  private static func run(_ question: [String], _ path: String, threads: Int) -> ToolRun {
    var environment = ToolEnvironment.withoutPauses
    environment.threadCount = threads
    return ToolRun(question.map { $0 == "P" ? path : $0 }, environment: environment)
  }

  @Test("The same bytes, notes and exit code as of one thread", arguments: TestFiles.share(of: TailTests.damages))
  func same(damage: TailTests.Damage) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path, with: damage)
      // One damage after the other is asked other questions.
      let first = TailTests.damages.firstIndex { $0.testDescription == damage.testDescription } ?? 0
      let step = TestFiles.triesEverything ? 1 : 5
      for question in stride(from: first % step, to: Self.questions.count, by: step).map({ Self.questions[$0] }) {
        let alone = Self.run(question, path, threads: 1)
        let shared = Self.run(question, path, threads: 3)
        expectEqual(shared.output, alone.output, "\(question)")
        #expect(shared.notes == alone.notes && shared.code == alone.code, "\(question): \(shared.notes)")
      }
    }
  }

  @Test("A reader that goes away ends the threads quietly")
  func closed() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TailTests.copy(to: path)
      var environment = ToolEnvironment.withoutPauses
      environment.threadCount = 3
      let journal = try JournalInput(path, environment)
      let pass = LogPass(journal: journal, lower: 1, upper: nil, redaction: .on, context: 0)
      let output = TextOutput(descriptor: -1, isTerminal: true)
      let totals = try pass.print(EventFilter(), LogJSON(.on), LogPrinter(output, nil))
      #expect(output.isClosed && totals.findings.isEmpty)
    }
  }
}
