import Journal
import ProcessTesting

/// Kills an app and its extensions, which share a container, at random moments, and checks that every command that was
/// acknowledged is carried out exactly once.
///
/// Usage: share-test [--seconds N] [--seed S] [--program PJ]. The words app and extension are for the processes that it
/// starts.
func play(_ role: String) async -> Int32 {
  let arguments = CommandLine.arguments
  var player = Player(Container(path: arguments[2]), name: arguments[3], seed: UInt64(arguments[4]) ?? 0)
  do {
    if role == "app" { try await player.playApp() } else { try await player.playExtension() }
    return 0
  } catch {
    Platform.tell("failure \(error)")
    return 1
  }
}

func conduct(_ options: RunOptions) -> Int32 {
  options.conduct("share-test", "The container is", "--seconds \(options.seconds)") { directory, start in
    let deadline = start + options.seconds * 1_000_000_000
    var conductor = Conductor(
      program: CommandLine.arguments[0], verifier: options.program, seed: options.seed, directory: directory)
    repeat { try conductor.runContainer(until: deadline) } while Platform.monotonicNanoseconds < deadline
    let totals = conductor.totals
    return """
      \(totals.kills) kills of apps and extensions in \(totals.containers) containers, \
      \(totals.suspensions) suspensions, \(totals.takeovers) takeovers; \(totals.commands) commands acknowledged, all \
      among the \(totals.events) carried out, each once and in order; \(totals.ended) outcomes told; \
      \((Platform.monotonicNanoseconds - start) / 1_000_000_000) s
      """
  }
}

Platform.ignoreBrokenPipes()
if CommandLine.arguments.count > 4, ["app", "extension"].contains(CommandLine.arguments[1]) {
  Platform.end(await play(CommandLine.arguments[1]))
}
let help = """
  Usage: tools/share-test [--seconds N] [--seed S]

  An app and two extensions share a container: the app writes the journal, is suspended and resumed, and carries out what
  the extensions hand over; these write for it when it is gone. All of them are killed with SIGKILL at random moments.
  Every command that was acknowledged must be carried out exactly once, and those of each process in order. The seed decides
  what the processes do, not when they die. Ends with 1 and the line that starts the same run when something is not as it
  should be.
  """
Platform.end(
  RunOptions.read("share-test", help: help, ["--seconds", "--seed", "--program"]).map(conduct) ?? 2)
