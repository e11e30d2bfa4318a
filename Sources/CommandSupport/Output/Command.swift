import CommandLineInterface

/// One command of the tool.
package protocol Command: SendableMetatype {
  /// Its name, its purpose, and its arguments.
  static var description: CommandDescription { get }

  /// The same for a tool that has no command of app protection alone; without one of its own, ``description``.
  static var descriptionForDomains: CommandDescription { get }

  /// What it writes with `-j`.
  static var schemas: [OutputSchema] { get }

  /// Runs the command. A failure becomes one line on standard error.
  static func run(_ context: CommandContext) throws(Failure) -> ExitCode
}

extension Command {
  package static var descriptionForDomains: CommandDescription { description }
}
