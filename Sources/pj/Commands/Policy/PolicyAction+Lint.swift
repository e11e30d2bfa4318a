import CommandLineInterface

extension PolicyAction {
  static let lint = PolicyAction(
    name: "lint",
    summary: """
      Names contradictions, settings without effect and leftovers from templates, each with its rule, its place, the reason \
      and the next step. It checks app configurations too.
      """,
    discussion: [
      """
      A profile of lint is JSON: {"profile": 1, "rules": [{"rule": "openClipboard", "do": "silence", "reason": "…"}]}. \
      Findings of a rule, or with "setting" those about one setting, are silenced, raised by one step, or, with "require", \
      errors. The exit code follows the profile; what silences nothing is named.
      """
    ],
    options: [
      OptionDescription("profile", value: "FILE", "lint: which rules to silence, to raise or to require, and why.")
    ]
  ) { (words, context) throws(Failure) in try PolicyLintReport.run(words, context) }
}
