import FileProtection
import ProcessTesting

/// Kills two processes that share a key file at random moments, and checks what they left.
///
/// Usage: key-crash-test [--runs N] [--seed S]. The word worker is for the processes that it starts.
let help = """
  Usage: tools/key-crash-test [--runs N] [--seed S]

  Two processes share a key file and a keychain whose key changes with every destroyed key. They make and destroy keys, and each is
  killed with SIGKILL at a random moment, one while the other goes on. Then every key that was not destroyed must be the same,
  every destroyed one gone, and once another one is destroyed, no copy of the file from before may open. The seed decides what the
  processes do, not when they die. Ends with 1 and the line that starts the same run when something is not as it should be.
  """

/// Runs with one key file, before the next one begins.
let runsWithFile: UInt64 = 25

func conduct(_ options: RunOptions) -> Int32 {
  options.conduct("key-crash-test", "The key files are", "--runs \(options.runs)") { folder, start in
    var totals = [Int](repeating: 0, count: 4)
    for number in 0..<((options.runs + runsWithFile - 1) / runsWithFile) {
      let path = "\(folder)/\(number)"
      var conductor = try Conductor(
        program: CommandLine.arguments[0], in: path, seed: options.seed &+ number &* 1_000_003)
      for _ in 0..<min(runsWithFile, options.runs - number * runsWithFile) { try conductor.runOnce() }
      let counts = [conductor.made, conductor.destroyed, conductor.cutShort, conductor.copies]
      for (index, count) in counts.enumerated() { totals[index] += count }
      Platform.removeTree(path)
    }
    return """
      \(options.runs * 2) kills; \(totals[0]) keys made, \(totals[1]) destroyed, changes of the wrapping key cut short \
      \(totals[2]) times, \(totals[3]) old copies of the key file that open no more; \
      \((Platform.monotonicNanoseconds - start) / 1_000_000_000) s
      """
  }
}

Platform.ignoreBrokenPipes()
let words = CommandLine.arguments
if words.count == 6, words[1] == "worker", let seed = UInt64(words[4]), let next = Int(words[5]) {
  do throws(KeyStoreError) {
    var worker = try Worker(in: words[2], words[3], seed: seed, next: next)
    try worker.run()
  } catch {
    Platform.tell("failure \(error)")
  }
  Platform.end(1)
}
Platform.end(RunOptions.read("key-crash-test", help: help, ["--runs", "--seed"], runs: 1_000).map(conduct) ?? 2)
