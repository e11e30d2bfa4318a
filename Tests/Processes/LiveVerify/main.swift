import Journal
import ProcessTesting

/// Verifies journals while another process writes them at full speed.
///
/// Usage: live-verify [--runs N] [--seed S] [--program PJ]. The word write is for the process that it starts.
func write(_ path: String, seed: UInt64) -> Int32 {
  do throws(JournalError) {
    var author = Author(path: path, events: KnownEvents(seed: seed), generator: SeededGenerator(seed: seed))
    try author.run()
    return 0
  } catch {
    Platform.tell("failure \(error)")
    return 1
  }
}

func watch(_ options: RunOptions) -> Int32 {
  options.conduct("live-verify", "The journal is", "--runs \(options.runs)") { directory, start in
    let author = try ChildProcess(CommandLine.arguments[0], ["write", directory, "\(options.seed)"])
    var watcher = Watcher(
      author: author, path: directory, events: KnownEvents(seed: options.seed), program: options.program)
    try watcher.run(options.runs)
    author.closeInput()
    author.kill()
    author.wait()
    let totals = watcher.totals
    return """
      \(totals.runs) runs of verify on \(totals.journals) journals being written, \(totals.growths) of \
      them on a journal that had grown since the run before, \(totals.retirements) on one whose first events were \
      retired, \(totals.events) events verified, \
      and \(totals.programRuns) runs of pj verify; nothing found; \
      \((Platform.monotonicNanoseconds - start) / 1_000_000) ms
      """
  }
}

Platform.ignoreBrokenPipes()
Invariants.areChecked = true
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "write" {
  Platform.end(write(CommandLine.arguments[2], seed: UInt64(CommandLine.arguments[3]) ?? 1))
}
let help = """
  Usage: tools/live-verify [--runs N] [--seed S]

  One process writes journals at full speed, with rotations, checkpoints and retention, under all sync policies; another
  verifies them N times meanwhile (10,000 unless told otherwise), one time in a hundred also with pj. A journal that is being
  written is sound: whatever is found is wrong, and ends the run with 1 and the line that starts it again.
  """
Platform.end(RunOptions.read("live-verify", help: help, ["--runs", "--seed", "--program"]).map(watch) ?? 2)
