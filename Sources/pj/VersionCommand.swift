import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Journal
import JournalCommands
import JSON

/// `pj version`: what this program is, reads and knows.
enum VersionCommand: Command {
  static let description = CommandDescription(
    "version", "Prints the versions of pj, of the journal format, of the rules and of the event catalogue.",
    examples: [
      .init("pj version", "What to put into a report."),
      .init("pj version -j", "The same for programs."),
      .init("pj version | head -1", "The tool's version alone."),
    ])

  static var schemas: [OutputSchema] { [records.schema] }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let fingerprint = "\(AppProtectionEvent.catalog.fingerprint())"
    let format = JournalFormat.version
    let revision = AppProtectionMachine.revision
    context.report { lines in
      lines.begin(records, ())
      lines.add(version, ("\(format)", revision, fingerprint))
      lines.end(records, (), .done)
    } text: {
      context.output.line(ToolIdentity.current.title)
      context.output.line("journal format        \(format)")
      context.output.line("reducer revision      \(revision)")
      context.output.line("catalogue fingerprint \(fingerprint)")
    }
    return .done
  }

  /// What `-j` writes.
  static let records = JSONOutput<Void, Void>("version", [version])

  private static let version = JSONRecord<(format: String, revision: UInt32, fingerprint: String)>(
    "version",
    [
      .init("pj") { _ in ToolIdentity.current.version }, .init("journalFormat", \.format),
      .init("reducerRevision", \.revision), .init("catalogFingerprint") { HexDigits($0.fingerprint) },
    ])
}
