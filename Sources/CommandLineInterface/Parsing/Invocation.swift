/// What a command line requests.
public enum Invocation: Equatable, Sendable {
  /// Run a command.
  case run(ParsedArguments)
  /// Show the help of a command: ``CommandLineTool/helpText(for:width:style:)``.
  case help(CommandDescription)
  /// Show an overview of the tool: ``CommandLineTool/overview(width:style:)``.
  case overview
  /// Print ``CommandLineTool/version``.
  case version
}
