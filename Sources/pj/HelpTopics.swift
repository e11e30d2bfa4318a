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
    CommonTopics.commands, CommonTopics.positions, CommonTopics.filters, CommonTopics.templates, paths, questions,
    CommonTopics.exitCodes,
    CommonTopics.redaction, CommonTopics.exports, scenario, CommonTopics.damage, CommonTopics.ownDomain,
  ]

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
