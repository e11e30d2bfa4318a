import CommandLineInterface
import CommandSupport

/// `whatif` of a tool whose domain has no edits of its own.
enum DomainWhatIf: Command {
  private static let imagination = HistoryImagination()

  static var description: CommandDescription { description(type: "", hasQuestions: true) }

  static func description(in domain: AnyDomain) -> CommandDescription {
    description(type: domain.samples.type, hasQuestions: domain.samples.question != nil)
  }

  private static func description(type: String, hasQuestions: Bool) -> CommandDescription {
    let pattern = type.prefix { $0 != "." } + ".*"
    return imagination.description(
      HistoryImagination.Words(pattern: "\(pattern)", condition: "type = \(type) and seq = 2"),
      hasQuestions: hasQuestions,
      examples: [
        .init("pj whatif field.pj --drop \(type)", "What the last such event did, and what followed from it."),
        .init("pj whatif field.pj --drop 2..4 --diff", "Every value that differs without these events."),
        .init("pj whatif field.pj --drop '\(pattern)' -o other.pj", "The other history as a journal."),
      ])
  }

  static var schemas: [OutputSchema] { [imagination.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try imagination.run(context) }
}
