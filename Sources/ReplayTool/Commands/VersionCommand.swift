import CommandLineInterface
import CommandSupport
import EventSourcing
import Journal
import JSON

/// `pj version`: what this program is, reads and knows.
package enum VersionCommand: Command {
  package static let description = CommandDescription(
    "version", "Prints the versions of pj, of the journal format, of the rules and of the event catalogue.",
    examples: [
      .init("pj version", "What to put into a report."),
      .init("pj version -j", "The same for programs."),
      .init("pj version | head -1", "The tool's version alone."),
    ])

  package static var schemas: [OutputSchema] { [records.schema] }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let fingerprint = "\(context.environment.tool.domain.catalog.fingerprint())"
    let format = JournalFormat.version
    let revision = context.environment.tool.domain.revision
    context.report { lines in
      lines.begin(records, ())
      lines.add(version, ("\(format)", revision, fingerprint))
      lines.end(records, (), .done)
    } text: {
      context.output.line(Tool.current.title)
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
      .init("pj") { _ in Tool.current.version }, .init("journalFormat", \.format),
      .init("reducerRevision", \.revision), .init("catalogFingerprint") { HexDigits($0.fingerprint) },
    ])
}
