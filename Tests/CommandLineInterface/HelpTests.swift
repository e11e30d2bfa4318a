import Expectations
import Testing

@testable import CommandLineInterface

@Suite("Help and manual page")
struct HelpTests {
  @Test("The overview, every command's help, every topic and the manual page equal the reviewed ones")
  func goldenTexts() throws {
    try GoldenFile.expect("overview.txt", toHold: sampleTool.overview())
    for command in sampleTool.commands + sampleTool.commands.flatMap({ $0.actions.isEmpty ? [] : $0.forms }) {
      let file = "help-\(command.name.replacing(" ", with: "-")).txt"
      try GoldenFile.expect(file, toHold: sampleTool.helpText(for: command))
    }
    for topic in sampleTool.topics {
      try GoldenFile.expect("topic-\(topic.name).txt", toHold: #require(sampleTool.topic(topic.name)))
    }
    try GoldenFile.expect("help-log-narrow-styled.txt", toHold: styledNarrowHelp())
    for page in sampleTool.manPages { try GoldenFile.expect(page.file, toHold: page.text) }
  }

  private func styledNarrowHelp() throws -> String {
    sampleTool.helpText(for: try #require(sampleTool.command(named: "log")), width: 50, style: .ansi)
  }

  @Test("The help of an action shows its options and those of every action, and no other")
  func actions() throws {
    let cut = try sampleTool.help(on: "page", action: "cut")
    #expect(cut.contains("demo page cut [OPTIONS] PATH\n"))
    for option in ["--at N", "--tidy", "--dry-run"] { #expect(cut.contains(option)) }
    #expect(!cut.contains("Leave out empty pages."))
    #expect(throws: ArgumentError.self) { try sampleTool.help(on: "page", action: "cur") }
    #expect(throws: ArgumentError.self) { try sampleTool.help(on: "log", action: "cut") }
  }

  @Test("A style adds escape sequences and changes no other character")
  func styleChangesNothingElse() throws {
    for command in sampleTool.commands {
      let plain = sampleTool.helpText(for: command)
      let styled = sampleTool.helpText(for: command, style: .ansi)
      #expect(styled != plain)
      expectEqual(styled.replacing(/\u{1B}\[[0-9;]*m/, with: ""), plain)
    }
  }

  @Test("No line is wider than requested, except examples and preformatted text", arguments: [40, 60, 80, 100])
  func widths(width: Int) {
    for command in sampleTool.commands {
      let kept = command.examples.map { "  " + $0.line } + [sampleTool.usage(of: command)]
      for line in sampleTool.helpText(for: command, width: width).split(separator: "\n")
      where !kept.contains(String(line)) {
        #expect(TerminalText.width(of: String(line)) <= width, "\(line)")
      }
    }
  }

  @Test("Every option occurs in help, manual page and the completions of all shells")
  func everyOptionOccursEverywhere() {
    for command in sampleTool.commands {
      let page = sampleTool.manPage(for: command)
      let help = sampleTool.helpText(for: command)
      for option in command.options + sampleTool.globalOptions {
        for word in option.words {
          #expect(help.contains(word))
          #expect(page.contains(word.replacing("-", with: "\\-")))
          #expect(sampleTool.completionScript(for: .bash).contains(word))
          #expect(sampleTool.completionScript(for: .zsh).contains(word))
        }
        let fish = sampleTool.completionScript(for: .fish)
        #expect(fish.contains(" -l \(option.name) "))
        #expect(option.short.map { fish.contains(" -s \($0) -l \(option.name) ") } ?? true)
      }
    }
  }

  @Test("Every command, topic and exit code occurs in overview and manual page")
  func everythingElseOccurs() {
    let page = sampleTool.manPage()
    for command in sampleTool.commands {
      #expect(sampleTool.overview().contains("\n  \(command.name) "))
      #expect(page.contains("\\fB\(sampleTool.name)\\-\(command.name)(1)\\fR\n\(command.summary)"))
    }
    for topic in sampleTool.topics { #expect(sampleTool.overview().contains("\n  \(topic.name) ")) }
    for code in sampleTool.exitCodes { #expect(page.contains("\\fB\(code.code)\\fR\n\(code.meaning)")) }
  }

  @Test("Help on a name is the command's, then the topic's, or an error that suggests the nearest name")
  func helpOnSubject() throws {
    let log = try #require(sampleTool.command(named: "log"))
    try expectEqual(sampleTool.help(on: "log"), sampleTool.helpText(for: log))
    try expectEqual(sampleTool.help(on: "positions"), sampleTool.topic("positions"))
    #expect(sampleTool.topic("log") == nil)
    let error = #expect(throws: ArgumentError.self) { try sampleTool.help(on: "positons") }
    expectEqual(
      error?.description, "demo help: no command or topic is named 'positons'; nearest: positions. Next: demo help")
  }

  @Test("groff sets every manual page without a warning", .enabled(if: Shell.isInstalled("groff")))
  func groffAccepts() throws {
    var text = ""
    for page in sampleTool.manPages {
      try Shell.withFile(page.file, page.text) { folder in
        let checked = try Shell.run("groff -man -Tutf8 -ww -z \(folder)/\(page.file)")
        expectEqual(checked.output, "")
        expectEqual(checked.status, 0)
        // Bold and italics come as overstruck letters.
        text += try Shell.run("groff -man -Tutf8 -P-c \(folder)/\(page.file)").output.replacing(/.\u{8}/, with: "")
      }
    }
    #expect(text.contains(".5  a 'first' line"))
    #expect(text.contains("\\n  a last line"))
    #expect(text.contains("-t, --type GLOB"))
    #expect(text.contains("this time – or before"))
  }
}
