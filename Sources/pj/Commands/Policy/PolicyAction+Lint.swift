extension PolicyAction {
  static let lint = PolicyAction(
    name: "lint",
    summary: """
      Names contradictions, settings without effect and leftovers from templates, each with its rule, its place, the reason \
      and the next step. It checks app configurations too.
      """
  ) { words, context in PolicyLintReport.run(words, context) }
}
