import CommandLineInterface
import CommandSupport
import PlainText
import SystemCalls

/// What `help` shows: the overview, a command, a topic, or a manual page.
package struct HelpPages {
  /// The tool's table.
  package let table: CommandLineTool
  /// The action of a command; `nil` for none.
  package let action: String?
  /// Manual pages besides those of the tool and its commands, by the words that ask for them.
  package var morePages: [(word: String, page: CommandLineTool.ManPage)] = []

  private static let option = "man-pages"

  /// The options of the command.
  package static let options = [
    OptionDescription("man", "Print the manual page in roff: that of pj, or of the command."),
    OptionDescription(
      option, value: "FOLDER", completion: .directory,
      "Write pj.1 and a page for each command into this folder. Existing files are never replaced."),
  ]

  package init(table: CommandLineTool, action: String?) { (self.table, self.action) = (table, action) }

  /// Shows the page that the command line asks for.
  package func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    try context.refuseJSON("help")
    let width = context.environment.width
    let subject = context.arguments.positional("SUBJECT")
    if let folder = context.arguments.value(of: Self.option) {
      try Self.write(table.manPages + morePages.map(\.page), to: folder, context)
      return .done
    }
    if context.arguments.flag("man") {
      guard let subject else {
        context.output.write(table.manPage())
        return .done
      }
      if let page = morePages.first(where: { $0.word == subject })?.page {
        context.output.write(page.text)
        return .done
      }
      guard let command = table.commands.first(where: { $0.name == subject }) else {
        let near = EditDistance.nearest(to: subject, in: table.commands.map(\.name), limit: 1).first
        throw Failure(
          .wrongUse, "\(subject) has no manual page of its own" + (near.map { "; nearest: \($0)" } ?? ""),
          next: "\(Tool.name) help --man")
      }
      context.output.write(table.manPage(for: command))
      return .done
    }
    guard let subject else {
      context.output.page(table.overview(width: width, style: context.style))
      return .done
    }
    if let action, table.command(named: subject)?.actions.isEmpty ?? true {
      throw Failure(
        .wrongUse, "\(subject) has no action, so '\(action)' is too much", next: "\(Tool.name) help \(subject)")
    }
    do throws(ArgumentError) {
      context.output.page(
        try table.help(
          on: subject, action: action, width: width, style: context.style))
    } catch {
      throw Failure(error)
    }
    return .done
  }

  private static func write(
    _ pages: [CommandLineTool.ManPage], to folder: String, _ context: CommandContext
  ) throws(Failure) {
    try NewPlace.refuseTaken(folder, by: .folder(mayExist: true), context)
    if let there = pages.first(where: { Platform.exists("\(folder)/\($0.file)") }) {
      throw Failure(
        .wrongUse, "\(folder)/\(there.file) exists, and existing files are never replaced",
        next: "\(Tool.name) help help")
    }
    let isNew = !Platform.exists(folder)
    let error = isNew ? SystemCalls.createFolder(folder) : 0
    guard error == 0 else {
      throw Failure(
        .unreadable, "\(folder): the pages cannot be written: \(Platform.message(ofError: error))",
        next: "ls -ld \(folder.shellWord)")
    }
    for page in pages {
      let file = try OutputFile("\(folder)/\(page.file)", option: option)
      file.write(Array(page.text.utf8))
      try file.finish()
    }
    let fileSystem = context.environment.fileSystem
    for page in pages.prefix(1) { try FileOutput.keepName(of: "\(folder)/\(page.file)", option: option, fileSystem) }
    if isNew { try FileOutput.keepName(of: folder, option: option, fileSystem) }
  }
}
