import CommandLineInterface
import CommandSupport

/// `diagnose` of a tool whose domain knows families of problems, and no more.
enum DomainDiagnose: Command {
  private static let search = ProblemSearch()

  static var description: CommandDescription { description([]) }

  static func description(in domain: AnyDomain) -> CommandDescription {
    description(domain.diagnostics?.families.map(\.id) ?? [])
  }

  private static func description(_ families: [String]) -> CommandDescription {
    search.description(
      families: families,
      examples: [
        .init("pj diagnose field.pj", "What is wrong, and why."),
        .init("pj diagnose field.pj --only now -j", "What is wrong at the end, for programs."),
        .init(
          "pj diagnose field.pj --against good.pj", "The same, and how it differs from a journal without the problem."),
      ])
  }

  static var schemas: [OutputSchema] { [search.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try search.run(context) }
}
