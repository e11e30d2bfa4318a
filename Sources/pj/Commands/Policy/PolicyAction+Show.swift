extension PolicyAction {
  static let show = PolicyAction(
    name: "show",
    summary: """
      Prints a policy in the words of the administration portal; also app configurations, registrations and reports of the \
      service.
      """,
    options: [.everySetting] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyReport.run(words, context) }
}
