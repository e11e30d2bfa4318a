import CommandLineInterface
import CommandSupport
import EventSourcing
import JSON
import PlainText
import PolicySettings

/// What `pj settings keys` prints: the catalogue, or some of its rows in full.
enum SettingKeysReport {
  static func run(_ keys: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    var rows: [SettingDescriptor] = []
    for key in keys {
      guard let row = SettingDescriptor.named(key) else {
        let near = EditDistance.nearest(to: key, in: SettingDescriptor.all.map(\.key))
        throw Failure(
          .wrongUse,
          "setting \(key) does not exist" + (near.isEmpty ? "" : "; nearest: \(near.joined(separator: ", "))"),
          next: "pj settings keys")
      }
      rows.append(row)
    }
    if keys.isEmpty { rows = SettingDescriptor.all }
    context.report { lines in
      lines.begin(records, ())
      lines.add(key, each: rows)
      lines.end(records, rows.count, .done)
    } text: {
      printText(rows, isOverview: keys.isEmpty, context)
    }
    return .done
  }

  private static func printText(_ rows: [SettingDescriptor], isOverview: Bool, _ context: CommandContext) {
    if isOverview {
      var table = TextTable([TextColumn("setting"), TextColumn("value"), TextColumn("default"), TextColumn("meaning")])
      for row in rows {
        let kind = row.kind == .fileProtection ? "file protection" : row.kind.phrase
        table.append([TextCell(row.key), TextCell(kind), TextCell(row.absence), TextCell(row.meaning)])
      }
      context.print(table)
    } else {
      for (index, row) in rows.enumerated() {
        if index > 0 { context.output.line() }
        print(row, context)
      }
    }
  }

  private static func print(_ row: SettingDescriptor, _ context: CommandContext) {
    context.output.line(context.style.bold(row.key))
    context.output.line("  \(row.meaning)")
    var table = TextTable([TextColumn(""), TextColumn("")])
    table.append(["  value", TextCell(row.kind.phrase)])
    table.append(["  default", TextCell(row.absence)])
    table.append(["  required", TextCell(row.requiredWhen.map { "when: \($0)" } ?? "never")])
    table.append(["  source", TextCell(row.source)])
    context.print(table)
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, Int>("settings.keys", [key], end: [.init("keys") { $0 }])

  private static let key = JSONRecord<SettingDescriptor>(
    "key",
    [
      .init("key", \.key), .init("section", \.section.rawValue), .init("accepts", \.kind.phrase),
      .init("default") { $0.value(in: InfoPlistSettings()).map(json) }, .init("absence", \.absence),
      .init("requiredWhen", \.requiredWhen),
      .init("privacy", oneOf: ["public", "account", "secret"]) { "\($0.privacy)" }, .init("meaning", \.meaning),
      .init("source", \.source),
    ])

  /// A value as JSON.
  static func json(_ value: SettingValue) -> JSONValue {
    switch value {
    case .flag(let flag): .bool(flag)
    case .seconds(let seconds): JSONNumber(seconds).map { JSONValue(.number($0)) } ?? .null
    case .texts(let texts): .array(texts.map { .string($0) })
    case .text, .color, .fileProtection: .string("\(value)")
    }
  }
}
