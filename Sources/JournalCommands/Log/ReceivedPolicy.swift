import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import PolicyDocuments
import ProtectionSupport
import ReplayTool

/// The policy that an event brings, in the portal's words, beside the one that the account had before.
struct ReceivedPolicy: EventDetails {
  /// A setting that one of the two configures.
  struct Row {
    let setting: PortalSetting
    /// The portal's heading.
    let group: String
    /// The value; `nil` where the setting is not configured.
    let value: PortalValue?
    /// The value before; `nil` where it was not configured, or without an earlier policy.
    let before: PortalValue?
    /// Whether the two differ; `nil` without an earlier policy.
    let isChanged: Bool?
  }

  /// What is known of the policy before.
  private enum Earlier {
    case unknown, none, known
  }

  /// In the order of the portal.
  let rows: [Row]
  private let earlier: Earlier
  /// How many settings differ from the policy before. What describes a policy or its targets is none, and one row of the
  /// portal may show several.
  private let changedSettings: Int

  /// The rows by the names of their properties.
  private let rowsByProperty: [String: Row]

  /// The longest words, in bytes, in which texts are looked for: a list may have many thousands.
  private static let maximumSearchedWords = 2_000

  /// `nil` for an event that brings none.
  init?(_ event: LoggedEvent) {
    guard let step = event.protectionStep, case .policyReceived(let received)? = step.record.event else { return nil }
    let (platform, document) = (received.document.kind.platform, received.document)
    let before = step.withEarlierState { $0.policies[received.account]?.document }
    let former = before ?? nil
    earlier = before == nil ? .unknown : former == nil ? .none : .known
    let rows: [Row] = PortalSetting.all(on: platform).compactMap { setting in
      let (value, old) = (setting.value(in: document), former.flatMap { setting.value(in: $0) })
      guard value != nil || old != nil else { return nil }
      return Row(
        setting: setting, group: platform.heading(of: setting.group), value: value, before: old,
        isChanged: former == nil ? nil : value != old)
    }
    self.rows = rows
    changedSettings =
      former.map { old in PolicyProperty.all.count { $0.isSetting && $0.read(document) != $0.read(old) } } ?? 0
    let properties = rows.flatMap { row in row.setting.properties.map { ($0.name, row) } }
    rowsByProperty = Dictionary(properties) { first, _ in first }
  }

  // MARK: Text

  /// How the policy differs from the one before.
  private var note: String {
    switch earlier {
    case .unknown: return "the policy before is unknown"
    case .none: return "the account had no policy before"
    case .known:
      return changedSettings == 0
        ? "the same settings as before"
        : "\(changedSettings.counted("setting differs", "settings differ")) from the policy before"
    }
  }

  /// The table below its heading.
  func lines(_ context: CommandContext) -> [String] {
    var table = TextTable([TextColumn(""), TextColumn("", maximumWidth: 40), TextColumn("")])
    var group: String?
    for row in rows {
      if row.group != group { table.append([TextCell("  " + row.group, [.dim])]) }
      group = row.group
      table.append([
        TextCell("    " + row.setting.title), TextCell(Self.text(row.value, context)),
        TextCell(row.isChanged == true ? Self.former(row, context) : ""),
      ])
    }
    return [context.style.bold("policy") + "  " + note]
      + table.lines(style: context.style, width: context.output.columns)
  }

  private static func text(_ value: PortalValue?, _ context: CommandContext) -> String {
    value?.text(context.redaction) ?? "Not configured"
  }

  /// The value before. Where both are withheld, and so may look the same, also how many elements are other ones.
  private static func former(_ row: Row, _ context: CommandContext) -> String {
    let text = "was " + text(row.before, context)
    guard let value = row.value, let before = row.before, value.isHidden(by: context.redaction),
      before.isHidden(by: context.redaction)
    else { return text }
    let changes = value.changes(from: before)
    return "\(text): \(changes.added) added, \(changes.removed) removed"
  }

  /// The fields of the event, without the parts of the document that the table shows in full. The portal's words leave out,
  /// for instance, the versions of apps and what no setting is made of.
  func fields(of event: MessageFields, _ values: ValueText) -> [(name: String, text: String)] {
    let name = "document"
    guard case .message(let document)? = event[name]?.values.first, document.error == nil else {
      return values.fields(event)
    }
    let rest = zip(document.fields, values.fields(document)).filter { field, _ in
      guard let row = field.name.flatMap({ rowsByProperty[$0] }), let value = row.value else { return true }
      let words = value.shownWords(values.redaction)
      return !Self.isDuration(field) && !Self.isShown(field, in: words, values.redaction)
    }
    return values.fields(event).flatMap { field in
      field.name == name ? rest.map { ("\(name).\($1.name)", $1.text) } : [field]
    }
  }

  /// Whether the table shows a change of the state: together with the fields it shows the policy as a whole, but of the one
  /// before only the words.
  func shows(_ change: StateChange, _ redaction: Redaction) -> Bool {
    let names = change.path.split(separator: "/", maxSplits: 3)
    // The state counts versions under that name.
    guard names.count > 2, names[0] == "policies", names[2] != "version" else { return false }
    let property = names[2] == "entityTag" ? "version" : String(names[2])
    guard let row = rowsByProperty[property], row.isChanged != false else { return false }
    return change.before.map { Self.isShown($0, in: row.before?.shownWords(redaction), redaction) } ?? true
  }

  /// Whether a field has a length of time, which events have as a text, and the portal in words of its own.
  private static func isDuration(_ field: MessageFields.Field) -> Bool {
    if case .duration? = field.name.flatMap(PolicyProperty.named)?.kind { true } else { false }
  }

  /// Whether words have every text of a field that is not withheld. What is no text, the portal has words for.
  private static func isShown(_ field: MessageFields.Field, in words: String?, _ redaction: Redaction) -> Bool {
    field.values.allSatisfy { value in
      switch value {
      case .bool, .unsigned, .signed, .time, .duration, .double, .date, .reference, .sequence: true
      case .enumeration(_, let name): name != nil
      case .text(let text): isShown(redaction.shown(text, field.privacy), in: words)
      case .message(let message):
        message.error == nil && message.fields.allSatisfy { isShown($0, in: words, redaction) }
      case .json, .bytes, .guid, .sealed, .unknown, .undecodable: false
      }
    }
  }

  private static func isShown(_ value: StateValue, in words: String?, _ redaction: Redaction) -> Bool {
    switch value {
    case .unset, .bool, .integer, .name, .time, .duration, .sequence: true
    case .text(let text): isShown(redaction.shown(text), in: words)
    case .personal(let text, let privacy): isShown(redaction.shown(text, privacy), in: words)
    case .list(let values): values.allSatisfy { isShown($0, in: words, redaction) }
    case .sealed: false
    }
  }

  private static func isShown(_ text: String?, in words: String?) -> Bool {
    guard let text else { return true }
    guard let words, words.utf8.count <= maximumSearchedWords else { return false }
    return words.contains(text)
  }

  // MARK: JSON

  /// What `-j` writes of a row.
  static let members: [JSONMember<Row>] = [
    .init("group", \.group), .init("title", \.setting.title), .init("value", \.value),
    .init("was") { $0.isChanged == true ? $0.before : nil }, .init("isChanged", \.isChanged),
    .init("properties") { $0.setting.properties.map(\.name) },
  ]
}
