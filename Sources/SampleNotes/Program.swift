import AppProtectionKit

/// The program: carries out the command on its command line or, without one, a command for each line of its input.
@main @MainActor
enum Program {
  static func main() async {
    Platform.end(await run(Array(CommandLine.arguments.dropFirst()), on: Terminal()))
  }

  /// Runs the app as the system starts it, until the user or the end of the input ends it.
  ///
  /// - Returns: The exit code: that of the first command that failed.
  static func run(
    _ arguments: [String], on terminal: Terminal, clock: some TimeSource = SystemClock()
  ) async -> Int32 {
    var code = ExitCode.done
    do {
      var options = try Options(arguments)
      if options.wantsHelp {
        terminal.write(NotesCommand.help)
        return code.rawValue
      }
      var app = try await NotesApp.launch(options, terminal, clock)
      while let words = options.nextCommand(from: terminal) {
        let outcome = await NotesCommand.carryOut(words, in: app)
        if code == .done { code = outcome }
        guard app.mustRestart, options.command == nil else { continue }
        try await app.end()
        terminal.write("The app starts again.")
        app = try await NotesApp.launch(options, terminal, clock)
      }
      try await app.end()
    } catch {
      let outcome = terminal.report(error)
      if code == .done { code = outcome }
    }
    return code.rawValue
  }
}

/// How the program ends.
enum ExitCode: Int32 {
  case done = 0
  /// A policy or a rule refused something.
  case refused = 1
  /// A command is not understood.
  case wrongUse = 2
  /// A file cannot be read or written.
  case failed = 4
}
