import CommandLineInterface

/// A small tool with one of everything, for all tests of the module.
let sampleTool = CommandLineTool(
  name: "demo", version: "1.2.0", summary: "reads logbooks",
  discussion: [
    "Nothing is ever written unless a command says so. The sample's text is long enough to be wrapped once."
  ],
  groups: [
    CommandGroup(
      "look",
      [
        CommandDescription(
          "log", "Print one line an entry.",
          discussion: ["Damage is a line of its own.", .preformatted([".5  a 'first' line", "", "\\n  a last line"])],
          examples: [
            .init("demo log", "Shows the logbook in this directory."),
            .init("demo log book.log --since -1d", "Shows the last day."),
            .init("demo log -t 'wipe.*' -rj | head -n 3", "Shows the last three wipes as JSON."),
          ],
          positionals: [
            PositionalDescription("PATH", .optional, completion: .file, "The logbook; this directory when left out."),
            PositionalDescription("RANGE", .optional, "The entries, such as 3..9 or -2h..end."),
          ],
          options: [
            OptionDescription(
              "type", short: "t", value: "GLOB", repeatable: true,
              completion: .words(["policy.received", "policy.removed", "wipe.requested"]),
              "Only entries of these types."),
            OptionDescription(
              "count", short: "n", value: "N", accepting: .integer(1...1000), default: "100", bareNumbers: true,
              "Stop after so many entries."),
            OptionDescription("since", value: "POS", "Only entries from this position on: a time [UTC], or a number."),
            OptionDescription("reverse", short: "r", "The latest entry first."),
            OptionDescription("json", short: "j", "Print JSON Lines."),
            OptionDescription("output", short: "o", value: "FILE", completion: .file, "Write there; it mustn't exist."),
          ],
          exitCodes: [ExitCodeDescription(0, "the logbook is sound"), ExitCodeDescription(1, "there is damage")]),
        CommandDescription(
          "show", "Print everything about some entries.",
          examples: [
            .init("demo show book.log 42", "Shows entry 42."),
            .init("demo show book.log -2h end", "Shows two entries."),
            .init("demo show book.log wipe.requested --in copies", "Looks in another directory."),
          ],
          positionals: [
            PositionalDescription("PATH", completion: .file, "The logbook."),
            PositionalDescription("POS", .atLeastOne, completion: .words(["start", "end"]), "The entries' positions."),
          ],
          options: [
            OptionDescription("in", value: "DIR", completion: .directory, "The directory with the logbook."),
            OptionDescription("width", value: "COLUMNS", accepting: .integer(40...Int.max), "The width of the page."),
          ]),
      ]),
    CommandGroup(
      "pages",
      [
        CommandDescription(
          "page", "Cut or join pages.",
          examples: [
            .init("demo page cut a.log --at 3", "Cuts the third page."),
            .init("demo page join a.log b.log", "Joins two logbooks."),
            .init("demo page join --dry-run a.log b.log", "Says what it would do."),
          ],
          options: [OptionDescription("dry-run", "Write nothing.")],
          exitCodes: [ExitCodeDescription(0, "the pages are cut or joined")],
          actions: [
            CommandDescription(
              "cut", "Cut one page out.",
              examples: [.init("demo page cut a.log", "Cuts the first page.")],
              positionals: [PositionalDescription("PATH", completion: .file, "The logbook.")],
              options: [
                OptionDescription("at", value: "N", accepting: .integer(1...9), default: "1", "The page to cut."),
                OptionDescription("tidy", "Close the gap."),
              ]),
            CommandDescription(
              "join", "Join logbooks.", discussion: ["They stay as they are."],
              positionals: [PositionalDescription("PATH", .many, completion: .file, "The logbooks.")],
              options: [OptionDescription("tidy", "Leave out empty pages.")]),
          ])
      ]),
    CommandGroup(
      "about",
      [
        CommandDescription(
          "completions", "Print a completion script.",
          examples: [
            .init("demo completions bash", "Prints it for Bash."),
            .init("source <(demo completions bash); demo completions bash", "Uses it at once."),
            .init("demo completions fish > demo.fish", "Keeps it for fish."),
          ],
          positionals: [PositionalDescription("SHELL", accepting: .oneOf(["bash", "zsh", "fish"]), "The shell.")]),
        CommandDescription(
          "help", "Show help.",
          examples: [
            .init("demo help", "Shows what there is."),
            .init("demo help log", "Shows the help of a command."),
            .init("demo help positions", "Shows a topic."),
          ],
          positionals: [
            PositionalDescription("SUBJECT", .optional, completion: .helpSubjects, "A command or a topic.")
          ]),
      ]),
  ],
  options: [
    OptionDescription(
      "color", value: "WHEN", accepting: .oneOf(["auto", "always", "never"]), default: "auto", "When to use colors.")
  ],
  topics: [
    HelpTopic(
      "positions", "how an entry is named",
      [
        "A position is one of these.",
        .definitions([
          .init("42", "The entry with this number."), .init("-2h", "Two hours before the last entry."),
          .init("2026-10-05T10:00:00.000000Z", "The last entry at this time – or before it."),
        ]),
      ]),
    HelpTopic("exit-codes", "what the exit codes mean", [.exitCodes]),
  ],
  exitCodes: [
    ExitCodeDescription(0, "done"), ExitCodeDescription(1, "done, and the answer is no"),
    ExitCodeDescription(2, "wrong use"),
  ],
  synonyms: ["ls": ["log"], "merge": ["join"], "--jobs": ["--width", "--count"], "-q": [">/dev/null"]])
