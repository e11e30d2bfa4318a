import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import Journal
import JournalCommands
import JSON
import PolicyCommands
import ProtectionSupport
import SystemCalls

/// The tool: its table, and how a command line is carried out.
enum PolicyJournalTool {
  /// Its name, its domain, and that it reads archives.
  static let tool = Tool(
    "pj", version: Version.package, domain: AnyDomain(AppProtectionMachine.self), archives: SystemArchives())

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

  /// What the commands write with `-j`, and what stands in its place where a command line names none.
  static let schemas = [OutputSchema("error")] + groups.flatMap { $0.commands.flatMap { $0.schemas } }

  /// The table from which parsing, help, manual page and completions come.
  static let table = CommandLineTool(
    name: "pj", version: tool.identity.version, summary: "replays, inspects and compares policy journals",
    discussion: [
      """
      A policy journal records every change of an app's protection policies as an event. pj reads a journal while the app \
      writes it, and even when it is damaged. It never changes one, except that pj retire removes its oldest events.
      """
    ],
    groups: groups.map { CommandGroup($0.title, $0.commands.map { $0.description }) },
    options: [
      OptionDescription(
        "json", short: "j", "Write JSON Lines instead of text; the last record says whether the output is complete."),
      OptionDescription(
        "reveal", "Show what identifies people: object ids and user principal names. Secrets stay withheld."),
      OptionDescription(
        "no-pager", "Write long output directly instead of through $PAGER."),
      OptionDescription(
        "color", value: "WHEN", accepting: .oneOf(["auto", "always", "never"]), default: "auto",
        "Use colors: only on a terminal, always or never."),
    ],
    topics: HelpTopics.all,
    exitCodes: ExitCode.allCases.map { ExitCodeDescription(Int($0.rawValue), $0.meaning) },
    synonyms: OtherTools.synonyms, hiddenCommands: hiddenCommands.map { $0.description })

  /// Carries out a command line as the system hands it over, which does not include the tool's own name.
  ///
  /// A word that is not UTF-8 names a file as it does in a folder: see `FileName`.
  static func run(
    bytes arguments: [[UInt8]], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    run(arguments.map { FileName.text($0) }, output: output, notes: notes, environment: environment)
  }

  /// Whether a command line that cannot be parsed asks for JSON.
  private static func isForPrograms(_ words: [String]) -> Bool { words.contains("-j") || words.contains("--json") }

  /// The command that a command line begins with.
  private static func command(of words: [String]) -> String? {
    guard let word = words.first else { return nil }
    return groups.contains { group in group.commands.contains { $0.description.name == word } } ? word : nil
  }

  /// Carries out a command line, which does not include the tool's own name.
  ///
  /// - Returns: The exit code. Both outputs are flushed.
  static func run(
    _ words: [String], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    if words.contains("--no-pager") { output.showAtOnce() }
    // A note shown while a pager has the terminal would appear in its page.
    notes.isHeld = output.mayPage
    let code = ToolIdentity.$current.withValue(tool.identity) {
      carryOut(words, output: output, notes: notes, environment: environment)
    }
    environment.progress?.end()
    output.finish()
    defer { notes.finish() }
    guard let failure = output.failure else { return code }
    notes.line("pj: standard output: \(failure.reason). Next: \(failure.next)")
    return .unreadable
  }

  /// The command line as it was meant: with the command first, if it begins with a file or folder, as in `pj field.pj log`,
  /// where the default is log, which shows the most; with our name for a word of other tools, or for an action.
  private static func corrected(_ words: [String], _ error: ArgumentError) -> String? {
    guard case .unknownCommand(let word) = error.code else { return nil }
    var rest = words
    var verb: [String]
    if Platform.exists(word) {
      let commands = table.commands.map(\.name)
      verb = [rest.firstIndex(where: commands.contains).map { rest.remove(at: $0) } ?? "log"]
    } else {
      guard let first = error.nearest.first, first.contains(" ") || table.synonyms[word] != nil else { return nil }
      let isOfApp = words.contains { $0.hasSuffix(".plist") || $0.hasSuffix(".entitlements") }
      let meant = isOfApp ? error.nearest.first { $0.hasPrefix("settings ") } ?? first : first
      verb = meant.split(separator: " ").map(String.init)
      if let place = rest.firstIndex(of: word) { rest.remove(at: place) }
    }
    return (["pj"] + verb + rest).map { TerminalText.visible($0.shellWord) }.joined(separator: " ")
  }

  private static func carryOut(
    _ words: [String], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    let invocation: Invocation
    do throws(ArgumentError) {
      invocation = try table.parse(words)
    } catch {
      var error = error
      if let line = corrected(words, error) { error.next = line }
      if isForPrograms(words) { JSONLines(output, .on).fail(.wrongUse, error.description, of: command(of: words)) }
      notes.line(error.description)
      return .wrongUse
    }
    let style = Style(isEnabled: environment.outputIsTerminal && !environment.noColor)
    switch invocation {
    case .overview: output.page(table.overview(width: environment.width, style: style))
    case .help(let command):
      output.page(table.helpText(for: command, width: environment.width, style: style))
    case .version: output.line(tool.identity.title)
    case .run(let arguments):
      let commands = groups.flatMap(\.commands) + hiddenCommands
      guard let command = commands.first(where: { $0.description.name == arguments.command.name }) else {
        notes.line("pj: the command \(arguments.command.name) has no implementation. Next: report this bug")
        return .bug
      }
      let door = MountedJournals(environment)
      var environment = environment
      environment.fileSystem = door
      let context = CommandContext(
        arguments: arguments, words: words, output: output, notes: notes, environment: environment)
      context.report { _ in
        output.leaveLinesWhole()
      } text: {
      }
      defer {
        output.flush()
        for note in door.ignored { context.note(note) }
        for loss in door.losses(for: arguments.command.name) { context.note(loss) }
      }
      for attempt in 1... {
        do throws(Failure) {
          // Messages quote documents, and withhold what may name a person unless it is asked for.
          let code = try JSONExcerpt.$showsPersons.withValue(context.redaction.revealsAccounts) {
            Result { () throws(Failure) in try command.run(context) }
          }.get()
          ImaginedJournals.note(context)
          return code
        } catch {
          // Events were retired while they were read: what is there now is read, unless part of an answer is out.
          if error.isOutrun, attempt < attempts, !context.writes, output.forget() { continue }
          context.report {
            $0.fail(error.exitCode, error.message, of: arguments.command.name)
          } text: {
          }
          context.note(error)
          return error.exitCode
        }
      }
    }
    return .done
  }

  /// How often a command reads a journal of which events are retired each time before it is done.
  private static let attempts = 20
}
