extension CommandLineTool {
  /// The tool's manual page, section 1, written with roff's `man` macros; `man -l FILE` shows it.
  ///
  /// Contains the overview and the help of every command and topic. Equal tables produce equal bytes: the page has no
  /// date.
  public func manPage() -> String {
    var page = RoffPage()
    page.request("TH", name.uppercased(), "1", "", "\(name) \(version)", "User Commands")
    // Left-aligned and without hyphenation, so that commands and paths are never broken.
    page.request("nh")
    page.request("ad l")
    page.request("SH", "NAME")
    page.line("\(name) - \(summary)")
    page.request("SH", "SYNOPSIS")
    page.synopsis(bold: name, italic: "COMMAND [OPTIONS] [ARGUMENTS]")
    if !discussion.isEmpty {
      page.request("SH", "DESCRIPTION")
      page.blocks(discussion, exitCodes: exitCodes)
    }
    for group in groups {
      page.request("SH", "COMMANDS: " + group.title.uppercased())
      for command in group.commands { describe(command, on: &page) }
    }
    page.request("SH", "OPTIONS OF EVERY COMMAND")
    for option in globalOptions { page.entry(option) }
    for topic in topics {
      page.request("SH", topic.name.uppercased())
      page.paragraph(topic.summary)
      page.blocks(topic.body, exitCodes: exitCodes)
    }
    if !exitCodes.isEmpty {
      page.request("SH", "EXIT STATUS")
      for code in exitCodes { page.entry(code) }
    }
    return page.text
  }

  private func describe(_ command: CommandDescription, on page: inout RoffPage) {
    page.request("SS", usage(of: command))
    page.line(command.summary)
    page.blocks(command.discussion, exitCodes: exitCodes)
    if !command.examples.isEmpty { page.paragraph("Examples:") }
    for example in command.examples { page.entry(bold: example.line, example.explanation) }
    if !command.positionals.isEmpty || !command.options.isEmpty { page.paragraph("Arguments and options:") }
    for positional in command.positionals {
      let rule = positional.rule.phrase.map { " It is \($0)." } ?? ""
      page.entry(italic: positional.usage, positional.meaning + rule)
    }
    for option in command.options { page.entry(option) }
    if !command.exitCodes.isEmpty { page.paragraph("Exit status:") }
    for code in command.exitCodes { page.entry(code) }
  }
}
