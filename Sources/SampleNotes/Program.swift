import AppProtectionKit

/// The program: carries out the command on its command line or, without one, a command for each line of its input.
@main @MainActor
enum Program {
  static func main() async {
    AppProcess.end(await run(Array(CommandLine.arguments.dropFirst()), on: Terminal()))
  }

  /// Runs the app or its share extension as the system starts it, until the user or the end of the input ends it.
  ///
  /// - Returns: The exit code: that of the first command that failed.
  static func run(
    _ arguments: [String], on terminal: Terminal, clock: some TimeSource = SystemClock()
  ) async -> Int32 {
    var code = ExitStatus.done
    do {
      var options = try Options(arguments)
      if options.wantsHelp {
        terminal.write(help)
        return code.rawValue
      }
      if options.isExtension {
        let share = try ShareExtension(options, terminal, clock)
        while let words = options.nextCommand(from: terminal) {
          let outcome = await NotesCommand.carryOut(words, of: ShareExtension.commands, in: share, terminal)
          if code == .done { code = outcome }
        }
        return code.rawValue
      }
      var app = try await NotesApp.launch(options, terminal, clock)
      while true {
        if app.mustRestart, options.command == nil {
          try await app.end()
          terminal.write("The app starts again.")
          app = try await NotesApp.launch(options, terminal, clock)
        }
        guard let words = options.nextCommand(from: terminal) else { break }
        let outcome = await app.carryOut(words)
        if code == .done { code = outcome }
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
enum ExitStatus: Int32 {
  case done = 0
  /// A policy or a rule refused something.
  case refused = 1
  /// A command is not understood.
  case wrongUse = 2
  /// A file cannot be read or written, or the service did not do what was asked of it.
  case failed = 4
}
