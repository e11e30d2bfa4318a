import CommandLineInterface
import CommandSupport
import EventSourcing
import JSON
import SystemCalls

/// A tool: its table, and how a command line is carried out.
package struct ToolShell: Sendable {
  /// Commands that answer the same kind of question, and their title.
  package typealias Group = (title: String, commands: [any Command.Type])

  /// Its name, its domain, and what it opens.
  package let definition: ToolDefinition
  /// Every command, grouped and ordered as in the help.
  package let groups: [Group]
  /// Commands for shells, which no help shows.
  package let hiddenCommands: [any Command.Type]
  /// The table from which parsing, help, manual page and completions come.
  package let table: CommandLineTool
  /// What help explains besides commands and topics, for completions.
  let terms: @Sendable () -> [String]
  /// Called after a command that did not fail.
  private let finish: @Sendable (CommandContext) -> Void

  /// What the commands write with `-j`, and what stands in its place where a command line names none.
  package var schemas: [OutputSchema] { Self.schemas(of: groups) }

  /// What commands write with `-j`, and what stands in its place where a command line names none.
  package static func schemas(of groups: [Group]) -> [OutputSchema] {
    [OutputSchema("error")] + groups.flatMap { $0.commands.flatMap { $0.schemas } }
  }

  /// The tool whose command runs.
  @TaskLocal package static var current: ToolShell?

  /// The texts of the commands name `pj`, and are shown with the tool's own name.
  package init(
    _ definition: ToolDefinition, summary: String, discussion: [HelpBlock], groups: [Group],
    hiddenCommands: [any Command.Type] = [], topics: [HelpTopic], terms: @escaping @Sendable () -> [String] = { [] },
    finish: @escaping @Sendable (CommandContext) -> Void = { _ in }
  ) {
    (self.definition, self.groups, self.hiddenCommands) = (definition, groups, hiddenCommands)
    self.terms = terms
    self.finish = finish
    let (domain, name) = (definition.domain, definition.identity.name)
    let descriptions = groups.flatMap(\.commands).map { $0.description }
    let names = Set(descriptions.map(\.name))
    let toolWords = ToolWords(name, domain)
    func shown(_ command: any Command.Type) -> CommandDescription {
      guard !definition.identity.hasEveryCommand else { return command.description }
      return command.description(in: domain).fitting(domain, commands: names).shown(in: toolWords)
    }
    table = CommandLineTool(
      name: name, version: definition.identity.version, summary: summary, discussion: discussion,
      groups: groups.map { CommandGroup($0.title, $0.commands.map(shown)) },
      options: [
        OptionDescription(
          "json", short: "j",
          "Write JSON Lines instead of text; the last record says whether the output is complete."),
        OptionDescription(
          "reveal",
          definition.identity.hasEveryCommand
            ? "Show what identifies people: object ids and user principal names. Secrets stay withheld."
            : "Show what identifies people. Secrets stay withheld."),
        OptionDescription(
          "no-pager", "Write long output directly instead of through $PAGER."),
        OptionDescription(
          "color", value: "WHEN", accepting: .oneOf(["auto", "always", "never"]), default: "auto",
          "Use colors: only on a terminal, always or never."),
      ],
      topics: definition.identity.hasEveryCommand ? topics : topics.map { $0.shown(in: toolWords) },
      exitCodes: ExitCode.allCases.map {
        ExitCodeDescription(
          Int($0.rawValue),
          definition.identity.hasEveryCommand ? $0.meaning : toolWords.shown($0.meaning))
      },
      synonyms: definition.identity.hasEveryCommand ? OtherTools.synonyms : OtherTools.synonyms(among: names),
      hiddenCommands: hiddenCommands.map(shown))
  }

  /// Carries out this process's command line, and ends the process.
  package func runProcess() -> Never {
    Platform.ignoreBrokenPipes()
    Platform.ignoreFileSizeLimit()
    let environment = ToolEnvironment.current(of: definition)
    let code = run(
      bytes: Platform.arguments(), output: environment.standardOutput(), notes: environment.standardError(),
      environment: environment)
    Platform.end(code.rawValue)
  }

  /// Carries out a command line as the system hands it over, which does not include the tool's own name.
  ///
  /// A word that is not UTF-8 names a file as it does in a folder: see `FileName`.
  package func run(
    bytes arguments: [[UInt8]], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    run(arguments.map { FileName.text($0) }, output: output, notes: notes, environment: environment)
  }

  /// Carries out a command line, which does not include the tool's own name.
  ///
  /// - Returns: The exit code. Both outputs are flushed.
  package func run(
    _ words: [String], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    if words.contains("--no-pager") { output.showAtOnce() }
    // A note shown while a pager has the terminal would appear in its page.
    notes.isHeld = output.mayPage
    let code = Self.$current.withValue(self) {
      Tool.$current.withValue(definition.identity) {
        carryOut(words, output: output, notes: notes, environment: environment)
      }
    }
    environment.progress?.end()
    output.finish()
    defer { notes.finish() }
    guard let failure = output.failure else { return code }
    notes.line("\(definition.identity.name): standard output: \(failure.reason). Next: \(failure.next)")
    return .unreadable
  }

  /// Whether a command line that cannot be parsed asks for JSON.
  private static func isForPrograms(_ words: [String]) -> Bool { words.contains("-j") || words.contains("--json") }

  /// The command that a command line begins with.
  private func command(of words: [String]) -> String? {
    guard let word = words.first else { return nil }
    return table.commands.contains { $0.name == word } ? word : nil
  }

  /// The command line as it was meant: with the command first, if it begins with a file or folder, as in `pj field.pj log`,
  /// where the default is log, which shows the most; with our name for a word of other tools, or for an action.
  private func corrected(_ words: [String], _ error: ArgumentError) -> String? {
    guard case .unknownCommand(let word) = error.code else { return nil }
    var rest = words
    var verb: [String]
    if Platform.exists(word) {
      let commands = table.commands.map(\.name)
      verb = [rest.firstIndex(where: commands.contains).map { rest.remove(at: $0) } ?? commands.first ?? "help"]
    } else {
      guard let first = error.nearest.first, first.contains(" ") || table.synonyms[word] != nil else { return nil }
      let isOfApp = words.contains { $0.hasSuffix(".plist") || $0.hasSuffix(".entitlements") }
      let meant = isOfApp ? error.nearest.first { $0.hasPrefix("settings ") } ?? first : first
      verb = meant.split(separator: " ").map(String.init)
      if let place = rest.firstIndex(of: word) { rest.remove(at: place) }
    }
    return ([Tool.name] + verb + rest).map { TerminalText.visible($0.shellWord) }.joined(separator: " ")
  }

  private func carryOut(
    _ words: [String], output: TextOutput, notes: TextOutput, environment: ToolEnvironment
  ) -> ExitCode {
    let invocation: Invocation
    do throws(ArgumentError) {
      invocation = try table.parse(words)
    } catch {
      var error = error
      if let line = corrected(words, error) { error.next = line }
      if Self.isForPrograms(words) { JSONLines(output, .on).fail(.wrongUse, error.description, of: command(of: words)) }
      notes.line(error.description)
      return .wrongUse
    }
    let style = Style(isEnabled: environment.outputIsTerminal && !environment.noColor)
    switch invocation {
    case .overview: output.page(table.overview(width: environment.width, style: style))
    case .help(let command):
      output.page(table.helpText(for: command, width: environment.width, style: style))
    case .version: output.line(Tool.current.title)
    case .run(let arguments):
      let commands = groups.flatMap(\.commands) + hiddenCommands
      guard let command = commands.first(where: { $0.description.name == arguments.command.name }) else {
        notes.line("\(Tool.name): the command \(arguments.command.name) has no implementation. Next: report this bug")
        return .bug
      }
      return run(command, arguments, words, output, notes, environment)
    }
    return .done
  }

  private func run(
    _ command: any Command.Type, _ arguments: ParsedArguments, _ words: [String], _ output: TextOutput,
    _ notes: TextOutput, _ environment: ToolEnvironment
  ) -> ExitCode {
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
        finish(context)
        return code
      } catch {
        // Events were retired while they were read: what is there now is read, unless part of an answer is out.
        if error.isOutrun, attempt < Self.attempts, !context.writes, output.forget() { continue }
        context.report {
          $0.fail(error.exitCode, error.message, of: arguments.command.name)
        } text: {
        }
        context.note(error)
        return error.exitCode
      }
    }
    return .done
  }

  /// How often a command reads a journal of which events are retired each time before it is done.
  private static let attempts = 20
}
