import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The settings of a policy that arrived, beside those that the account had before.
struct PolicyTable {
  /// One value.
  struct Row {
    /// Graph's name of the setting, and below it, where it has several values, the name of each.
    let setting: String
    /// The value; `nil` for one that the policy no longer has.
    let value: StateValue?
    /// The value before; `nil` for one that is new.
    let before: StateValue?
    /// The setting in the portal's words, once for each setting.
    let wording: SettingWording?
    /// Whether the account had a policy before, and its value was another one.
    let isChanged: Bool
  }

  /// The values in the order of Graph's settings; those that are gone stand last.
  let rows: [Row]
  /// Whether the account had a policy before.
  let hasEarlier: Bool
  /// Whose policy it is.
  private let account: AccountNumber

  /// `nil` for an event that brings no policy.
  init?(_ event: LoggedEvent) {
    guard case .policyReceived(let received)? = event.record.event else { return nil }
    let earlier = event.step.before?.policies[received.account]?.document
    let before = earlier.map { Self.values(of: $0) } ?? []
    let after = Self.values(of: received.document)
    let known = Dictionary(before.map { ($0.setting, $0.value) }) { one, _ in one }
    var worded: Set<String> = []
    var rows = after.map { setting, value in
      let name = setting.split(separator: "/").first.map(String.init) ?? setting
      let property = worded.insert(name).inserted ? PolicyProperty.named(name) : nil
      return Row(
        setting: setting, value: value, before: known[setting],
        wording: property.flatMap { AppProtectionMachine.wording(of: $0, in: received.document) },
        isChanged: earlier != nil && known[setting] != value)
    }
    let kept = Set(after.map(\.setting))
    rows += before.filter { !kept.contains($0.setting) }.map {
      Row(setting: $0.setting, value: nil, before: $0.value, wording: nil, isChanged: true)
    }
    (self.rows, hasEarlier, account) = (rows, earlier != nil, received.account)
  }

  private static func values(of document: PolicyDocument) -> [(setting: String, value: StateValue)] {
    document.tree().leaves().map { (String($0.path.drop { $0 == "/" }), $0.value) }
  }

  /// Whether a path of the state is one of the settings in the table.
  func covers(_ path: String) -> Bool {
    let names = path.split(separator: "/", maxSplits: 2).map(String.init)
    guard names.count == 3, names[0] == "policies", names[1] == account.description else { return false }
    return rows.contains { $0.setting == names[2] || names[2] == "entityTag" && $0.setting == "version" }
  }

  /// The table as lines, below its heading.
  func lines(_ context: CommandContext) -> [String] {
    let values = ValueText(context.redaction)
    func text(_ value: StateValue?) -> String { value.map { TerminalText.visible(values.text($0)) } ?? "not set" }
    var table = TextTable([
      TextColumn(""), TextColumn("setting", maximumWidth: 52), TextColumn("value", maximumWidth: 36),
      TextColumn(hasEarlier ? "before" : "", maximumWidth: 36), TextColumn("in the portal", maximumWidth: 60),
    ])
    for row in rows {
      let isShown = row.wording.map { context.redaction.shows(text: $0.value) } ?? false
      table.append([
        TextCell(row.isChanged ? "≠" : ""),
        TextCell(TerminalText.visible(context.redaction.shown(statePath: row.setting))), TextCell(text(row.value)),
        TextCell(row.isChanged ? text(row.before) : ""),
        TextCell(isShown ? row.wording.map { TerminalText.visible("\($0.title): \($0.value)") } ?? "" : "", [.dim]),
      ])
    }
    let changed = rows.count { $0.isChanged }
    let note =
      hasEarlier
      ? changed == 0
        ? "the same settings as before"
        : "\(changed.counted("value differs", "values differ")) from the policy before, marked ≠"
      : "the account had no policy before"
    return [context.style.bold("policy") + "  " + note]
      + table.lines(style: context.style, width: context.output.columns)
  }

  /// What `-j` writes of a row.
  static let members: [JSONMember<Row>] = [
    .init("setting") { RedactedText.statePath($0.setting) }, .init("value") { $0.value },
    .init("before") { $0.before }, .init("isChanged", \.isChanged),
    .init("group") { $0.wording?.group }, .init("title") { $0.wording?.title },
    .init("words") { $0.wording.map { RedactedText.sentence($0.value) } },
  ]
}
