import CommandLineInterface

extension PolicyAction {
  static let diff = PolicyAction(
    name: "diff", summary: "Compares two policies, setting by setting.",
    options: [
      OptionDescription("settings-only", "diff: ignore what identifies a revision: id, version and dates.")
    ] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyDiffReport.run(words, context) }
}
