import CommandLineInterface

/// `pj completions`: what a shell needs to complete command lines.
enum CompletionsCommand: Command {
  static let description = CommandDescription(
    "completions", "Prints the completion script of a shell.",
    examples: [
      .init(
        "pj completions bash > ~/.local/share/bash-completion/completions/pj", "Completions in every later Bash."),
      .init("pj completions zsh > ~/.zfunc/_pj", "Completions in every later Z shell whose fpath has that folder."),
      .init("pj completions fish > ~/.config/fish/completions/pj.fish", "Completions in every later fish."),
    ],
    positionals: [
      PositionalDescription("SHELL", accepting: .oneOf(Shell.allCases.map(\.rawValue)), "Which shell.")
    ])

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try context.refuseJSON("completions")
    guard let shell = context.arguments.positional("SHELL").flatMap(Shell.init) else {
      throw Failure(.wrongUse, "there are no completions for that shell", next: "pj help completions")
    }
    context.output.write(PolicyJournalTool.table.completionScript(for: shell))
    return .done
  }
}
