/// What a command line asks for.
public enum Invocation: Equatable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show the help of a command: ``CommandLineTool/helpText(for:width:style:)``.
  case help(CommandDescription)
  /// Show what the tool can do: ``CommandLineTool/overview(width:style:)``.
  case overview
  /// Print ``CommandLineTool/version``.
  case version
}
