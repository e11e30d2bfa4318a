/// The scripts, styles and markup of the pages that `pj` writes. Each is a file beside this one, and a part of the program.
package enum PageAssets {
  /// The script of a timeline's page: its parts, in the order in which they depend on each other.
  package static var timelineScript: String {
    text(
      PackageResources.timeline_model_js, PackageResources.timeline_drawing_js, PackageResources.timeline_ruler_js,
      PackageResources.timeline_details_js, PackageResources.timeline_interaction_js)
  }
  /// The style of a timeline's page.
  package static var timelineStyle: String { text(PackageResources.timeline_css) }
  /// The body of a timeline's page, up to its data.
  package static var timelineBody: String { text(PackageResources.timeline_html) }
  /// The script of a report's page.
  package static var reportScript: String { text(PackageResources.report_js) }
  /// The style of a report's page.
  package static var reportStyle: String { text(PackageResources.report_css) }

  /// The style of a case's page, which has no script.
  package static var caseStyle: String { text(PackageResources.case_css) }

  /// The content of some files, without the end of the last line.
  private static func text(_ files: [UInt8]...) -> String {
    String(decoding: files.joined().dropLast(), as: UTF8.self)
  }
}
