/// The tool's exit codes. The numbers are part of its interface.
package enum ExitCode: Int32, CaseIterable {
  /// Done; the same, holds, sound.
  case done = 0
  /// Done, and the answer is "different", "damage found" or "does not hold".
  case different = 1
  /// Wrong use.
  case wrongUse = 2
  /// The input is incomplete or damaged; the answer may be partial.
  case partial = 3
  /// The input cannot be read, or the output cannot be written.
  case unreadable = 4
  /// The input needs a newer tool, contains an unknown event that must be understood, or is of another domain.
  case needsNewerTool = 5
  /// A command that the tool was to run failed in a way that answers nothing.
  case commandFailed = 6
  /// A bug in the tool.
  case bug = 70
  /// Interrupted. The shell reports it; the tool itself is ended by the signal.
  case interrupted = 130

  /// The exit code of a command that read several inputs: device failures and unknown versions take precedence over
  /// damage, in whatever order they were read.
  package static func worst(_ codes: ExitCode...) -> ExitCode {
    [.unreadable, .needsNewerTool, .partial].first(where: codes.contains) ?? codes.first { $0 != .done } ?? .done
  }

  /// What the code means, for the table in the help.
  package var meaning: String {
    switch self {
    case .done: "done; the same, holds, sound"
    case .different: "done; the answer is \"different\", \"damage found\" or \"does not hold\""
    case .wrongUse: "wrong use: one line names the mistake and the nearest valid name"
    case .partial: "the input is incomplete or damaged; the answer may be partial"
    case .unreadable: "the input cannot be read, or the output cannot be written"
    case .needsNewerTool:
      "the input needs a newer tool, contains an unknown event that must be understood, or is of another domain"
    case .commandFailed: "a command to be run could not be run, or did not end by itself"
    case .bug: "a bug in pj"
    case .interrupted: "interrupted"
    }
  }
}
