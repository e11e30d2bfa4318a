import Expectations
import CommandLineInterface
import Testing

@Suite("Errors of a command line")
struct ArgumentErrorTests {
  @Test(
    "Every error is one line with the place, the reason, the nearest name and what to type next",
    arguments: [
      (["--color", "never"], "demo: no command is given. Next: demo help"),
      (["lgo"], "demo: unknown command 'lgo'; nearest: log. Next: demo help"),
      (["frobnicate"], "demo: unknown command 'frobnicate'. Next: demo help"),
      (["comp"], "demo: unknown command 'comp'; nearest: completions. Next: demo help"),
      (["lgo", "-h"], "demo: unknown command 'lgo'; nearest: log. Next: demo help"),
      ([""], "demo: unknown command ''. Next: demo help"),
      (["log", "--tpye", "x"], "demo log: unknown option '--tpye'; nearest: --type. Next: demo help log"),
      (["log", "--tpye=x"], "demo log: unknown option '--tpye'; nearest: --type. Next: demo help log"),
      (["log", "--colour", "x"], "demo log: unknown option '--colour'; nearest: --color. Next: demo help log"),
      // An abbreviation is not accepted, only explained.
      (["log", "--rev"], "demo log: unknown option '--rev'; nearest: --reverse. Next: demo help log"),
      (["log", "--type-of"], "demo log: unknown option '--type-of'. Next: demo help log"),
      (["log", "-json"], "demo log: unknown option '-s' in '-json'; nearest: --json. Next: demo help log"),
      (["log", "-x"], "demo log: unknown option '-x'. Next: demo help log"),
      (["log", "-T"], "demo log: unknown option '-T'; nearest: -t. Next: demo help log"),
      (["log", "-rx"], "demo log: unknown option '-x' in '-rx'. Next: demo help log"),
      (["-r", "log"], "demo: the option '-r' belongs to a command and must follow it. Next: demo help"),
      // What follows is the option's value, and no command.
      (["-t", "x"], "demo: the option '-t' belongs to a command and must follow it. Next: demo help"),
      (["--frobnicate", "x"], "demo: unknown option '--frobnicate'. Next: demo help"),
      (["--type=x", "log"], "demo: the option '--type' belongs to a command and must follow it. Next: demo help"),
      (["log", "--type"], "demo log: the option --type needs a value, GLOB. Next: demo help log"),
      (["log", "-rn"], "demo log: the option -n needs a value, N. Next: demo help log"),
      (["log", "--json=yes"], "demo log: the option --json takes no value, but 'yes' is given. Next: demo help log"),
      (["log", "-n", "5", "--count=6"], "demo log: the option --count is given twice. Next: demo help log"),
      (["log", "-n", "many"], "demo log: -n is a whole number from 1 to 1000, not 'many'. Next: demo help log"),
      (["log", "--count", "0"], "demo log: --count is a whole number from 1 to 1000, not '0'. Next: demo help log"),
      (["show", "--width=9"], "demo show: --width is a whole number from 40, not '9'. Next: demo help show"),
      (
        ["log", "--color", "allways"],
        "demo log: --color is one of auto, always, never, not 'allways'; nearest: always. Next: demo help log"
      ),
      (
        ["completions", "fsh"],
        "demo completions: SHELL is one of bash, zsh, fish, not 'fsh'; nearest: fish, zsh. Next: demo help completions"
      ),
      (["show"], "demo show: PATH is missing. Next: demo help show"),
      (["show", "book"], "demo show: POS is missing. Next: demo help show"),
      (["completions"], "demo completions: SHELL is missing. Next: demo help completions"),
      (["log", "a", "b", "c", "d"], "demo log: unexpected word 'c'. Next: demo help log"),
      // The first thing that is wrong is the one that is named.
      (["log", "--tpye", "-n", "x"], "demo log: unknown option '--tpye'; nearest: --type. Next: demo help log"),
      (["log", "--version", "-n", "x"], "demo log: -n is a whole number from 1 to 1000, not 'x'. Next: demo help log"),
    ] as [([String], String)])
  func descriptions(words: [String], expected: String) {
    let error = #expect(throws: ArgumentError.self) { try sampleTool.parse(words) }
    expectEqual(error?.description, expected)
  }

  @Test("Typed words cannot disturb a terminal, and long ones are truncated")
  func hostileWords() {
    let hostile = #expect(throws: ArgumentError.self) { try sampleTool.parse(["\u{1B}[2J\n\u{202E}gol"]) }
    expectEqual(hostile?.description, "demo: unknown command '\\u{1B}[2J\\n\\u{202E}gol'. Next: demo help")
    let long = #expect(throws: ArgumentError.self) {
      try sampleTool.parse(["log", "--" + String(repeating: "x", count: 1_000_000)])
    }
    let shown = "--" + String(repeating: "x", count: 57) + "…"
    expectEqual(long?.description, "demo log: unknown option '\(shown)'. Next: demo help log")
  }

  @Test("A command's own reason has the form of all others")
  func refused() throws {
    guard case .run(let arguments) = try sampleTool.parse(["log", "-t", "polcy.*"]) else {
      Issue.record("the line was not read as a command")
      return
    }
    expectEqual(
      arguments.refused("--type polcy.* matches no\u{7} type", nearest: ["policy.received"]).description,
      "demo log: --type polcy.* matches no\\u{7} type; nearest: policy.received. Next: demo help log")
    expectEqual(arguments.refused("no", next: "demo show").description, "demo log: no. Next: demo show")
    expectEqual(arguments.refused("no").code, .refused("no"))
  }
}
