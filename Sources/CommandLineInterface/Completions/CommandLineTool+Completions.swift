extension CommandLineTool {
  /// A script with which a shell completes the tool's commands, options and values.
  ///
  /// Bash reads it with `source`, or from a completions directory as a file named after the tool; zsh from a directory
  /// of `fpath` as a file named `_` followed by the tool's name; fish as `NAME.fish` in `~/.config/fish/completions`.
  /// Equal tables produce equal scripts.
  public func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }

  /// What completion offers for a value, with subjects and closed lists resolved.
  enum Offer: Equatable {
    case nothing
    case file
    case directory
    case words([String])
    case asks(String, orFiles: Bool)
  }

  /// The commands, and the actions of each as commands of their own after it, which takes one more word: its action.
  var completedForms: [CommandDescription] {
    commands.flatMap { command -> [CommandDescription] in
      guard let choice = command.choice else { return [command] }
      var chosen = command
      (chosen.options, chosen.positionals) = (command.allOptions, [choice])
      return [chosen] + command.forms
    }
  }

  /// The words after which an action is completed as a command of its own: `policy lint`.
  var actionNames: [String] { commands.filter { !$0.actions.isEmpty }.flatMap { $0.forms.map(\.name) } }

  func offer(_ rule: ValueRule, _ completion: ValueCompletion) -> Offer {
    if case .oneOf(let choices) = rule { return .words(choices) }
    switch completion {
    case .none: return .nothing
    case .file: return .file
    case .directory: return .directory
    case .words(let words): return .words(words)
    case .helpSubjects: return .words(helpSubjects)
    case .asks(let kind, let orFiles): return .asks(kind, orFiles: orFiles)
    }
  }

  /// The tool's name as it appears in names of shell functions.
  var functionName: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// The text in single quotes for a POSIX shell.
  static func shellQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// A shell for which completions can be generated.
public enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash, 3.2 or later.
  case bash
  /// The Z shell, 5 or later.
  case zsh
  /// fish, 3.0 or later.
  case fish
}
