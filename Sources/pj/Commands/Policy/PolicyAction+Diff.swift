import CommandLineInterface

extension PolicyAction {
  static let diff = PolicyAction(
    name: "diff",
    summary: """
      Compares two policies, two app configurations, a policy with what a device has, or two exports, setting by setting.
      """,
    discussion: [
      """
      diff compares policies for different platforms where settings correspond. Values that mean something on one platform only, \
      such as versions and names of apps, are listed beside each other, and count as a difference where one policy alone has any.
      """,
      """
      With --account, one of the two may be a file and the other a journal: diff then says since which event each setting \
      drifted. Of two exports, or a file and an export, documents of the same type and id, or else of the same name, are \
      compared without ids, revisions, dates and order. A file says nothing of other documents. What a response of Graph or \
      Microsoft365DSC leaves out is not compared.
      """,
    ],
    options: [
      OptionDescription("settings-only", "diff: ignore what identifies a revision: id, version and dates.")
    ] + ReportInput.options
  ) { (words, context) throws(Failure) in try PolicyDiffReport.run(words, context) }
}
