import CommandLineInterface
import CommandSupport
import Forensics
import Journal
import PlainText

/// Writes the journal of an export, and says what it is.
package enum ExportImport {
  /// Reads an export, writes its journal, and prints what it holds.
  package static func run(_ path: String, to target: String, _ context: CommandContext) throws(Failure) -> ExitCode {
    let bytes: [UInt8]
    if path == "-" {
      bytes = try PackedInput.bytes(context.environment.readStandardInput(PackedInput.limits.fileBytes), path)
    } else {
      bytes = try PackedInput.bytes(Platform.contents(of: path, limit: PackedInput.limits.fileBytes), path)
    }
    guard !bytes.isEmpty else {
      throw path == "-"
        ? Failure(.unreadable, "-: standard input is empty", next: "\(Tool.name) help import")
        : Failure(.unreadable, "\(path): the file is empty; ask for it again", next: "ls -l \(path.shellWord)")
    }
    let history = try history(bytes, path, context)
    do throws(JournalError) {
      try history.write(to: target, context.environment.fileSystem)
    } catch {
      throw failure(error, target)
    }
    let loss = PackedInput.loss(history)
    let code: ExitCode = history.isWhole && history.lostCount == 0 && loss == nil ? .done : .partial
    print(history, target, code, context)
    if let loss {
      context.note("\(path): \(loss). Next: ask for the file again, or \(Tool.name) log \(target.shellWord)")
    }
    return code
  }

  private static func history(
    _ bytes: [UInt8], _ path: String, _ context: CommandContext
  ) throws(Failure) -> ExportedHistory {
    do throws(Failure) {
      return try PackedInput.history(bytes, path)
    } catch {
      guard PackedInput.isArchive(bytes, path, context.environment.tool.archives) else { throw error }
      throw Failure(
        .wrongUse,
        "\(path): this is an archive, and what \(Tool.name) export wrote is imported; every command opens the journal in it as it is",
        next: "\(Tool.name) log \(path.shellWord)")
    }
  }

  /// Why a journal cannot be written at a place.
  package static func failure(_ error: JournalError, _ target: String) -> Failure {
    switch error.code {
    case .alreadyExists: Failure(.wrongUse, "\(error)", next: "\(Tool.name) help import")
    // What was not written is not damaged: nothing in it is to be salvaged.
    default: Failure(.unreadable, "\(target): \(error.message)", next: Failure.next(error.errorNumber, at: target))
    }
  }

  private static func print(
    _ history: ExportedHistory, _ target: String, _ code: ExitCode, _ context: CommandContext
  ) {
    let unknown = history.unknownKinds.sorted { $0.key < $1.key }.map { (name: $0.key, records: $0.value) }
    context.report { lines in
      lines.begin(records, ())
      lines.add(unknownKind, each: unknown)
      lines.end(records, (history, target), code)
    } text: {
      printText(history, target, unknown, context)
    }
  }

  /// What `-j` writes of an export.
  package static let records = JSONOutput<Void, (history: ExportedHistory, target: String)>(
    "import", [unknownKind],
    end: [
      .init("journal", \.target), .init("id") { "\($0.history.writtenIdentity.id)" },
      .init("events", \.history.eventCount), .init("lost", \.history.lostCount),
      .init("redacted", \.history.isRedacted), .init("whole", \.history.isWhole),
    ])

  private static let unknownKind = JSONRecord<(name: String, records: UInt64)>(
    "unknownKind", [.init("name", \.name), .init("records", \.records)])

  private static func printText(
    _ history: ExportedHistory, _ target: String, _ unknown: [(name: String, records: UInt64)],
    _ context: CommandContext
  ) {
    let output = context.output
    let count = history.eventCount
    output.line(
      TerminalText.visible("\(target): \(count.counted("event"))")
        + (history.lostCount > 0 ? ", \(history.lostCount.grouped) lost" : ""))
    if history.isRedacted {
      output.line(
        "redacted: it cannot show that its events and states are those of the device (\(Tool.name) help import)")
    }
    for (kind, count) in unknown {
      output.line(
        TerminalText.visible("kept, but unknown here: \(count.counted("record")) of the kind \(kind)"))
    }
    output.line("Next: \(Tool.name) verify \(target.shellWord)")
  }
}
