extension CommandLineTool {
  /// A script that teaches a shell to complete the tool's commands, options and values.
  ///
  /// Bash reads it with `source`, and as a file named as the tool in a completions directory; zsh as a file named `_`
  /// and the tool's name in a directory of `fpath`; fish as `NAME.fish` in `~/.config/fish/completions`. The same table
  /// gives the same script.
  public func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion()
    case .zsh: zshCompletion()
    case .fish: fishCompletion()
    }
  }

  /// What is offered for a value, with names looked up and closed lists taken into account.
  enum Offer: Equatable {
    case nothing
    case file
    case directory
    case words([String])
  }

  func offer(_ rule: ValueRule, _ completion: ValueCompletion) -> Offer {
    if case .oneOf(let choices) = rule { return .words(choices) }
    switch completion {
    case .none: return .nothing
    case .file: return .file
    case .directory: return .directory
    case .words(let words): return .words(words)
    case .helpSubjects: return .words(helpSubjects)
    }
  }

  /// The tool's name as a part of the name of a shell function.
  var functionName: String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Text between apostrophes for a POSIX shell.
  static func shellQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
