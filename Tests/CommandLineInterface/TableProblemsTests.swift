import Expectations
import Testing

@testable import CommandLineInterface

@Suite("Mistakes in a table")
struct TableProblemsTests {
  @Test("The sample has none")
  func none() {
    expectEqual(sampleTool.problems(), [])
  }

  /// What is done to the sample's command `log`, or to the tool, and what is then said about it.
  static let mistakes: [(@Sendable (inout CommandLineTool, inout CommandDescription) -> Void, String)] = [
    ({ $1.name = "show" }, "demo: two commands or topics are named show"),
    ({ tool, _ in tool.topics[0].name = "help" }, "demo: two commands or topics are named help"),
    ({ $1.name = "Log" }, "demo: Log is not a lower-case name"),
    ({ tool, _ in tool.topics[0].body = { [] } }, "demo help positions: the topic is empty"),
    ({ $1.summary = "" }, "demo log: the summary is empty"),
    ({ $1.examples.removeLast() }, "demo log: there are 2 examples, not three"),
    ({ $1.examples[0].explanation = "" }, "demo log: the example 'demo log' is not explained"),
    (
      { $1.examples[0].line = "demo log 'x" },
      "demo log: the example 'demo log 'x' has an unmatched quotation mark"
    ),
    ({ $1.examples[0].line = "demo help" }, "demo log: the example 'demo help' does not use the command"),
    ({ $1.examples[0].line = "ls" }, "demo log: the example 'ls' does not use the command"),
    (
      { $1.examples[0].line = "demo log | demo log --jsn" },
      "demo log: the example 'demo log | demo log --jsn' does not parse: "
        + "demo log: unknown option '--jsn'; nearest: --json. Next: demo help log"
    ),
    ({ $1.positionals[0].meaning = "" }, "demo log: PATH has no meaning"),
    ({ $1.positionals[1].name = "PATH" }, "demo log: two positionals are named PATH"),
    ({ $1.positionals[0].count = .many }, "demo log: only the last positional can take any number of words"),
    (
      { $1.positionals[0].completion = .words(["a b"]) },
      "demo log: PATH offers 'a b', which a shell would have to quote"
    ),
    ({ $1.options[0].name = "count" }, "demo log: two options are named --count"),
    ({ $1.options[0].short = "h" }, "demo log: two options are named -h"),
    ({ $1.options[0].name = "color" }, "demo log: two options are named --color"),
    ({ tool, _ in tool.options.append(tool.options[0]) }, "demo: two options are named --color"),
    ({ $1.options[0].name = "a b" }, "demo log: --a b is not a lower-case name"),
    ({ $1.options[0].short = "2" }, "demo log: --type has the short name 2, which is not an ASCII letter"),
    ({ $1.options[0].meaning = "" }, "demo log: --type has no meaning"),
    ({ $1.options[3].defaultValue = "x" }, "demo log: --reverse is a flag but describes a value"),
    ({ $1.options[1].defaultValue = "0" }, "demo log: --count does not accept its own default, 0"),
    ({ $1.options[0].rule = .oneOf(["-x"]) }, "demo log: --type offers '-x', which a shell would have to quote"),
    ({ $1.exitCodes.reverse() }, "demo log: the exit codes do not ascend"),
    ({ $1.exitCodes[0].meaning = "" }, "demo log: exit code 0 has no meaning"),
    ({ tool, _ in tool.synonyms["ls"] = ["lgo"] }, "demo: ls stands for lgo, which is unknown"),
    ({ tool, _ in tool.synonyms["show"] = ["log"] }, "demo: show is a command and a synonym"),
    ({ $1.actions = [CommandDescription("cut", "")] }, "demo log cut: the summary is empty"),
    (
      { $1.actions = [CommandDescription("cut", "C.", options: [$1.options[0]])] },
      "demo log cut: two options are named type"
    ),
    (
      { _, command in
        command.actions = ["a", "b"].map { name in
          CommandDescription(
            name, "S.", options: [name == "a" ? OptionDescription("x", "X.") : OptionDescription("x", value: "X", "X.")]
          )
        }
      }, "demo log b: --x has another form in another action"
    ),
    ({ tool, _ in tool.exitCodes[2].code = 256 }, "demo: 256 is not an exit code"),
  ]

  @Test("Each is named", arguments: mistakes.indices)
  func named(index: Int) {
    let (change, expected) = Self.mistakes[index]
    var tool = sampleTool
    var command = tool.groups[0].commands[0]
    change(&tool, &command)
    tool.groups[0].commands[0] = command
    #expect(tool.problems().contains(expected), "\(tool.problems())")
  }

  @Test(
    "The examples' words are read as a shell reads them",
    arguments: [
      ("a  b", [["a", "b"]]), ("a 'b c' \"d 'e\"", [["a", "b c", "d 'e"]]), ("a|b;c&&d", [["a"], ["b"], ["c"], ["d"]]),
      ("a > b c | d", [["a"], ["d"]]), ("a 'b'\\''c'", [["a", "b'c"]]), ("a \"b\\\"c\" ''", [["a", "b\"c", ""]]),
      ("", []), ("a 'b", nil), ("a \\", [["a", ""]]),
    ] as [(String, [[String]]?)])
  func segments(line: String, expected: [[String]]?) {
    expectEqual(CommandLineTool.segments(ofShellLine: line), expected)
  }
}
