import CommandLineInterface
import CommandSupport
import ReplayTool

/// `pj whatif`: what a history would have come to with other events, policies or settings.
package enum WhatIfCommand: Command {
  private static let imagination = HistoryImagination(ProtectionEdits.self)

  package static let description = imagination.description(
    HistoryImagination.Words(
      others: "events, policies or settings", subjects: "accounts'",
      rewriting: "--policy and --setting, which rewrite the events that stay, ",
      holding:
        " A policy or a setting that holds there is the other one from that event on, even if it came earlier.",
      command:
        ", or a step of a scenario that is a command, such as {\"wipe\": \"a1\"}, which the rules decide there",
      pattern: "policy.*", condition: "type = wipe.* and account = a1"), hasQuestions: true,
    examples: [
      .init("pj whatif field.pj --drop wipe.requested", "What the last wipe did, and what followed from it."),
      .init(
        "pj whatif field.pj --policy a1=strict.json --ask 'saveTo(box, a1)' --when",
        "Which saves another policy would have allowed."),
      .init(
        "pj whatif field.pj --policy a1=strict.json --from 2026-10-06",
        "What another policy would have changed from that day on."),
    ])

  package static var schemas: [OutputSchema] { [imagination.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode { try imagination.run(context) }
}
