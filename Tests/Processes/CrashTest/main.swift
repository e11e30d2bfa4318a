import Journal
import ProcessTesting

/// Kills processes that write a journal, at random moments, and checks that nothing they were promised is lost.
///
/// Usage: crash-test [--seconds N] [--seed S]. The words write, follow and check are for the processes that it starts.
func number(_ index: Int) -> UInt64 {
  CommandLine.arguments.count > index ? UInt64(CommandLine.arguments[index]) ?? 0 : 0
}

/// One of the processes that a run starts.
func play(_ role: String, _ path: String) -> Int32 {
  do {
    let events = KnownEvents(seed: number(3))
    switch role {
    case "write":
      var writer = Writer(path: path, seed: number(3), round: number(4))
      try writer.run()
    case "follow":
      let limit: ReadLimit = CommandLine.arguments[4] == "durable" ? .durable : .written
      try Follower(path: path, events: events, limit: limit, start: number(5)).run()
    default:
      try Checker(path: path, events: events, acknowledged: number(4)).run()
    }
    return 0
  } catch {
    Platform.tell("failure \(error)")
    return 1
  }
}

func conduct(_ options: RunOptions) -> Int32 {
  options.conduct("crash-test", "The journal is", "--seconds \(options.seconds)") { directory, start in
    let deadline = start + options.seconds * 1_000_000_000
    var conductor = Conductor(program: CommandLine.arguments[0], seed: options.seed, path: directory + "/journal")
    repeat { try conductor.runJournal(until: deadline) } while Platform.monotonicNanoseconds < deadline
    let totals = conductor.totals
    return """
      \(totals.kills) kills of \(totals.journals) journals' writers, \(totals.recoveries) openings, \
      \(totals.acknowledgements) acknowledgements for \(totals.acknowledgedEvents) events, all found; \
      \(totals.followedEvents) events followed without a gap or a double; \(totals.refusals) second writers refused; \
      \((Platform.monotonicNanoseconds - start) / 1_000_000_000) s
      """
  }
}

Platform.ignoreBrokenPipes()
Invariants.areChecked = true
if CommandLine.arguments.count > 3, ["write", "follow", "check"].contains(CommandLine.arguments[1]) {
  Platform.end(play(CommandLine.arguments[1], CommandLine.arguments[2]))
}
let help = """
  Usage: tools/crash-test [--seconds N] [--seed S]

  Processes append to a journal and are killed with SIGKILL at random moments, while others follow it. Everything
  that was acknowledged must be there afterwards, and be right. The seed decides what the processes do, not when they
  die. Ends with 1 and the line that starts the same run when something is not as it should be.
  """
Platform.end(RunOptions.read("crash-test", help: help, ["--seconds", "--seed"]).map(conduct) ?? 2)
