import AppProtection
import CommandLineInterface
import Forensics
import JSON
import PolicyDocuments

/// What `pj policy diff` prints: every setting about which two policies say something else, in the portal's words.
enum PolicyDiffReport {
  /// What one of the policies says; without words when it says nothing.
  private struct Side {
    let words: String?
    let isPrivate: Bool

    init(_ setting: PortalSetting, of policy: PolicyDocument) {
      words = setting.words(policy)
      isPrivate = setting.isPrivate(in: policy)
    }

    init(_ member: KeptMember?) {
      words = member?.json
      isPrivate = true
    }
  }

  private struct Change {
    let group: String
    let title: String
    let before: Side
    let after: Side
    let isList: Bool
  }

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    guard words.count == 2 else {
      throw Failure(.wrongUse, "two policies are needed, and \(words.count) are named", next: "pj help policy")
    }
    let inputs = (try PolicyInput(words[0], context), try PolicyInput(words[1], context))
    let items = (try inputs.0.policy(), try inputs.1.policy())
    let (changes, silent) = changes(items.0, items.1, settingsOnly: context.arguments.flag("settings-only"))
    if context.isJSON {
      context.output.line(
        .startRecord("policy.diff", [.init("from", .string(words[0])), .init("to", .string(words[1]))]))
    }
    print(changes, context)
    if items.0.isFromDevice != items.1.isFromDevice {
      context.note("one of the two is from a device: compared is what devices have")
    }
    if !silent.isEmpty {
      context.note(
        "without a difference in the portal: \(silent.joined(separator: ", ")). Next: pj policy show \(words[0]) -j")
    }
    if let one = inputs.0.reading, let other = inputs.1.reading { StateReading.note(one, other, context) }
    let trouble = inputs.0.exitCode.rawValue > inputs.1.exitCode.rawValue ? inputs.0.exitCode : inputs.1.exitCode
    let code: ExitCode = trouble != .done ? trouble : changes.isEmpty ? .done : .different
    if context.isJSON {
      context.output.line(.endRecord(code, [.init("changes", .number(changes.count))]))
    } else {
      let count = changes.count
      context.output.line(
        TerminalText.visible(
          count == 0
            ? "no difference between \(words[0]) and \(words[1])"
            : "\(count) setting\(count == 1 ? " differs" : "s differ") between \(words[0]) and \(words[1])"))
    }
    return code
  }

  /// What tells two revisions of one policy apart.
  private static let revision: Set<String> = ["id", "version", "createdDateTime", "lastModifiedDateTime"]

  /// What differs in words, and the properties that differ without a difference in words.
  private static func changes(
    _ one: PolicyFile.Item, _ other: PolicyFile.Item, settingsOnly: Bool
  ) -> ([Change], silent: [String]) {
    let onDevices: Set<String>? =
      one.isFromDevice == other.isFromDevice ? nil : Set(DeviceSetting.all.flatMap(\.properties))
    var changes: [Change] = []
    var silent: [String] = []
    for setting in PortalSetting.all {
      if let onDevices, !setting.names.allSatisfy({ onDevices.contains($0) || $0 == "managedBrowser" }) { continue }
      guard !settingsOnly || revision.isDisjoint(with: setting.names) else { continue }
      let differing = setting.properties.filter { !$0.isSame(in: one.policy, as: other.policy) }
      let (before, after) = (Side(setting, of: one.policy), Side(setting, of: other.policy))
      guard before.words != after.words else {
        if onDevices == nil { silent += differing.map(\.name) }
        continue
      }
      guard !differing.isEmpty else { continue }
      changes.append(
        Change(
          group: setting.group.rawValue, title: setting.title, before: before, after: after,
          isList: setting.properties.contains { isList($0) }))
    }
    guard onDevices == nil else { return (changes, silent) }
    let (kept, keptOther) = (members(one.policy), members(other.policy))
    for name in Set(kept.keys).union(keptOther.keys).sorted() {
      guard !KeptMember.isSame(kept[name], as: keptOther[name]) else { continue }
      changes.append(
        Change(
          group: "Other members", title: name, before: Side(kept[name]), after: Side(keptOther[name]), isList: false))
    }
    return (changes, silent)
  }

  private static func members(_ policy: PolicyDocument) -> [String: KeptMember] {
    let members = PolicyReport.otherMembers(of: policy).map { KeptMember($0.name, json: $0.json) }
    return Dictionary(members.map { ($0.name, $0) }) { _, last in last }
  }

  private static func isList(_ property: PolicyProperty) -> Bool {
    switch property.kind {
    case .choices, .texts, .apps, .assignments: true
    default: false
    }
  }

  private static func print(_ changes: [Change], _ context: CommandContext) {
    if context.isJSON {
      for change in changes {
        context.output.line(
          .record(
            "change",
            [
              .init("group", .string(change.group)), .init("title", .string(change.title)),
              .init("before", PolicyReport.json(change.before.words, isPrivate: change.before.isPrivate, context)),
              .init("after", PolicyReport.json(change.after.words, isPrivate: change.after.isPrivate, context)),
            ]))
      }
      return
    }
    var table = TextTable([TextColumn(""), TextColumn("")])
    var group = ""
    for change in changes {
      if change.group != group { table.append([TextCell(change.group, [.bold])]) }
      group = change.group
      table.append([TextCell("  " + TerminalText.visible(change.title)), TextCell(text(change, context))])
    }
    for line in table.lines(style: context.style) { context.output.line(line) }
  }

  private static func text(_ change: Change, _ context: CommandContext) -> String {
    let isShown = !(change.before.isPrivate || change.after.isPrivate) || context.redaction.shows(.account)
    if change.isList, let before = change.before.words, let after = change.after.words, isShown {
      let (old, new) = (before.split(separator: ", "), after.split(separator: ", "))
      let (before, after) = (Set(old), Set(new))
      let added = new.filter { !before.contains($0) }.map { "+ \($0)" }
      let removed = old.filter { !after.contains($0) }.map { "- \($0)" }
      if old.count + new.count > 4, !added.isEmpty || !removed.isEmpty {
        return TerminalText.visible((added + removed).joined(separator: ", "))
      }
    }
    func side(_ side: Side) -> String {
      side.words.map { PolicyReport.shown($0, isPrivate: side.isPrivate, context) } ?? "Not configured"
    }
    return "\(side(change.before)) → \(side(change.after))"
  }
}
