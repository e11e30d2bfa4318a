import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import JournalCommands
import PolicyCommands
import PolicyDocuments
import ProtectionSupport
import ReplayTool

/// The tool for app protection.
enum PolicyJournalTool {
  /// Its domain.
  static let domain = AnyDomain(AppProtectionMachine.self, additions: ProtectionAdditions()).redeciding(
    AppProtectionMachine.self
  ).diagnosing(AppProtectionMachine.self) { AppProtectionExamination(contradictions: PolicyLint.contradictions) }

  /// Its name, its domain, and that it reads archives.
  static let definition = ToolDefinition(
    "pj", version: Version.package, domain: domain, archives: SystemArchives(),
    hasEveryCommand: true)

  /// Every command, grouped and ordered as in the help.
  static let groups: [(title: String, commands: [any Command.Type])] = [
    (
      "look",
      [
        LogCommand.self, ShowCommand.self, StateCommand.self, FieldsCommand.self, StatsCommand.self,
        TimelineCommand.self,
      ]
    ),
    (
      "ask why",
      [
        DiagnoseCommand.self, BlameCommand.self, BisectCommand.self, ExplainCommand.self, WhatIfCommand.self,
        DiffCommand.self,
        CompareCommand.self, FleetCommand.self,
      ]
    ),
    ("trust", [VerifyCommand.self, CheckCommand.self, SalvageCommand.self]),
    ("keep", [ForkCommand.self, RetireCommand.self]),
    ("exchange", [ExportCommand.self, ImportCommand.self, TablesCommand.self, SimulateCommand.self]),
    ("documents", [PolicyCommand.self, SettingsCommand.self]),
    ("about", [SchemaCommand.self, CompletionsCommand.self, HelpCommand.self, VersionCommand.self]),
  ]

  /// Commands for shells, which no help shows.
  static let hiddenCommands: [any Command.Type] = [CompleteCommand.self]

  /// What the commands write with `-j`.
  static let schemas = ToolShell.schemas(of: groups)

  /// What carries out its command lines.
  static let shell = ToolShell(
    definition, summary: "replays, inspects and compares policy journals",
    discussion: [
      """
      A policy journal records every change of an app's protection policies as an event. pj reads a journal while the app \
      writes it, and even when it is damaged. It never changes one, except that pj retire removes its oldest events.
      """
    ],
    groups: groups, hiddenCommands: hiddenCommands, topics: HelpTopics.all,
    terms: { Terms.all.map(\.name) }, finish: ImaginedJournals.note)

  /// The table from which parsing, help, manual page and completions come.
  static var table: CommandLineTool { shell.table }
}
