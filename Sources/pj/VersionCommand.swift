import AppProtection
import CommandLineInterface
import CommandSupport
import EventSourcing
import Journal
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

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let fingerprint = "\(AppProtectionEvent.catalog.fingerprint())"
    let format = JournalFormat.version
    let revision = AppProtectionMachine.revision
    if context.isJSON {
      context.output.line(.startRecord("version"))
      context.output.line(
        .record(
          "version",
          [
            .init("pj", .string(ToolVersion.text)), .init("journalFormat", .string("\(format)")),
            .init("reducerRevision", .number(revision)), .init("catalogFingerprint", .string(fingerprint)),
          ]))
      context.output.line(.endRecord(.done))
      return .done
    }
    context.output.line("pj \(ToolVersion.text)")
    context.output.line("journal format        \(format)")
    context.output.line("reducer revision      \(revision)")
    context.output.line("catalogue fingerprint \(fingerprint)")
    return .done
  }
}
