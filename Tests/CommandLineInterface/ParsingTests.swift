import Expectations
import Testing

@testable import CommandLineInterface

@Suite("Parsing a command line")
struct ParsingTests {
  typealias Occurrence = ParsedArguments.Occurrence

  /// A line, its words parted by spaces, with what it must be read as.
  struct Reading: Sendable, CustomTestStringConvertible {
    var line: String
    var positionals: [String] = []
    var options: [Occurrence] = []
    var testDescription: String { line }
  }

  static let readings = [
    // The value of the option that takes bare numbers, where the command has one.
    Reading(line: "log -5", options: [.init("count", "5")]),
    Reading(line: "log book -12", positionals: ["book"], options: [.init("count", "12")]),
    Reading(line: "log -5h", positionals: ["-5h"]),
    Reading(line: "log -- -5", positionals: ["-5"]),
    Reading(line: "log"),
    Reading(line: "log book", positionals: ["book"]),
    Reading(line: "log --since 3", options: [.init("since", "3")]),
    Reading(line: "log --since=3", options: [.init("since", "3")]),
    Reading(line: "log --since=a=b", options: [.init("since", "a=b")]),
    Reading(line: "log --since=", options: [.init("since", "")]),
    Reading(line: "log -n 5", options: [.init("count", "5")]),
    Reading(line: "log -n5", options: [.init("count", "5")]),
    Reading(line: "log -rj", options: [.init("reverse", nil), .init("json", nil)]),
    Reading(line: "log -rn5", options: [.init("reverse", nil), .init("count", "5")]),
    Reading(line: "log -rn 5", options: [.init("reverse", nil), .init("count", "5")]),
    Reading(line: "log -t a -t b", options: [.init("type", "a"), .init("type", "b")]),
    Reading(line: "log -rr", options: [.init("reverse", nil), .init("reverse", nil)]),
    Reading(line: "log book -r 3..9", positionals: ["book", "3..9"], options: [.init("reverse", nil)]),
    // What looks like an option is a value where a value is due.
    Reading(line: "log --since -1d", options: [.init("since", "-1d")]),
    Reading(line: "log --since --", options: [.init("since", "--")]),
    Reading(line: "log --since -h", options: [.init("since", "-h")]),
    Reading(line: "log --since --json", options: [.init("since", "--json")]),
    Reading(line: "log -t-1", options: [.init("type", "-1")]),
    // A dash alone, and a dash before a digit, is a positional.
    Reading(line: "log -", positionals: ["-"]),
    Reading(line: "log - -2h", positionals: ["-", "-2h"]),
    Reading(line: "log -- -r --json", positionals: ["-r", "--json"]),
    Reading(line: "log -r -- --", positionals: ["--"], options: [.init("reverse", nil)]),
    Reading(line: "-- log -r", positionals: ["-r"]),
    // Global options on either side.
    Reading(line: "--color never log", options: [.init("color", "never")]),
    Reading(line: "log --color=never", options: [.init("color", "never")]),
  ]

  @Test("Options and positionals are distinguished", arguments: readings)
  func reads(_ reading: Reading) throws {
    let arguments = try parsed(reading.line)
    expectEqual(arguments.command.name, "log")
    expectEqual(arguments.positionals, reading.positionals)
    expectEqual(arguments.occurrences, reading.options)
  }

  @Test("Empty words and words with combining marks are accepted unchanged")
  func unusualWords() throws {
    guard case .run(let arguments) = try sampleTool.parse(["log", "", "--type=\u{301}x", "-t", ""]) else {
      Issue.record("the line was not read as a command")
      return
    }
    expectEqual(arguments.positionals, [""])
    expectEqual(arguments.values(of: "type"), ["\u{301}x", ""])
    #expect(throws: ArgumentError.self) { try sampleTool.parse(["log", "-\u{301}"]) }
    #expect(throws: ArgumentError.self) { try sampleTool.parse(["log", "--\u{301}"]) }
  }

  @Test(
    "Help is shown wherever it is requested, whatever else is wrong",
    arguments: [
      ("-h", nil), ("--help", nil), ("-h log", "log"), ("log -h", "log"), ("log --help", "log"), ("log -rjh", "log"),
      ("log --tpye x -h", "log"), ("show -h", "show"), ("log a b c d -h", "log"), ("--version -h", nil),
      ("log -n x --help", "log"), ("--tpye -h", nil),
      ("page -h", "page"), ("page cut -h", "page cut"), ("page -h join a", "page join"), ("page cur -h", "page"),
    ] as [(String, String?)])
  func help(line: String, command: String?) throws {
    switch try sampleTool.parse(line.split(separator: " ").map(String.init)) {
    case .help(let found): expectEqual(found.name, command)
    case .overview: #expect(command == nil)
    case .run, .version: Issue.record("\(line) was not read as a request for help")
    }
  }

  @Test(
    "The version is printed before a command and after one",
    arguments: ["--version", "log --version", "show --version"])
  func version(line: String) throws {
    try expectEqual(sampleTool.parse(line.split(separator: " ").map(String.init)), .version)
  }

  @Test("A word after -- is never a request")
  func dashesEndHelp() throws {
    try expectEqual(parsed("log -- -h").positionals, ["-h"])
  }

  @Test("The first word selects an action, which takes the words after it; its options may stand before it")
  func actions() throws {
    let cut = try parsed("page --at 3 cut a.log --dry-run")
    expectEqual(cut.command.name, "page")
    expectEqual(cut.action, "cut")
    expectEqual(cut.positionals, ["a.log"])
    expectEqual(cut.value(of: "at"), "3")
    #expect(cut.flag("dry-run") && !cut.flag("tidy"))
    let join = try parsed("page join a b --tidy")
    expectEqual(join.positionals("PATH"), ["a", "b"])
    #expect(try parsed("log").action == nil)
  }

  @Test(
    "What an action does not take is refused with the right place",
    arguments: [
      ("page", "demo page: ACTION is missing. Next: demo help page"),
      ("page cur a", "demo page: ACTION is one of cut, join, not 'cur'; nearest: cut. Next: demo help page"),
      ("page merge a", "demo page: ACTION is one of cut, join, not 'merge'; nearest: join. Next: demo help page"),
      ("page join --at 3 a", "demo page: --at applies to cut only. Next: demo help page"),
      ("page cut", "demo page: PATH is missing. Next: demo help page"),
      ("page cut a b", "demo page: unexpected word 'b'. Next: demo help page"),
      ("page cut a --jobs 3", "demo page: unknown option '--jobs'. Next: demo help page"),
      ("ls a", "demo: unknown command 'ls'; nearest: log. Next: demo help"),
      ("cut a", "demo: unknown command 'cut'; nearest: page cut. Next: demo help"),
      ("merge a", "demo: unknown command 'merge'; nearest: page join. Next: demo help"),
      ("log --jobs 3", "demo log: unknown option '--jobs'; nearest: --count. Next: demo help log"),
      ("log -q", "demo log: unknown option '-q'; nearest: >/dev/null. Next: demo help log"),
    ])
  func refusedActions(line: String, message: String) {
    do throws(ArgumentError) {
      _ = try sampleTool.parse(line.split(separator: " ").map(String.init))
      Issue.record("\(line) was accepted")
    } catch {
      expectEqual(error.description, message)
    }
  }

  @Test("Words are assigned to positionals from the left, as many as the later ones can spare")
  func assignment() throws {
    let show = try parsed("show book -2h end")
    expectEqual(show.positional("PATH"), "book")
    expectEqual(show.positionals("POS"), ["-2h", "end"])
    let log = try parsed("log book")
    expectEqual(log.positional("PATH"), "book")
    #expect(log.positional("RANGE") == nil)
    let tool = CommandLineTool(
      name: "t", version: "1", summary: "s",
      groups: [
        CommandGroup(
          "g",
          [
            CommandDescription(
              "c", "C.",
              positionals: [
                PositionalDescription("A", .optional, "A."), PositionalDescription("B", .one, "B."),
                PositionalDescription("C", .many, "C."),
              ])
          ])
      ])
    for (words, expected) in [
      (["1"], [[], ["1"], []]), (["1", "2"], [["1"], ["2"], []]), (["1", "2", "3", "4"], [["1"], ["2"], ["3", "4"]]),
    ] as [([String], [[String]])] {
      guard case .run(let arguments) = try tool.parse(["c"] + words) else { continue }
      expectEqual(["A", "B", "C"].map(arguments.positionals), expected)
      expectEqual(arguments.positionals, words)
    }
  }

  @Test("Values have defaults, and given values are distinguished from defaults")
  func access() throws {
    let none = try parsed("log")
    expectEqual(none.values(of: "count"), ["100"])
    expectEqual(none.value(of: "color"), "auto")
    #expect(none.value(of: "since") == nil)
    try expectEqual(none.integer(of: "count"), 100)
    #expect(!none.isGiven("count"))
    #expect(!none.flag("reverse"))
    let some = try parsed("log -r -n 7 -t a --type=b --since -1d")
    expectEqual(some.value(of: "type"), "b")
    expectEqual(some.values(of: "type"), ["a", "b"])
    try expectEqual(some.integer(of: "count"), 7)
    try expectEqual(some.integer(of: "count", in: 7...7), 7)
    #expect(some.isGiven("count"))
    #expect(some.flag("reverse"))
    #expect(!some.flag("json"))
    #expect(try none.integer(of: "since") == nil)
  }

  @Test("A number outside its range is refused with the range")
  func integers() throws {
    let arguments = try parsed("log --since -1d")
    let cases: [(ClosedRange<Int>, String)] = [
      (.min ... .max, "a whole number"), (0 ... .max, "a whole number from 0"), (.min...9, "a whole number up to 9"),
      (2...9, "a whole number from 2 to 9"),
    ]
    for (range, phrase) in cases {
      let error = #expect(throws: ArgumentError.self) { try arguments.integer(of: "since", in: range) }
      expectEqual(error?.description, "demo log: --since is \(phrase), not '-1d'. Next: demo help log")
    }
    try expectEqual(arguments.integer("-3", named: "POS"), -3)
    for word in ["", "x", "4", "1e3", "0x2", "99999999999999999999", "٣", " 2"] {
      #expect(throws: ArgumentError.self) { try arguments.integer(word, named: "POS", in: 1...3) }
    }
  }

  @Test("Every line of up to three words out of these is a command, a request, or an error of one line")
  func everyShortLine() throws {
    let words = [
      "", "-", "--", "---", "-=", "--=", "--=x", "-h", "-hh", "-2h", "-n", "-n5", "-nx", "-rj", "-r=1", "--type",
      "--type=",
      "--json=1", "--color", "--version", "log", "show", "help", "nope", "a=b", "\u{301}", "-\u{301}", "\u{1B}\r\n",
    ]
    for one in words {
      for two in words {
        for three in words {
          do throws(ArgumentError) {
            if case .run(let arguments) = try sampleTool.parse([one, two, three]) {
              #expect([one, two, three].contains(arguments.command.name))
              #expect(arguments.positionals.count <= 2)
              let numbers = arguments.occurrences.filter { $0.option == "count" }.map(\.value)
              #expect(numbers.allSatisfy { $0 == "5" }, "\(numbers)")
            }
          } catch {
            let text = error.description
            #expect(text.hasPrefix("demo") && text.contains(". Next: demo help"), "\(text)")
            expectEqual(TerminalText.visible(text), text, "\(text)")
          }
        }
      }
    }
  }

  private func parsed(_ line: String) throws -> ParsedArguments {
    let invocation = try sampleTool.parse(line.split(separator: " ").map(String.init))
    guard case .run(let arguments) = invocation else {
      struct NotACommand: Error {}
      throw NotACommand()
    }
    return arguments
  }
}
