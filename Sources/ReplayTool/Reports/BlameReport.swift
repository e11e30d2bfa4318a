import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText

/// The results of `pj blame`.
struct BlameReport {
  /// What `-j` writes.
  static let records = JSONOutput<TrustedState, Int>(
    "blame", start: TrustedState.place, [value], end: [.init("values") { $0 }])

  private static let value = JSONRecord<(value: BlamedValue, keptFrom: UInt64)>(
    "value",
    [
      .init("path") { RedactedText.statePath($0.value.path) }, .init("value", \.value.value),
      .init("setBy", \.value.writes.first?.sequence), .init("count", \.value.count),
      .init("isComplete") { $0.keptFrom <= 1 }, .init("keptFrom", \.keptFrom),
      .init("writes", each: write, \.value.writes),
    ])

  private static let write: [JSONMember<BlamedWrite>] = [
    .init("event", \.sequence), .init("type", \.type),
    .init("time") { CivilTime(nanoseconds: $0.wallNanoseconds) }, .init("before", \.before), .init("after", \.after),
  ]

  private let reading: TrustedState
  private let context: CommandContext
  private let values: ValueText

  init(_ reading: TrustedState, _ context: CommandContext) {
    (self.reading, self.context) = (reading, context)
    values = ValueText(context.redaction)
  }

  /// Prints the values of every path, in the order of the paths.
  func print(_ blames: [BlameAnswer]) {
    let found = blames.flatMap(\.values)
    context.report { lines in
      lines.begin(Self.records, reading)
      lines.add(Self.value, each: found.map { ($0, first) })
      lines.end(Self.records, found.count, reading.exitCode, of: [reading.journal])
    } text: {
      printText(found)
    }
  }

  private func printText(_ found: [BlamedValue]) {
    for (index, value) in found.enumerated() {
      if index > 0 { context.output.line() }
      print(value)
    }
  }

  private func print(_ value: BlamedValue) {
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
}
