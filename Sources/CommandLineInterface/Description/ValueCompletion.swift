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
  /// What the tool itself says: `TOOL complete KIND -- CURRENT WORD…` prints a candidate a line, for the word that is typed
  /// and the words before it; names of files as well if asked for. The kind consists of lower-case letters.
  case asks(String, orFiles: Bool = false)
}
