extension PolicyAction {
  static let list = PolicyAction(
    name: "list",
    summary: """
      Lists every document of an export: read, out of scope with its type, or refused with the place, the reason and the next \
      step; and how many there are of each.
      """
  ) { words, context in PolicyListReport.run(words, context) }
}
