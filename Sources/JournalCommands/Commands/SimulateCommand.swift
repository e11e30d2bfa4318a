import AppProtection
import CommandLineInterface
import CommandSupport
import PlainText
import Simulation

/// `pj simulate`: runs a scripted scenario and writes a journal.
package enum SimulateCommand: Command {
  package static let description = CommandDescription(
    "simulate", "Runs a scripted scenario through the real engine and writes a journal.",
    discussion: [
      """
      The same scenario always produces the same bytes. Unmet expectations are printed with the value found and the event \
      that set it; the journal is written in any case. Nothing is synced: a power cut within seconds may destroy the \
      journal, which can be produced again. "sync": "everyCommit" states what the simulated app requests, not what reaches \
      the device.
      """
    ],
    examples: [
      .init(
        "pj simulate wipe.json -o wipe.pj",
        "Writes a journal; the folder must not exist. pj help scenario describes the format."),
      .init(
        "pj simulate wipe.json -o wipe.pj && pj log wipe.pj",
        "The same, then shows the log if all expectations are met."),
      .init("generate | pj simulate - -o wipe.pj", "Reads a scenario that another program writes."),
    ],
    positionals: [
      PositionalDescription(
        "SCENARIO", completion: .file, "The scenario's JSON file, or - for standard input.")
    ],
    options: [
      OptionDescription(
        "output", short: "o", value: "JOURNAL", completion: .directory, "The journal to write; must not exist.")
    ],
    exitCodes: [
      ExitCodeDescription(0, "the journal is written and all expectations are met"),
      ExitCodeDescription(1, "the journal is written, but an expectation is not met"),
      ExitCodeDescription(2, "the scenario cannot be run: one line says where and why"),
      ExitCodeDescription(4, "a file cannot be read or written"),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    guard let source = context.arguments.positional("SCENARIO"), let target = context.arguments.value(of: "output")
    else {
      throw Failure(.wrongUse, "--output is missing: it names the journal to write", next: "pj help simulate")
    }
    guard !target.isEmpty, target != "-" else {
      throw Failure(
        .wrongUse,
        target.isEmpty
          ? "--output is empty: it names the journal to write"
          : "--output -: a journal is a folder and cannot go to standard output", next: "pj help simulate")
    }
    try NewPlace.refuseTaken(target, by: .folder(mayExist: true), context)
    let text = try FileInput.bytes(of: source, context)
    let result: ScenarioResult
    do throws(ScenarioError) {
      result = try run(try Scenario(text, file: source), into: target, context.environment.progress)
    } catch {
      throw Failure(error)
    }
    let code: ExitCode = result.unmet.isEmpty ? .done : .different
    for warning in result.warnings { context.note("\(source): \(warning)") }
    context.report { lines in
      lines.begin(records, target)
      lines.add(unmet, each: result.unmet)
      lines.end(records, result.eventCount, code)
    } text: {
      printText(result, target, context)
    }
    return code
  }

  private static func printText(_ result: ScenarioResult, _ target: String, _ context: CommandContext) {
    for unmet in result.unmet {
      for line in unmet.description.split(separator: "\n", omittingEmptySubsequences: false) {
        context.output.line(TerminalText.visible(String(line)))
      }
    }
    let count = result.eventCount
    context.output.line(
      "\(count.counted("event")) in \(TerminalText.visible(target))"
        + (result.unmet.isEmpty
          ? "" : "; \(result.unmet.count.counted("expectation")) not met"))
  }

  private static func run(
    _ scenario: Scenario, into target: String, _ progress: Progress?
  ) throws(ScenarioError) -> ScenarioResult {
    progress?.begin("simulating", total: UInt64(scenario.steps.count), in: .items("steps"))
    return try ScenarioRunner.run(scenario, into: target) { progress?.note(1) }
  }

  /// What `-j` writes.
  static let records = JSONOutput<String, Int>(
    "simulate", start: [.init("journal") { $0 }], [unmet], end: [.init("events") { $0 }])

  private static let unmet = JSONRecord<UnmetExpectation>(
    "unmet",
    [
      .init("file", \.file), .init("line", \.position.line), .init("column", \.position.column),
      .init("subject", \.subject), .init("expected", \.expected), .init("found", \.found),
      .init("setBy", \.origin?.sequence),
    ])
}

extension Failure {
  /// A scenario that cannot be read or run.
  package init(_ error: ScenarioError) {
    let code: ExitCode =
      switch error.code {
      case .unreadable, .journal: .unreadable
      case .notAScenario, .policyRefused, .targetExists, .stepOutOfPlace, .unanswered, .crashNotReached, .damageRefused,
        .neverLaunched:
        .wrongUse
      }
    self.init(code, "\(error)", next: "pj help scenario")
  }
}
