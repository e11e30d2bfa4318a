import CommandLineInterface
import CommandSupport

/// `pj completions`: what a shell needs to complete command lines.
package enum CompletionsCommand: Command {
  package static let description = CommandDescription(
    "completions", "Prints the completion script of a shell.",
    examples: [
      .init(
        "pj completions bash > ~/.local/share/bash-completion/completions/pj", "Completions in every new Bash."),
      .init("pj completions zsh > ~/.zfunc/_pj", "Completions in every new Z shell whose fpath contains that folder."),
      .init("pj completions fish > ~/.config/fish/completions/pj.fish", "Completions in every new fish."),
    ],
    positionals: [
      PositionalDescription("SHELL", accepting: .oneOf(Shell.allCases.map(\.rawValue)), "The shell.")
    ])

  package static var schemas: [OutputSchema] { [OutputSchema("completions")] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try context.refuseJSON("completions")
    // The parser accepts no other shell.
    guard let shell = context.arguments.positional("SHELL").flatMap(Shell.init) else { return .wrongUse }
    ToolShell.current.map { context.output.write($0.table.completionScript(for: shell)) }
    return .done
  }
}
