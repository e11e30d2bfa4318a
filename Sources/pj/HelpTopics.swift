import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import Forensics
import ReplayTool
import Simulation

/// The texts that `pj help TOPIC` shows.
enum HelpTopics {
  /// All of them, in the order of the help.
  static let all: [HelpTopic] = [
    CommonTopics.commands, CommonTopics.positions, filters, templates, paths, questions, CommonTopics.exitCodes,
    CommonTopics.redaction, CommonTopics.exports, scenario, CommonTopics.damage,
  ]

  static let filters = HelpTopic(
    "filters", "how to select events",
    [
      """
      An event must pass every filter; of several values of one filter, any one is enough. -n counts the events that pass. \
      If none does, pj names the filter that excluded every event, and what is near.
      """,
      .definitions([
        .init("--type GLOB", "The event's type; * and ? are wildcards: policy.*"),
        .init("--not-type GLOB", "Exclude this type."),
        .init(
          "--account A",
          "An account that the event concerns: its pseudonym (a1), object id or user principal name, in upper or lower case."
        ),
        .init(
          "--path PATH",
          "The event changed this part of the state, or something below it: /policies/a1. Its line shows that change."),
        .init(
          "--findings",
          "The event points to a mistake in the app, such as an unknown status code."),
        .init(
          "--caused-by POS",
          "The event followed from that one, directly or through others, as a wipe follows from the evaluation that ordered it."
        ),
        .init("-g REGEX", "The expression matches the shown text of the event; withheld values never match."),
        .init("-w CONDITION", "The condition holds for the event."),
      ]),
      "A condition compares fields with = and !=, and joins comparisons with and, or, not and parentheses:",
      .preformatted(["  pj log field.pj -w 'type = \"wipe.*\" and not account = \"a2\"'"]),
      """
      Fields are type, account, path, finding, seq, cause, process and text. Values are words or quoted text, with * and ? \
      as wildcards; finding compares the rule, such as S-30, and text matches its pattern anywhere.
      """,
      """
      REGEX is a POSIX extended regular expression, as for grep -E: . [a-z] [[:digit:]] * + ? {2,3} | ( ) ^ $. \
      Back-references are refused, so that no expression takes forever. Case matters, a dot matches one byte of UTF-8, and \
      only the first 16 KiB of each line are searched.
      """,
    ])

  static let questions = HelpTopic(
    "questions", "how to ask what the rules decide",
    [
      """
      A question is a name with values in parentheses: saveTo(oneDriveForBusiness, a1). Values that are in brackets below \
      may be left out, and each can be given by its name: saveTo(box, a1, account: none). Accounts are pseudonyms such as \
      a1; except in managed, offline, launch and config, none stands for no account. A party is an account of this app, managedApp:a1, unmanagedApp or deviceManagedApp; data is missing, empty, \
      plain, marked:a1 or encrypted:a1.
      """,
      .definitions(
        AppProtectionMachine.questions.map { form in
          let choices = form.parameters.filter { !$0.choices.isEmpty && $0.choices != ["true", "false"] }.map {
            parameter in
            " \(parameter.name): "
              + parameter.choices.filter { !$0.isEmpty }.joined(separator: ", ") + "."
          }
          return .init(
            QuestionText<AppProtectionMachine>.usage(of: form),
            form.meaning.prefix(1).uppercased() + form.meaning.dropFirst() + "." + choices.joined()
              + " Answers: \(form.answers.names.joined(separator: ", "))"
              + (form.answers.acceptsOther("a1") ? ", an account." : "."))
        }),
      "pj explain answers them, pj bisect tests them with --where, and pj whatif --ask compares answers. The rules stand on the pages Data protection decisions and Conditional launch.",
    ])

  static let scenario = HelpTopic(
    "scenario", "how to write a scenario for pj simulate",
    ScenarioHelp.blocks(of: Scenario.helpText))
}
