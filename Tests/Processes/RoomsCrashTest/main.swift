import Journal
import ProcessTesting

/// Kills processes that work with the journal of an own domain, at random moments, and checks what they left.
///
/// Usage: rooms-crash-test [--seconds N] [--seed S]. The word work is for the processes that it starts.
func conduct(_ options: RunOptions) -> Int32 {
  options.conduct("rooms-crash-test", "The house is", "--seconds \(options.seconds)") { directory, start in
    let deadline = start + options.seconds * 1_000_000_000
    var conductor = Conductor(program: CommandLine.arguments[0], seed: options.seed)
    repeat {
      try conductor.runHouse(in: directory + "/house", until: deadline)
    } while Platform.monotonicNanoseconds < deadline
    let totals = conductor.totals
    return """
      \(totals.kills) kills in \(totals.houses) houses; \(totals.acknowledged) orders acknowledged, all carried out once, \
      \(totals.repeated) repeated after a death; \(totals.refused) refused for another version; \(totals.saved) saved read \
      models; \(totals.deliveries) deliveries without a gap, \(totals.redeliveries) again; \(totals.retirements) retirements; \
      STREAMS asked \(totals.sought) times; \((Platform.monotonicNanoseconds - start) / 1_000_000_000) s
      """
  }
}

func work(_ words: [String]) async {
  var worker = Worker(
    in: words[2], seed: UInt64(words[3]) ?? 0, next: UInt64(words[4]) ?? 0, repeating: Order(words[5]))
  do {
    try await worker.run()
  } catch {
    Platform.tell("failure \(error)")
  }
}

Platform.ignoreBrokenPipes()
Invariants.areChecked = true
if CommandLine.arguments.count == 6, CommandLine.arguments[1] == "work" {
  await work(CommandLine.arguments)
  Platform.end(1)
}
let help = """
  Usage: tools/rooms-crash-test [--seconds N] [--seed S]

  The rooms of the page of that name, with entities, sealed names, a read model and confirmations. A process sends orders that expect
  versions, repeats the one that was not answered when it died, saves the read model, confirms and retires events, and is killed
  with SIGKILL at random moments. Then every acknowledged order must have led to one event, versions, the state and the read model
  must be what the events add up to, and confirmations must go on where they were. The seed decides what the processes do,
  not when they die. Ends with 1 and the line that starts the same run when something is not as it should be.
  """
Platform.end(RunOptions.read("rooms-crash-test", help: help, ["--seconds", "--seed"]).map(conduct) ?? 2)
