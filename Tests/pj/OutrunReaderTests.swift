import AppProtection
import EventSourcing
import Journal
import Synchronization
import Testing

@testable import CommandSupport

/// Commands that read a journal while an app retires its first events.
@Suite("Readers that a retirement outruns")
struct OutrunReaderTests {
  /// Retires events just before a segment is opened for reading, as often as it is told to.
  private final class RetiringFileSystem: ForwardingFileSystem {
    let base: any FileSystem = PauselessFileSystem()
    private let path: String
    /// The events to retire, and whether a retirement is under way.
    private let plan: Mutex<(firsts: [UInt64], isBusy: Bool)>
    /// How many segments are opened before one is retired.
    private let opened = Mutex(0)
    private let patience: Int

    init(_ path: String, retiring firsts: [UInt64], after patience: Int) {
      self.path = path
      plan = Mutex((firsts, false))
      self.patience = patience
    }

    var isDone: Bool { plan.withLock { $0.firsts.isEmpty } }

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      if mode == .read, path.hasSuffix(".seg") { retire() }
      return try base.open(path, mode)
    }

    private func retire() {
      let isPatient = opened.withLock { count in
        count += 1
        return count <= patience
      }
      let first = plan.withLock { plan -> UInt64? in
        guard !plan.isBusy, !isPatient, !plan.firsts.isEmpty else { return nil }
        plan.isBusy = true
        return plan.firsts.removeFirst()
      }
      guard let first else { return }
      var options = StoreOptions()
      options.onMissingKeys = .refuseCommands
      if let store = try? EventStore<AppProtectionMachine>.open(at: self.path, options: options) {
        _ = try? store.retire(before: first)
        try? store.close()
      }
      plan.withLock { $0.isBusy = false }
    }
  }

  private static let commands = [
    ["log"], ["log", "-j"], ["log", "-n", "3"], ["stats"], ["state"], ["verify"], ["diagnose"], ["check"], ["fields"],
    ["explain", "managed(a1)"], ["blame", "/accounts/**"], ["bisect", "--where", "/process/isRunning"],
  ]

  @Test("They read what is there now, and answer", arguments: commands)
  func answers(words: [String]) throws {
    _ = Repository.root
    var outrun = 0
    for patience in stride(from: 3, through: 60, by: TestFiles.triesEverything ? 3 : 38) {
      try TestFiles.withTemporaryFolder { folder in
        let path = "\(folder)/j"
        try SmallSegments.write("framework-history", to: path)
        let files = RetiringFileSystem(path, retiring: [60, 150, 260], after: patience)
        var environment = ToolEnvironment.withoutPauses
        environment.fileSystem = files
        environment.threadCount = 1
        let line = [words[0], path] + words.dropFirst()
        let run = ToolRun(line, environment: environment)
        guard files.isDone else { return }
        outrun += 1
        let after = ToolRun(line)
        #expect([.done, .different].contains(run.code), "\(patience): \(run.notes)")
        #expect(!run.notes.contains("retired meanwhile"), "\(run.notes)")
        // Unless it had read them before.
        if run.output != after.output { #expect(run.output.utf8.count >= after.output.utf8.count, "\(run.output)") }
      }
    }
    #expect(outrun > 0)
  }

  @Test("A new journal is not begun twice, and where part of the answer is out, the rest is asked for again")
  func told() throws {
    let error = JournalError(.retired, "the events before 9 were retired meanwhile", remedy: "open the journal again")
    let failure = Failure(error, journal: "field.pj")
    #expect(failure.exitCode == .partial && failure.isOutrun && failure.next == "pj log field.pj")
    let output = TextOutput()
    output.line("a")
    #expect(output.forget() && output.text.isEmpty && !output.hasContent)
    let file = try #require(TestFiles.fullDevice())
    let device = TextOutput(descriptor: file, isTerminal: false)
    device.line("a")
    device.flush()
    #expect(!device.forget())
  }
}
