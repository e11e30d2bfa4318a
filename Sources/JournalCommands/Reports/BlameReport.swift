import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText

/// The results of `pj blame`.
struct BlameReport {
  private let reading: TrustedState
  private let context: CommandContext
  private let values: ValueText

  init(_ reading: TrustedState, _ context: CommandContext) {
    (self.reading, self.context) = (reading, context)
    values = ValueText(context.redaction)
  }

  /// Prints the values of every path, in the order of the paths.
  func print(_ blames: [Blame<AppProtectionMachine>]) {
    let found = blames.flatMap(\.values)
    if context.isJSON {
      context.output.line(
        .startRecord(
          "blame", [.init("journal", .string(reading.journal.path)), .init("after", .number(reading.sequence))]))
      for value in found { context.output.line(record(value)) }
      context.output.line(
        .endRecord(
          reading.exitCode, [.init("values", .number(found.count))] + JournalSeeking.members(reading.journal)))
      return
    }
    for (index, value) in found.enumerated() {
      if index > 0 { context.output.line() }
      print(value)
    }
  }

  private func print(_ value: Blame<AppProtectionMachine>.Value) {
    let style = context.style
    context.output.line(
      style.bold(TerminalText.visible(context.redaction.shown(statePath: value.path))) + "  "
        + TerminalText.visible(values.text(value.value)))
    var table = TextTable([
      TextColumn(""), TextColumn("", .right), TextColumn(""), TextColumn(""), TextColumn("", maximumWidth: 80),
    ])
    for (index, write) in value.writes.enumerated() {
      let change = write.isChange ? "\(values.text(write.before)) → \(values.text(write.after))" : "set again"
      table.append([
        TextCell(index == 0 ? "  set by" : "  before"), TextCell(String(write.sequence)),
        TextCell(TerminalText.visible(write.type)),
        TextCell(CivilTime(nanoseconds: write.wallNanoseconds).text, [.dim]),
        TextCell(TerminalText.visible(change)),
      ])
    }
    guard !value.writes.isEmpty else { return context.output.line("  " + beginning) }
    context.print(table)
    if !isComplete { context.output.line("  and maybe by events before \(first), which are not kept") }
    let rest = value.count - UInt64(value.writes.count)
    if rest > 0 {
      context.output.line(
        "  and by \(rest.counted("earlier event")); -n names more")
    }
  }

  private var first: UInt64 { reading.journal.history.firstSequence }

  /// Whether every event up to the position is kept.
  private var isComplete: Bool { first <= 1 }

  /// Why no event set a value that is there.
  private var beginning: String {
    !isComplete ? "set before the events that are kept, from \(first) on" : "so since the beginning"
  }

  private func record(_ value: Blame<AppProtectionMachine>.Value) -> String {
    let json = ValueJSON(context.redaction)
    return .record(
      "value",
      [
        .init("path", .string(context.redaction.shown(statePath: value.path))), .init("value", json.json(value.value)),
        .init("setBy", value.writes.first.map { .number($0.sequence) } ?? .null),
        .init("count", .number(value.count)), .init("isComplete", .bool(isComplete)),
        .init("keptFrom", .number(first)),
        .init(
          "writes",
          .array(
            value.writes.map { write in
              .object([
                .init("event", .number(write.sequence)), .init("type", .string(write.type)),
                .init("time", .string(CivilTime(nanoseconds: write.wallNanoseconds).text)),
                .init("before", json.json(write.before)), .init("after", json.json(write.after)),
              ])
            })),
      ])
  }
}
