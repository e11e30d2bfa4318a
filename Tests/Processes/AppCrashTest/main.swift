import Journal
import ProcessTesting

/// Kills the sample app and its share extension at random moments, starts the app again, and checks what they left.
///
/// Usage: app-crash-test [--runs N] [--seed S]. The word lane is for the processes that it starts, one for each phone.
let help = """
  Usage: tools/app-crash-test [--runs N] [--seed S]

  The sample app is killed with SIGKILL while it enrolls, wipes, remediates and writes or imports notes, and its share extension
  while it takes in what other apps share and hands commands over, on several phones at once. Then the app starts again, and may be
  killed in that, too. After a start that is not killed, its journal verifies, nothing is left undone, what was handed over is done,
  no note of a managed account is readable on the disk, and nothing foreign was touched. The seed decides what the processes are
  told, not when they die. Ends with 1 and the line that starts the same run when something is not as it should be.
  """

/// Phones at once: two for each of two processors, because an app waits for the disk now and then.
let laneCount: UInt64 = 4

func conduct(_ options: RunOptions) -> Int32 {
  options.conduct("app-crash-test", "The phones are", "--runs \(options.runs)") { folder, start in
    var totals = Lane.Totals()
    var lanes: [ChildProcess] = []
    for lane in 0..<laneCount {
      let runs = options.runs / laneCount + (lane < options.runs % laneCount ? 1 : 0)
      lanes.append(
        try ChildProcess(
          CommandLine.arguments[0], ["lane", "\(folder)/\(lane)", "\(options.seed &+ lane &* 1_000_003)", "\(runs)"]))
    }
    // All of them, after a failure too: the apps of a killed lane would go on, and write into a folder that is removed.
    var failure: ProcessFailure?
    for lane in lanes {
      let lines = lane.remainingLines()
      if lane.wait() == 0, let counted = lines.last.flatMap({ Lane.Totals($0) }) {
        totals.add(counted)
      } else if failure == nil {
        failure = ProcessFailure(lines.last ?? "a lane ended without a word")
      }
    }
    if let failure { throw failure }
    return "\(totals.sentence); \((Platform.monotonicNanoseconds - start) / 1_000_000_000) s"
  }
}

Platform.ignoreBrokenPipes()
let words = CommandLine.arguments
if words.count == 5, words[1] == "lane", let seed = UInt64(words[3]), let runs = UInt64(words[4]) {
  var lane = Lane(at: words[2], seed: seed)
  do throws(ProcessFailure) {
    try lane.run(runs)
    Platform.tell(lane.totals.line)
    Platform.end(0)
  } catch {
    Platform.tell("\(error)")
    Platform.end(1)
  }
}
Platform.end(
  RunOptions.read("app-crash-test", help: help, ["--runs", "--seed"], runs: 1_000).map(conduct) ?? 2)
