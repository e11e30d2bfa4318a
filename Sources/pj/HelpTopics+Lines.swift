import CommandLineInterface
import CommandSupport

extension HelpTopics {
  static let paths = HelpTopic(
    "paths", "how to name a part of the state",
    [
      """
      A state is a tree, and a path leads to a value or a part of it, such as /accounts/a1/enrollment/status. pj fields lists \
      the paths of a journal, pj state shows the values.
      """,
      .definitions(slices.map { .init("/\($0.name)", $0.meaning) }),
      """
      log --path, blame and bisect take patterns: * stands for any text, also across slashes, ? for one character. A path \
      includes everything below it.
      """,
      .preformatted([
        "  pj fields field.pj '/accounts/*/enrollment'", "  pj blame field.pj /accounts/a1/enrollment/status",
        "  pj bisect field.pj --where '/policies/a1/version > 17'",
      ]),
    ])

  /// The parts of a state, in its order, and what each is about.
  static let slices: [(name: String, meaning: String)] = [
    ("process", "The app's process: launch, versions, a restart that is due."),
    ("settings", "The app's settings, the assumptions where no rule is published, and which accounts may sign in."),
    ("accounts", "The accounts and their enrollment, by pseudonym: /accounts/a1."),
    ("policies", "The policy of each account, with every setting that it has."),
    ("identities", "The identity of the process, of each window and of each thread."),
    ("wipes", "The wipes that are under way."),
    ("compliance", "The remediation of each account, and which ones wait."),
    ("configuration", "App configuration: the device's and each account's."),
    ("launch", "What launch conditions need: the device's facts, the PIN, and each account's last evaluation."),
  ]
}
