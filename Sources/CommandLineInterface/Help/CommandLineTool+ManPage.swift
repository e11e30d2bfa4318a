extension CommandLineTool {
  /// A manual page: the name of its file, such as `pj-log.1`, and its text.
  public struct ManPage: Equatable, Sendable {
    /// The name of the file.
    public let file: String
    /// The text in roff.
    public let text: String
  }

  /// The tool's manual pages, section 1: the tool's own, then one for each command.
  public var manPages: [ManPage] {
    [ManPage(file: "\(name).1", text: manPage())]
      + commands.map { ManPage(file: "\(name)-\($0.name).1", text: manPage(for: $0)) }
  }

  /// The tool's manual page, written with roff's `man` macros; `man -l FILE` shows it.
  ///
  /// Contains the overview, with a line for each command, and every topic. Equal tables produce equal bytes: the page has no
  /// date.
  public func manPage() -> String {
    var page = RoffPage()
    begin(&page, name, summary)
    page.synopsis(bold: name, italic: "COMMAND [OPTIONS] [ARGUMENTS]")
    if !discussion.isEmpty {
      page.request("SH", "DESCRIPTION")
      page.blocks(discussion, exitCodes: exitCodes)
    }
    for group in groups {
      page.request("SH", "COMMANDS: " + group.title.uppercased())
      for command in group.commands { page.entry(bold: "\(name)-\(command.name)(1)", command.summary) }
    }
    page.request("SH", "OPTIONS OF EVERY COMMAND")
    for option in globalOptions { page.entry(option) }
    for topic in topics {
      page.request("SH", topic.name.uppercased())
      page.line(topic.summary)
      page.blocks(topic.body(), exitCodes: exitCodes)
    }
    end(&page, exitCodes, seeing: commands.map { "\(name)-\($0.name)" })
    return page.text
  }

  /// The manual page of one of the tool's commands.
  public func manPage(for command: CommandDescription) -> String {
    var page = RoffPage()
    begin(&page, "\(name)-\(command.name)", Self.phrase(command.summary))
    page.synopsis(
      bold: "\(name) \(command.name)", italic: String(usage(of: command).dropFirst("\(name) \(command.name) ".count)))
    page.request("SH", "DESCRIPTION")
    page.line(command.summary)
    page.blocks(command.discussion, exitCodes: exitCodes)
    for action in command.actions {
      page.request("SH", "\(name) \(command.name) \(action.name)".uppercased())
      page.line(action.summary)
      page.blocks(action.discussion, exitCodes: exitCodes)
      for positional in action.positionals { page.entry(italic: positional.usage, positional.meaning) }
      for option in action.options { page.entry(option) }
      for example in action.examples { page.entry(bold: example.line, example.explanation) }
      if !action.exitCodes.isEmpty { page.request("SS", "Exit status") }
      for code in action.exitCodes { page.entry(code) }
    }
    if !command.positionals.isEmpty { page.request("SH", "ARGUMENTS") }
    for positional in command.positionals {
      let rule = positional.rule.phrase.map { " It is \($0)." } ?? ""
      page.entry(italic: positional.usage, positional.meaning + rule)
    }
    page.request("SH", "OPTIONS")
    for option in command.options + globalOptions { page.entry(option) }
    if !command.examples.isEmpty { page.request("SH", "EXAMPLES") }
    for example in command.examples { page.entry(bold: example.line, example.explanation) }
    end(&page, command.exitCodes.isEmpty ? exitCodes : command.exitCodes, seeing: [name])
    return page.text
  }

  /// A manual page of texts that belong to no command, such as `pj-terms.1`.
  ///
  /// - Parameters:
  ///   - word: What stands after the tool's name.
  ///   - summary: What the page is about, as a phrase.
  ///   - synopsis: How the tool itself shows one of the texts: `help TERM`.
  ///   - sections: The texts under their titles.
  public func manPage(
    _ word: String, _ summary: String, synopsis: String, sections: [(title: String, topics: [HelpTopic])]
  ) -> ManPage {
    var page = RoffPage()
    begin(&page, "\(name)-\(word)", summary)
    page.synopsis(bold: name, italic: synopsis)
    for section in sections {
      page.request("SH", section.title.uppercased())
      for topic in section.topics {
        page.request("SS", topic.name)
        page.line(topic.summary)
        page.blocks(topic.body(), exitCodes: [])
      }
    }
    end(&page, [], seeing: [name])
    return ManPage(file: "\(name)-\(word).1", text: page.text)
  }

  private func begin(_ page: inout RoffPage, _ title: String, _ summary: String) {
    page.request("TH", title.uppercased(), "1", "", "\(name) \(version)", "User Commands")
    // Left-aligned and without hyphenation, so that commands and paths are never broken.
    page.request("nh")
    page.request("ad l")
    page.request("SH", "NAME")
    page.line("\(title) - \(summary)")
    page.request("SH", "SYNOPSIS")
  }

  private func end(_ page: inout RoffPage, _ exitCodes: [ExitCodeDescription], seeing others: [String]) {
    if !exitCodes.isEmpty { page.request("SH", "EXIT STATUS") }
    for code in exitCodes { page.entry(code) }
    page.request("SH", "SEE ALSO")
    page.references(others)
  }

  /// A sentence as a phrase: no full stop, and no capital at the beginning.
  private static func phrase(_ sentence: String) -> String {
    let words = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return words.prefix(1).lowercased() + words.dropFirst()
  }
}
