import Expectations
import Journal
import Testing

@testable import CommandSupport

@Suite("How far a command is")
struct ProgressTests {
  /// A line on a terminal that keeps what it was told, and a clock that goes on by itself at each look.
  private final class Screen: Sendable {
    let state = Lock((text: "", now: UInt64(0), looks: 0))
    let step: UInt64

    init(step: UInt64) { self.step = step }

    func progress(columns: Int = 40, stride: UInt64 = 1 << 18) -> Progress {
      Progress(
        columns: columns, stride: stride, now: { self.now() },
        write: { text in self.state.withLock { $0.text += text } })
    }

    private func now() -> UInt64 {
      state.withLock { state in
        state.now += step
        state.looks += 1
        return state.now
      }
    }

    var text: String { state.withLock(\.text) }
    var looks: Int { state.withLock(\.looks) }
  }

  private static let second: UInt64 = 1_000_000_000
  private static let erased = "\r\u{1B}[K"

  @Test("Nothing is shown before a second, then at most every tenth of one, with its share of what is known")
  func timing() {
    let screen = Screen(step: Self.second / 20)
    let progress = screen.progress()
    progress.begin("checking", total: 100, in: .items("files"))
    for _ in 0..<19 { progress.note(1) }
    expectEqual(screen.text, "")
    for _ in 0..<4 { progress.note(1) }
    expectEqual(screen.text, "\rchecking: 20 % of 100 files\u{1B}[K\rchecking: 22 % of 100 files\u{1B}[K")
    progress.clear()
    progress.clear()
    #expect(screen.text.hasSuffix("files\u{1B}[K\(Self.erased)") && !screen.text.hasSuffix(Self.erased + Self.erased))
    progress.end()
    progress.note(70)
    #expect(screen.text.hasSuffix(Self.erased))
  }

  @Test("Without a total it tells what was done, and it never needs more than the terminal's columns")
  func unknownTotal() {
    let screen = Screen(step: Self.second)
    let progress = screen.progress(columns: 20)
    progress.begin("salvaging, read so far", total: nil)
    progress.note(3 << 20)
    expectEqual(screen.text, "\rsalvaging, read so…\u{1B}[K")
    progress.begin("read", total: nil)
    progress.note(3 << 20)
    #expect(screen.text.hasSuffix("\rread: 3,072 KiB\u{1B}[K"))
    progress.note(30 << 20)
    #expect(screen.text.hasSuffix("\rread: 33 MiB\u{1B}[K"))
  }

  @Test("The clock is looked at once for a quarter of a mebibyte, however small the reads are")
  func cost() {
    let screen = Screen(step: 1)
    let progress = screen.progress()
    progress.begin("verifying", total: 1 << 20)
    for _ in 0..<1 << 14 { progress.note(64) }
    expectEqual(screen.looks, 5, "the start, and four times")
  }

  @Test("Work whose end is estimated says how much failed and how long the rest takes")
  func estimates() {
    let screen = Screen(step: Self.second)
    let progress = screen.progress(columns: 80)
    progress.begin("examining", total: 10_000, in: .items("files"), estimates: true)
    progress.note(1)
    expectEqual(screen.text, "\rexamining: 0 % of 10,000 files, 2 h 46 min left\u{1B}[K")
    progress.noteFailures(3)
    progress.note(99)
    #expect(screen.text.hasSuffix("\rexamining: 1 % of 10,000 files, 3 failed, 3 min left\u{1B}[K"))
    progress.note(4_900)
    #expect(screen.text.hasSuffix("\rexamining: 50 % of 10,000 files, 3 failed, 3 s left\u{1B}[K"))
  }

  @Test("Every command that reads a journal tells how far it is")
  func commands() throws {
    _ = Repository.root
    let journal = "journals/framework-history/journal"
    try TestFiles.withTemporaryFolder { folder in
      let lines: [([String], String)] = [
        (["verify", journal], "verifying "), (["check", journal], "checking "), (["log", journal], "replaying "),
        (["state", journal, "--from-start"], "replaying "), (["stats", journal], "counting the events of "),
        (["compare", journal, "journals/torn-tail/journal"], "comparing"),
        (["salvage", journal, "-o", "\(folder)/copy"], "salvaging, read so far"),
        (["simulate", "journals/framework-history/scenario.json", "-o", "\(folder)/new"], "simulating"),
        (["fleet", "journals"], "examining: "),
        (["policy", "lint", "Tests/pj/Policies/Small.json", "Tests/pj/Policies/Faulty.json"], "reading"),
      ]
      for (words, label) in lines {
        let screen = Screen(step: Self.second)
        var environment = ToolEnvironment()
        environment.progress = screen.progress(columns: 200, stride: 1)
        let run = ToolRun(words, environment: environment)
        #expect(screen.text.contains("\r\(label)"), "\(words): \(screen.text.prefix(200))")
        #expect(screen.text.hasSuffix(Self.erased), "\(words)")
        #expect(run.code != .unreadable && run.code != .wrongUse, "\(words): \(run.notes)")
      }
    }
  }
}
