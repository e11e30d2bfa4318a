import CommandLineInterface
import CommandSupport
import PlainText

/// What the options of a report ask for.
struct ReportInput {
  /// The options of a command that makes reports.
  static let options = options(with: [])

  /// The options of a command that makes reports, also in other forms.
  static func options(with others: [String]) -> [OptionDescription] {
    [
      OptionDescription(
        "format", value: "FORMAT", accepting: .oneOf(ReportFormat.allCases.map(\.rawValue) + others),
        "Print a report instead: a table in Markdown, comma-separated values, or an HTML page that loads nothing"
          + (others.isEmpty ? "." : "; or \(others.joined(separator: " or ")) for continuous integration.")),
      OptionDescription(
        "names", value: "FILE",
        "With --format: a table of identifiers and names, of apps and groups, as comma-separated values."),
    ]
  }

  private let format: ReportFormat
  private let names: NameTable

  /// The report that is asked for; `nil` if none is.
  init?(_ context: CommandContext) throws(Failure) {
    let arguments = context.arguments
    guard let format = arguments.value(of: "format").flatMap(ReportFormat.init) else {
      guard !arguments.isGiven("names") else {
        throw Failure(.wrongUse, "--names applies to a report: add --format", next: "pj help \(arguments.command.name)")
      }
      return nil
    }
    try context.refuseJSON("--format")
    self.format = format
    guard let path = arguments.value(of: "names") else {
      names = NameTable()
      return
    }
    let bytes = try FileInput.bytes(of: path)
    do throws(CSVRecords.Problem) {
      names = try NameTable(bytes)
    } catch {
      throw Failure(
        .unreadable, "--names \(path): line \(error.line): \(error.reason)", next: "pj help \(arguments.command.name)")
    }
  }

  /// Prints a report in the form that is asked for.
  func print(_ report: Report, to context: CommandContext) {
    context.output.leaveLinesWhole()
    context.output.write(format.text(of: report.naming(names)))
  }
}
