import AppProtection
import CommandLineInterface
import CommandSupport
import PlainText
import PolicyDocuments
import ProtectionSupport

extension PolicyDiffReport {
  /// What differs, as a report.
  ///
  /// - Parameter rest: What follows: settings that cannot be compared.
  static func table(
    _ changes: [Change], _ rest: [ReportTable.Row], _ names: [String], _ context: CommandContext
  ) -> ReportTable {
    var table = ReportTable(
      title: "Differences", columns: names.map { ReportTable.Column(title: TerminalText.visible($0)) })
    table.rows = changes.map { change in
      let hidden = change.hiddenChanges(context)
      let sides = [change.before, change.after].map { $0.map { PolicyReport.shown($0, context) } }
      return ReportTable.Row(
        section: change.group, title: TerminalText.visible(change.title),
        cells: [
          ReportTable.Cell(text: sides[0]),
          ReportTable.Cell(
            text: sides[1], verdict: hidden.map { "\($0.added) added, \($0.removed) removed" } ?? ""),
        ], isDifferent: true)
    }
    table.rows += rest
    let count = changes.count
    table.notes = ["\(count.counted("setting differs", "settings differ"))."]
    return table
  }

  /// What cannot be compared across platforms: values that serve the same purpose, and settings that the other platform does
  /// not have.
  static func restRows(
    of comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) -> [ReportTable.Row] {
    func text(_ value: PortalValue?) -> String? { value.map { PolicyReport.shown($0, context) } }
    let alike = rows(of: comparison, items, context).filter {
      $0.relation == .purpose && !$0.isDifferent && $0.one != nil
    }.map { row in
      ReportTable.Row(
        section: "For the same purpose, with values of each platform", title: TerminalText.visible(row.title),
        cells: [ReportTable.Cell(text: text(row.one)), ReportTable.Cell(text: text(row.other))], isDifferent: false)
    }
    func only(_ policy: PolicyDocument, _ settings: [PortalSetting], isFirst: Bool) -> [ReportTable.Row] {
      settings.map { setting in
        let own = ReportTable.Cell(text: text(setting.value(in: policy)))
        return ReportTable.Row(
          section: "On \(policy.kind.platform.rawValue) alone", title: TerminalText.visible(setting.title),
          cells: isFirst ? [own, .outOfPlace] : [.outOfPlace, own], isDifferent: true)
      }
    }
    return alike + only(items.0.policy, comparison.onlyOne, isFirst: true)
      + only(items.1.policy, comparison.onlyOther, isFirst: false)
  }
}
