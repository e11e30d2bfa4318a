import Expectations
import Testing

@testable import CommandLineInterface

@Suite("Completions")
struct CompletionTests {
  @Test("The scripts equal the reviewed ones", arguments: Shell.allCases)
  func goldenScripts(shell: Shell) throws {
    try GoldenFile.expect("demo.\(shell.rawValue)", toHold: sampleTool.completionScript(for: shell))
  }

  @Test("Every installed shell reads its script without complaint", arguments: Shell.allCases)
  func syntax(shell: Shell) throws {
    guard Shell.isInstalled(shell.rawValue) else { return }
    try Shell.withFile("script", sampleTool.completionScript(for: shell)) { folder in
      let checked = try Shell.run("\(shell.rawValue) -n \(folder)/script")
      expectEqual(checked.output, "")
      expectEqual(checked.status, 0)
    }
  }

  /// The words of a line as Readline parts them, the last being completed, and what must be offered.
  static let bashCases: [([String], [String])] = [
    (["demo", ""], ["log", "show", "page", "completions", "help"]),
    (["demo", "s"], ["show"]),
    (["demo", "x"], []),
    (["demo", "-"], ["--color", "-h", "--help", "--version"]),
    (["demo", "--color", ""], ["auto", "always", "never"]),
    (["demo", "--color", "=", "a"], ["auto", "always"]),
    (["demo", "--color", "="], ["auto", "always", "never"]),
    (["demo", "--color=al"], ["--color=always"]),
    (["demo", "--color", "never", "h"], ["help"]),
    (["demo", "--color", "=", "never", "h"], ["help"]),
    (["demo", "--color=never", "h"], ["help"]),
    (["demo", "log", "--c"], ["--count", "--color"]),
    (["demo", "log", "--type", "p"], ["policy.received", "policy.removed"]),
    (["demo", "log", "--type", "=", "w"], ["wipe.requested"]),
    (["demo", "log", "-t", "w"], ["wipe.requested"]),
    (["demo", "log", "-rt", "w"], ["wipe.requested"]),
    (["demo", "log", "-tr", "w"], []),
    (["demo", "log", "-n", ""], []),
    (["demo", "log", "-n5", "a"], ["a book", "a.log"]),
    (["demo", "log", "-o", "a"], ["a book", "a.log"]),
    (["demo", "log", "--output", "=", "a."], ["a.log"]),
    (["demo", "log", "-r", "--", "a"], ["a book", "a.log"]),
    (["demo", "log", "--", "-"], ["-odd"]),
    (["demo", "log", "a.log", ""], []),
    (["demo", "show", "--in", "a"], ["a book"]),
    (["demo", "show", "a.log", "e"], ["end"]),
    (["demo", "show", "a.log", "-2h", "s"], ["start"]),
    (["demo", "show", "a.log", "1", "2", "s"], ["start"]),
    (["demo", "completions", ""], ["bash", "zsh", "fish"]),
    (["demo", "help", "lo"], ["log"]),
    (["demo", "help", "po"], ["positions"]),
    (["demo", "unknown", "x"], []),
    (["demo", "page", ""], ["cut", "join"]),
    (["demo", "page", "-"], ["--dry-run", "--at", "--tidy", "--color", "-h", "--help", "--version"]),
    (["demo", "page", "--at", "3", "j"], ["join"]),
    (["demo", "page", "cut", "a."], ["a.log"]),
    (["demo", "page", "cut", "--"], ["--at", "--tidy", "--dry-run", "--color", "--help", "--version"]),
    (["demo", "page", "join", "--"], ["--tidy", "--dry-run", "--color", "--help", "--version"]),
    (["demo", "page", "join", "a.log", "a."], ["a.log"]),
    (["demo", "page", "cut", "a.log", ""], []),
  ]

  @Test("Bash offers what the table says, at every place of a line", .enabled(if: Shell.isInstalled("bash")))
  func bash() throws {
    try Shell.withFile("demo.bash", sampleTool.completionScript(for: .bash)) { folder in
      _ = try Shell.run("cd \(folder) && mkdir 'a book' && : > a.log && : > -odd")
      for (words, expected) in Self.bashCases {
        let array = words.map(CommandLineTool.shellQuoted).joined(separator: " ")
        let program =
          "cd \(folder) && set -u && source ./demo.bash && COMP_WORDS=(\(array)) && COMP_CWORD=\(words.count - 1) "
          + "&& _demo && printf '%s\\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}"
        let result = try Shell.run("bash -c \(CommandLineTool.shellQuoted(program))")
        expectEqual(result.output.split(separator: "\n").map(String.init).sorted(), expected.sorted(), "\(words)")
      }
      try expectEqual(
        Shell.run("bash -c 'source \(folder)/demo.bash; complete -p demo'").output, "complete -F _demo demo\n")
    }
  }

  @Test("Fish offers what the table says", .enabled(if: Shell.isInstalled("fish")))
  func fish() throws {
    let cases: [(String, [String])] = [
      ("demo ", ["completions", "help", "log", "page", "show"]),
      ("demo --color never l", ["log"]),
      ("demo --color a", ["always", "auto"]),
      ("demo log --type w", ["wipe.requested"]),
      ("demo log -rt w", ["wipe.requested"]),
      ("demo log --js", ["--json"]),
      ("demo show --js", []),
      ("demo log a.log ", []),
      ("demo log a.", ["a.log"]),
      ("demo show a.log -2h s", ["start"]),
      ("demo help lo", ["log"]),
      ("demo page ", ["cut", "join"]),
      ("demo page --at 3 j", ["join"]),
      ("demo page cut --a", ["--at"]),
      ("demo page join --a", []),
      ("demo page join --at 3 a.", ["a.log"]),
      ("demo page cut a.log ", []),
      ("demo completions ", ["bash", "fish", "zsh"]),
    ]
    try Shell.withFile("demo.fish", sampleTool.completionScript(for: .fish)) { folder in
      _ = try Shell.run(": > \(folder)/a.log")
      for (line, expected) in cases {
        let program = "cd \(folder); source demo.fish; complete -C '\(line)' | string replace -r '\\t.*' ''"
        let result = try Shell.run("HOME=\(folder) fish -c \(CommandLineTool.shellQuoted(program))")
        expectEqual(result.output.split(separator: "\n").map(String.init).sorted(), expected, "\(line)")
      }
    }
  }

  /// A tool that knows what stands in files.
  private static let asker = CommandLineTool(
    name: "asker", version: "1", summary: "answers",
    groups: [
      CommandGroup(
        "g",
        [
          CommandDescription(
            "show", "Shows.",
            positionals: [
              PositionalDescription("FILE", completion: .file, "The file."),
              PositionalDescription("PLACE", .many, completion: .asks("places", orFiles: true), "The places."),
            ], options: [OptionDescription("at", value: "MARK", completion: .asks("marks"), "The mark.")])
        ])
    ], hiddenCommands: [CommandDescription("complete", "Answers.")])

  @Test(
    "Bash passes the tool the word and those before it, and offers its answers", .enabled(if: Shell.isInstalled("bash"))
  )
  func asking() throws {
    let cases: [([String], [String])] = [
      (["asker", "show", "a.log", "--at", "m"], ["<marks><--><m><show><a.log><--at>"]),
      (["asker", "show", "a.log", "--at", "=", "m"], ["<marks><--><m><show><a.log><--at><=>"]),
      (["asker", "show", "a.log", "a"], ["<places><--><a><show><a.log>", "a.log", "asker.bash"]),
      (["asker", "show", "a.log", "b", ""], ["<places><--><><show><a.log><b>", "a.log", "asker.bash"]),
      (["asker", "c"], []), (["asker", ""], ["show"]),
    ]
    try Shell.withFile("asker.bash", Self.asker.completionScript(for: .bash)) { folder in
      _ = try Shell.run(": > \(folder)/a.log")
      for (words, expected) in cases {
        let array = words.map(CommandLineTool.shellQuoted).joined(separator: " ")
        let program =
          "cd \(folder) && asker() { shift; printf '<%s>' \"$@\"; echo; } && source ./asker.bash "
          + "&& COMP_WORDS=(\(array)) && COMP_CWORD=\(words.count - 1) "
          + "&& _asker && printf '%s\\n' ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}"
        let result = try Shell.run("bash -c \(CommandLineTool.shellQuoted(program))")
        expectEqual(result.output.split(separator: "\n").map(String.init).sorted(), expected.sorted(), "\(words)")
      }
    }
  }

  @Test("A hidden command is parsed, and neither help nor pages nor scripts offer it")
  func hidden() throws {
    let tool = Self.asker
    guard case .run(let arguments) = try tool.parse(["complete"]) else {
      Issue.record("it is not run")
      return
    }
    expectEqual(arguments.command.name, "complete")
    #expect(!tool.overview().contains("complete") && tool.manPages.map(\.file) == ["asker.1", "asker-show.1"])
    #expect(!tool.completionScript(for: .bash).contains("kind='words show complete'"))
  }

  @Test("A tool's name with hyphens and meanings with quotation marks produce scripts that shells can read")
  func unusualNames() throws {
    let tool = CommandLineTool(
      name: "my-tool", version: "1", summary: "it's",
      groups: [
        CommandGroup(
          "g",
          [
            CommandDescription(
              "c-d", "It's \\ \"quoted\" $HOME `id` [x]:y.",
              options: [OptionDescription("o-p", value: "A:B", "It's \\ \"quoted\" $HOME `id` [x]:y.")])
          ])
      ])
    for shell in Shell.allCases where Shell.isInstalled(shell.rawValue) {
      try Shell.withFile("script", tool.completionScript(for: shell)) { folder in
        let checked = try Shell.run("\(shell.rawValue) -n \(folder)/script")
        expectEqual(checked.output, "")
      }
    }
    #expect(tool.completionScript(for: .bash).contains("complete -F _my_tool my-tool"))
    #expect(tool.completionScript(for: .zsh).contains("It'\\''s \\\\ \"quoted\" $HOME `id` \\[x\\]\\:y."))
    #expect(tool.completionScript(for: .fish).contains("-d 'It\\'s \\\\ \"quoted\" $HOME `id` [x]:y.'"))
  }
}
