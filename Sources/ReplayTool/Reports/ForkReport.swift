import CommandLineInterface
import CommandSupport
import Journal
import PlainText

/// What a fork writes and what it cannot answer, as text and as JSON Lines: the same before it is written as in a dry run.
struct ForkReport {
  /// Where it begins.
  let parent: JournalIdentity.Parent
  /// The first event that the parent has or will have; those before it are retired, or its own parent's.
  let firstSequence: UInt64
  /// Where the parent itself was forked; `nil` if it was not.
  let grandparent: JournalIdentity.Parent?
  /// The parent's folder.
  let path: String
  /// The folder to write.
  let target: String
  let isDryRun: Bool

  /// What `-j` writes.
  static let records = JSONOutput<ForkReport, JournalID?>(
    "fork", start: [.init("journal", \.path), .init("dryRun", \.isDryRun)], [plan],
    end: [.init("forked") { $0 != nil }, .init("id") { $0.map { "\($0)" } }])

  private static let plan = JSONRecord<ForkReport>(
    "plan",
    [
      .init("target", \.target), .init("parent") { "\($0.parent.id)" }, .init("shared", \.parent.sequence),
      .init("firstEvent") { $0.parent.sequence + 1 }, .init("chain", \.parent.chain),
      .init("writesCheckpoint") { $0.parent.sequence > 0 },
    ])

  /// Prints what is written, and what only the parent can answer.
  func print(to context: CommandContext) {
    context.report { lines in
      lines.begin(Self.records, self)
      lines.add(Self.plan, self)
    } text: {
      printText(to: context)
    }
  }

  private func printText(to context: CommandContext) {
    let sequence = parent.sequence.grouped
    let next = (parent.sequence + 1).grouped
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn("")])
    func row(_ verb: String, _ what: String, _ more: String) {
      table.append([TextCell(verb), TextCell(TerminalText.visible(what)), TextCell(more)])
    }
    row("read", path, "journal \(parent.id), which stays as it is")
    row("create", target, "a journal whose first event will be \(next)")
    if parent.sequence > 0 { row("write", "a checkpoint", "the state after event \(sequence)") }
    context.print(table)
    guard parent.sequence > 0 else { return }
    context.output.line(whereEventsAre)
  }

  /// Which journals tell what happened up to the fork.
  private var whereEventsAre: String {
    if firstSequence == 1 {
      let sequence = parent.sequence.grouped
      return "Only \(TerminalText.visible(path)) tells what happened up to event \(sequence), and the states before it."
    }
    var sentences: [String] = []
    if firstSequence <= parent.sequence {
      let events = VerifyText.events(firstSequence...parent.sequence)
      sentences.append("Only \(TerminalText.visible(path)) tells what happened in \(events), and the states there.")
    }
    let before = VerifyText.events(1...max(firstSequence - 1, 1))
    if let grandparent, grandparent.sequence + 1 == firstSequence {
      sentences.append(
        "What happened in \(before) is in neither, but in the ancestor of both, journal \(grandparent.id).")
    } else {
      sentences.append("What happened in \(before) is no longer kept.")
    }
    return sentences.joined(separator: " ")
  }

  /// Says what was done.
  ///
  /// - Parameter id: The new journal's identity; `nil` in a dry run.
  func printEnd(_ id: JournalID?, to context: CommandContext) {
    context.end(Self.records, .some(id), .done) {
      context.output.line(
        id.map {
          "Done: journal \($0) in \(TerminalText.visible(target)). Next: \(Tool.name) state \(target.shellWord)"
        }
          ?? "Nothing was written: --dry-run.")
    }
  }
}
