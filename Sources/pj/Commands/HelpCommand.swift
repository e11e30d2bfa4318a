import CommandLineInterface
import Journal
import Spelling

/// `pj help`: what the tool can do.
enum HelpCommand: Command {
  static let description = CommandDescription(
    "help", "Shows what pj can do, or explains a command or a topic.",
    examples: [
      .init("pj help", "All commands and topics."),
      .init("pj help log", "One command with its options."),
      .init("pj help positions", "How to name a place in a history."),
    ],
    positionals: [
      PositionalDescription("SUBJECT", .optional, completion: .helpSubjects, "A command or a topic.")
    ],
    options: [
      OptionDescription("man", "Print the manual page in roff: that of pj, or of the command."),
      OptionDescription(
        "man-pages", value: "FOLDER", completion: .directory,
        "Write pj.1 and a page for each command into this folder. Existing files are never replaced."),
    ])

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try context.refuseJSON("help")
    let table = PolicyJournalTool.table
    let width = context.environment.width
    let subject = context.arguments.positional("SUBJECT")
    if let folder = context.arguments.value(of: "man-pages") {
      try write(table.manPages, to: folder)
      return .done
    }
    if context.arguments.flag("man") {
      guard let subject else {
        context.output.write(table.manPage())
        return .done
      }
      guard let command = table.commands.first(where: { $0.name == subject }) else {
        let near = EditDistance.nearest(to: subject, in: table.commands.map(\.name), limit: 1).first
        throw Failure(
          .wrongUse, "\(subject) has no manual page of its own" + (near.map { "; nearest: \($0)" } ?? ""),
          next: "pj help --man")
      }
      context.output.write(table.manPage(for: command))
      return .done
    }
    guard let subject else {
      context.output.page(table.overview(width: width, style: context.style))
      return .done
    }
    do throws(ArgumentError) {
      context.output.page(try table.help(on: subject, width: width, style: context.style))
    } catch {
      throw Failure(error)
    }
    return .done
  }

  private static func write(_ pages: [CommandLineTool.ManPage], to folder: String) throws(Failure) {
    let files = PosixFileSystem()
    if let there = pages.first(where: { Platform.exists("\(folder)/\($0.file)") }) {
      throw Failure(
        .wrongUse, "\(folder)/\(there.file) exists, and existing files are never replaced", next: "pj help help")
    }
    do throws(FileSystemError) {
      if !Platform.exists(folder) { try files.createDirectory(folder) }
      for page in pages {
        let file = try files.open("\(folder)/\(page.file)", .createOrUpdate)
        defer { files.close(file) }
        try fill(file, with: Array(page.text.utf8), files)
      }
    } catch {
      throw Failure(
        .unreadable, "\(folder): the pages cannot be written: \(error)", next: "ls -ld \(folder.shellWord)")
    }
  }

  private static func fill(_ file: OpenFile, with bytes: [UInt8], _ files: PosixFileSystem) throws(FileSystemError) {
    var offset = 0
    while offset < bytes.count {
      let rest = Array(bytes[offset...])
      // Not in one expression: the closure would lose the type of the error.
      let result = rest.withUnsafeBytes { bytes in
        Result { () throws(FileSystemError) in try files.write(file, bytes, at: UInt64(offset)) }
      }
      offset += try result.get()
    }
  }
}
