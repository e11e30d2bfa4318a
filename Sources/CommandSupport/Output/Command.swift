import CommandLineInterface

/// One command of the tool.
package protocol Command: SendableMetatype {
  /// Its name, its purpose, and its arguments.
  static var description: CommandDescription { get }

  /// The same in the tool of a domain, of what applies there; ``description`` by default.
  static func description(in domain: AnyDomain) -> CommandDescription

  /// What it writes with `-j`.
  static var schemas: [OutputSchema] { get }

  /// Runs the command. A failure becomes one line on standard error.
  static func run(_ context: CommandContext) throws(Failure) -> ExitCode
}

extension Command {
  package static func description(in domain: AnyDomain) -> CommandDescription { description }
}
