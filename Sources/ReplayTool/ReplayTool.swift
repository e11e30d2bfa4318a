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
        ("ask why", Self.reasoning(of: definition.domain)),
        ("trust", [VerifyCommand.self, CheckCommand.self, SalvageCommand.self]),
        ("keep", [ForkCommand.self, RetireCommand.self]),
        ("exchange", [ExportCommand.self, DomainImport.self, TablesCommand.self]),
        ("about", [DomainSchema.self, CompletionsCommand.self, DomainHelp.self, VersionCommand.self]),
      ], hiddenCommands: [CompleteCommand.self],
      topics: CommonTopics.all(for: definition.domain), finish: ImaginedJournals.note)
  }

  /// The commands that look for reasons: those of every domain, and those of one that answers questions, decides again or knows
  /// which problems its histories show.
  private static func reasoning(of domain: AnyDomain) -> [any Command.Type] {
    var commands: [any Command.Type] = [BlameCommand.self, BisectCommand.self]
    if domain.diagnostics != nil { commands.insert(DomainDiagnose.self, at: 0) }
    if domain.samples.question != nil { commands.append(ExplainCommand.self) }
    if domain.imagination != nil { commands.append(DomainWhatIf.self) }
    commands += [DiffCommand.self, CompareCommand.self]
    if domain.diagnostics != nil { commands.append(FleetCommand.self) }
    return commands
  }

  /// Carries out this process's command line, and ends the process with the code that `help exit-codes` explains.
  public func run() -> Never { shell.runProcess() }
}

extension ReplayTool where Domain: DiagnosisDomain {
  /// A tool for the journals of a domain that knows which problems its histories show; it has `diagnose` and `fleet`.
  ///
  /// - Parameters:
  ///   - name: The word that starts it: lower-case ASCII letters, digits and hyphens.
  ///   - version: What `version` prints, such as `1.0.0`.
  ///   - summary: What it does, as a phrase without a capital or a full stop.
  @inlinable
  public init(name: String, version: String, summary: String) {
    let domain = AnyDomain(Domain.self).diagnosing(Domain.self)
    self.init(ToolDefinition(name, version: version, domain: domain), summary: summary)
  }
}

extension ReplayTool where Domain: RedecidingDomain {
  /// A tool for the journals of a domain whose decisions can be made again; it has `whatif`.
  ///
  /// - Parameters:
  ///   - name: The word that starts it: lower-case ASCII letters, digits and hyphens.
  ///   - version: What `version` prints, such as `1.0.0`.
  ///   - summary: What it does, as a phrase without a capital or a full stop.
  @inlinable
  public init(name: String, version: String, summary: String) {
    let domain = AnyDomain(Domain.self).redeciding(Domain.self)
    self.init(ToolDefinition(name, version: version, domain: domain), summary: summary)
  }
}

extension ReplayTool where Domain: DiagnosisDomain & RedecidingDomain {
  /// A tool for the journals of a domain that knows which problems its histories show, and whose decisions can be made again.
  ///
  /// - Parameters:
  ///   - name: The word that starts it: lower-case ASCII letters, digits and hyphens.
  ///   - version: What `version` prints, such as `1.0.0`.
  ///   - summary: What it does, as a phrase without a capital or a full stop.
  @inlinable
  public init(name: String, version: String, summary: String) {
    let domain = AnyDomain(Domain.self).diagnosing(Domain.self).redeciding(Domain.self)
    self.init(ToolDefinition(name, version: version, domain: domain), summary: summary)
  }
}
