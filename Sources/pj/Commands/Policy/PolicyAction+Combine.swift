extension PolicyAction {
  static let combine = PolicyAction(
    name: "combine", summary: "Prints the combined effect of several policies on one user.",
    discussion: [
      """
      combine takes the most restrictive value of each setting, and what lists have in common. A default policy does not \
      count beside policies for groups. The column "from" names the policy with the value; "why" is only (no other policy \
      sets it where it counts), same (all that set it agree), strictest, common (the shared part of lists), first (another \
      is as strict) or dropped (it has no effect beside the other settings).
      """
    ],
    options: [.everySetting] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyCombinationReport.run(words, context) }
}
