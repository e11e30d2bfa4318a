import PlainText

extension CommandLineTool {
  /// The help of a command, or of one of its actions: summary, actions, examples, arguments, options, exit codes.
  ///
  /// - Parameters:
  ///   - command: One of the tool's commands, or what ``Invocation/help(_:)`` names.
  ///   - width: The columns of the page; at least 40 are used.
  ///   - style: Highlights headings and names; the text is the same with and without.
  /// - Returns: Lines that end in a line feed.
  public func helpText(for command: CommandDescription, width: Int = 80, style: Style = .plain) -> String {
    var page = HelpPage(width: width, style: style)
    page.paragraph(command.summary)
    page.blocks(command.discussion, exitCodes: exitCodes)
    page.heading("Usage")
    page.paragraph(usage(of: command), indent: 2)
    if !command.actions.isEmpty {
      page.heading("Actions")
      page.entries(command.actions.map { page.entry($0.name, $0.summary) })
      page.blocks([.paragraph("Next: \(name) help \(command.name) ACTION")], exitCodes: [])
    }
    if !command.examples.isEmpty {
      page.heading("Examples")
      for example in command.examples {
        // Never wrapped, so that it can be copied.
        page.line("  " + style.bold(example.line))
        page.paragraph(example.explanation, indent: 6)
      }
    }
    if !command.positionals.isEmpty {
      page.heading("Arguments")
      page.entries(command.positionals.map(page.entry))
    }
    if !command.options.isEmpty {
      page.heading(command.actions.isEmpty ? "Options" : "Options of every action")
      page.entries(command.options.map(page.entry))
    }
    page.heading("Options of every command")
    page.entries(globalOptions.map(page.entry))
    let codes = command.exitCodes.isEmpty ? exitCodes : command.exitCodes
    if !codes.isEmpty {
      page.heading("Exit codes")
      page.entries(codes.map { page.entry(String($0.code), $0.meaning) })
    }
    return page.text
  }

  /// An overview of the tool: the commands of every group, the global options, and the topics.
  ///
  /// Parameters and result are the same as for ``helpText(for:width:style:)``.
  public func overview(width: Int = 80, style: Style = .plain) -> String {
    var page = HelpPage(width: width, style: style)
    page.paragraph("\(name) \(summary)")
    page.blocks(discussion, exitCodes: exitCodes)
    page.heading("Usage")
    page.paragraph("\(name) COMMAND [OPTIONS] [ARGUMENTS]", indent: 2)
    // All groups share one column.
    let width = commands.map { TerminalText.width(of: $0.name) }.max() ?? 0
    for group in groups {
      page.heading("Commands: " + group.title)
      page.entries(group.commands.map { page.entry($0.name, $0.summary) }, termWidth: width)
    }
    page.heading("Options of every command")
    page.entries(globalOptions.map(page.entry))
    if !topics.isEmpty {
      page.heading("Topics")
      page.entries(topics.map { page.entry($0.name, $0.summary) })
    }
    let next = topics.isEmpty ? "Next: \(name) help COMMAND" : "Next: \(name) help COMMAND, \(name) help TOPIC"
    page.blocks([.paragraph(next)], exitCodes: [])
    return page.text
  }

  /// The text of a topic; `nil` if there is none with this name.
  ///
  /// Width, style and result are the same as for ``helpText(for:width:style:)``.
  public func topic(_ name: String, width: Int = 80, style: Style = .plain) -> String? {
    topic(named: name).map { text(of: $0, width: width, style: style) }
  }

  /// The text of a topic, one of the tool's or another one.
  ///
  /// Width, style and result are the same as for ``helpText(for:width:style:)``.
  public func text(of topic: HelpTopic, width: Int = 80, style: Style = .plain) -> String {
    var page = HelpPage(width: width, style: style)
    page.heading("\(topic.name): \(topic.summary)")
    page.blocks(topic.body(), exitCodes: exitCodes)
    return page.text
  }

  /// The help of the command, or the text of the topic, with this name: what `help NAME` shows.
  ///
  /// Width, style and result are the same as for ``helpText(for:width:style:)``.
  /// - Parameter action: The name of one of the command's actions, to show its help instead.
  /// - Throws: ``ArgumentError/Code/unknownTopic(_:)``, with the nearest names.
  public func help(
    on subject: String, action: String? = nil, width: Int = 80, style: Style = .plain
  ) throws(ArgumentError) -> String {
    if let command = command(named: subject) {
      guard let action else { return helpText(for: command, width: width, style: style) }
      if let form = command.action(named: action) { return helpText(for: form, width: width, style: style) }
      throw ArgumentError(
        .unknownTopic("\(subject) \(action)"), place: "\(name) help",
        nearest: nearest(to: action, in: command.actions.map(\.name)), next: "\(name) help \(subject)")
    }
    if let text = topic(subject, width: width, style: style) { return text }
    throw ArgumentError(
      .unknownTopic(subject), place: "\(name) help",
      nearest: nearest(to: subject, in: helpSubjects), next: "\(name) help")
  }

  /// The subjects that `help` accepts: the commands, then the topics.
  public var helpSubjects: [String] { commands.map(\.name) + topics.map(\.name) }

  /// The usage of a command in one line: `pj log [OPTIONS] [PATH]`.
  func usage(of command: CommandDescription) -> String {
    let words =
      command.choice.map { [$0.usage, "[OPTIONS]", "..."] } ?? ["[OPTIONS]"] + command.positionals.map(\.usage)
    return ([name, command.name] + words).joined(separator: " ")
  }
}
