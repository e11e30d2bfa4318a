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
    CommonTopics.commands, CommonTopics.positions, CommonTopics.filters(in: PolicyJournalTool.domain),
    CommonTopics.templates(in: PolicyJournalTool.domain), paths, questions,
    terms, CommonTopics.exitCodes,
    CommonTopics.redaction, CommonTopics.exports, scenario, CommonTopics.damage, CommonTopics.ownDomain,
  ]

  static let terms = HelpTopic(
    "terms", "what pj help explains besides commands and topics",
    [
      """
      pj help TERM explains what logs, portals and pj itself print: pj help 225, pj help 'Save copies of org data'. The text \
      comes from the tables by which pj works, and needs no network. A name may be in any case, a number have either minus sign.
      """,
      .definitions(
        Term.Kind.allCases.map { kind in
          .init(kind.rawValue, "\(kind.title): \(kind.example).")
        }),
      """
      A sentence of the SDK's log need not be quoted whole: pj help user is not licensed for MAM. A word lists every term that \
      has it, each with the command that shows it alone; --kind chooses among terms of one name. The manual page pj-terms(1) has \
      every term.
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
      CommonTopics.forms(of: PolicyJournalTool.domain),
      "pj explain answers them, pj bisect tests them with --where, and pj whatif --ask compares answers. The rules stand on the pages Data protection decisions and Conditional launch.",
    ])

  static let scenario = HelpTopic(
    "scenario", "how to write a scenario for pj simulate",
    ScenarioHelp.blocks(of: Scenario.helpText))
}
