/// What a shell offers when the user presses Tab in place of a value.
public enum ValueCompletion: Equatable, Sendable {
  /// Nothing.
  case none
  /// Names of files and directories.
  case file
  /// Names of directories.
  case directory
  /// These words, although others are accepted too. Each consists of ASCII letters, digits and `.`, `_`, `-`, `/`, `+`,
  /// so that no shell needs to quote it.
  case words([String])
  /// The names of the tool's commands and topics.
  case helpSubjects
}
