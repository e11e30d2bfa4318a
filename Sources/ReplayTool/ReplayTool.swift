import CommandLineInterface
import CommandSupport
import EventSourcing

/// The command line tool of a domain: git-like questions about its journals, with its own reducer, names and privacy.
///
/// ```swift
/// @main struct BookTool {
///   static func main() {
///     ReplayTool<Book>(name: "book-tool", version: "1.0.0", summary: "looks into account books").run()
///   }
/// }
/// ```
///
/// `book-tool help` lists its commands. They are those of `pj`, and the page <doc:OwnTool> says which.
public struct ReplayTool<Domain: QuestionDomain & Decider>: Sendable {
  package let shell: ToolShell

  /// A tool for the journals of the domain.
  ///
  /// The domain's loops are compiled where this is called.
  ///
  /// - Parameters:
  ///   - name: The word that starts it: lower-case ASCII letters, digits and hyphens.
  ///   - version: What `version` prints, such as `1.0.0`.
  ///   - summary: What it does, as a phrase without a capital or a full stop.
  @inlinable
  public init(name: String, version: String, summary: String) {
    self.init(ToolDefinition(name, version: version, domain: AnyDomain(Domain.self)), summary: summary)
  }

  @usableFromInline
  init(_ definition: ToolDefinition, summary: String) {
    shell = ToolShell(
      definition, summary: summary,
      discussion: [
        """
        A journal of the domain \(definition.domain.name) records every change as an event. \(definition.identity.name) reads \
        a journal while a program writes it, and even when it is damaged. It never changes one, except that \
        \(definition.identity.name) retire removes its oldest events.
        """
      ],
      groups: [
        (
          "look",
          [
            DomainLog.self, DomainShow.self, StateCommand.self, FieldsCommand.self, StatsCommand.self,
            DomainTimeline.self,
          ]
        ),
        ("ask why", [BlameCommand.self, BisectCommand.self, DiffCommand.self, CompareCommand.self]),
        ("trust", [VerifyCommand.self, CheckCommand.self, SalvageCommand.self]),
        ("keep", [ForkCommand.self, RetireCommand.self]),
        ("exchange", [ExportCommand.self, DomainImport.self]),
        ("about", [DomainSchema.self, CompletionsCommand.self, DomainHelp.self, VersionCommand.self]),
      ], hiddenCommands: [CompleteCommand.self],
      topics: CommonTopics.ofEveryDomain)
  }

  /// Carries out this process's command line, and ends the process with the code that `help exit-codes` explains.
  public func run() -> Never { shell.runProcess() }
}
