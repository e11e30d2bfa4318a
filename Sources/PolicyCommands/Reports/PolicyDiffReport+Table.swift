import AppProtection
import CommandLineInterface
import CommandSupport
import PlainText
import PolicyDocuments
import ProtectionSupport

extension PolicyDiffReport {
  /// What differs, as a report.
  ///
  /// - Parameters:
  ///   - alike: The rows that follow.
  ///   - rest: What follows: settings that cannot be compared.
  static func report(
    _ changes: [Change], _ columns: [ReportTable.Column], alike: [ReportTable.Row] = [],
    rest: [ReportTable] = [], _ context: CommandContext
  ) -> Report {
    var table = ReportTable(columns: columns)
    table.rows = rows(changes, context) + alike
    return Report(
      title: "Differences", summary: "\(changes.count.counted("setting differs", "settings differ")).",
      tables: (table.rows.isEmpty && !rest.isEmpty ? [] : [table]) + rest)
  }

  /// What differs, with a cell for each of the two.
  static func rows(_ changes: [Change], _ context: CommandContext) -> [ReportTable.Row] {
    changes.map { change in
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
  }

  /// Values of two platforms that serve the same purpose.
  static func alikeRows(
    of comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ context: CommandContext
  ) -> [ReportTable.Row] {
    func text(_ value: PortalValue?) -> String? { value.map { PolicyReport.shown($0, context) } }
    return rows(of: comparison, items, context).filter {
      $0.relation == .purpose && !$0.isDifferent && $0.one != nil
    }.map { row in
      ReportTable.Row(
        section: "For the same purpose, with values of each platform", title: TerminalText.visible(row.title),
        cells: [ReportTable.Cell(text: text(row.one)), ReportTable.Cell(text: text(row.other))], isDifferent: false)
    }
  }

  /// Settings that one of two platforms alone has.
  static func onlyTables(
    of comparison: PlatformComparison, _ items: (PolicyFile.Item, PolicyFile.Item), _ columns: [ReportTable.Column],
    _ context: CommandContext
  ) -> [ReportTable] {
    func table(_ policy: PolicyDocument, _ settings: [PortalSetting], _ column: ReportTable.Column) -> ReportTable {
      let title = "On \(policy.kind.platform.rawValue) alone"
      let rows = settings.map { setting in
        ReportTable.Row(
          section: title, title: TerminalText.visible(setting.title),
          cells: [ReportTable.Cell(text: setting.value(in: policy).map { PolicyReport.shown($0, context) })],
          isDifferent: true)
      }
      return ReportTable(title: title, columns: [column], rows: rows)
    }
    return [
      table(items.0.policy, comparison.onlyOne, columns[0]), table(items.1.policy, comparison.onlyOther, columns[1]),
    ].filter { !$0.rows.isEmpty }
  }
}
