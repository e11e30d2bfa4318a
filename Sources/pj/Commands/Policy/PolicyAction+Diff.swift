import CommandLineInterface

extension PolicyAction {
  static let diff = PolicyAction(
    name: "diff", summary: "Compares two policies, or two app configurations, setting by setting.",
    discussion: [
      """
      diff compares policies for different platforms where settings correspond. Values that mean something on one platform only, \
      such as versions and names of apps, are listed beside each other, and count as a difference where one policy alone has any.
      """
    ],
    options: [
      OptionDescription("settings-only", "diff: ignore what identifies a revision: id, version and dates.")
    ] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyDiffReport.run(words, context) }
}
