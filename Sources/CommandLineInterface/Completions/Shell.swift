/// A shell for which completions can be generated.
public enum Shell: String, CaseIterable, Sendable {
  /// GNU Bash, 3.2 or later.
  case bash
  /// The Z shell, 5 or later.
  case zsh
  /// fish, 3.0 or later.
  case fish
}
