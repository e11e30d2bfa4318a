/// What the command line asks for.
struct Options {
  /// How many events the histories have.
  var events = 1_000_000
  /// How often everything is measured.
  var repetitions = 5
  /// Only operations whose name contains this.
  var only: [String] = []
  var printsJSON = false
  var printsMarkdown = false
  var isQuick = false
  /// Where data is kept while the benchmark runs.
  var directory = "/tmp"
  /// A journal with real policies, from which realistic histories take theirs.
  var policies = "journals/framework-history/journal"
  /// The command line tool; empty for the one that lies beside this program.
  var tool = ""
  /// The order of measurements follows from it.
  var seed: UInt64 = 1
  /// Whether ratios are of processor time instead of wall time.
  var comparesProcessorTime = false
  var listsOperations = false
  /// Set in a child process that measures its own memory.
  var phase: String?
  /// The journal that the child works on.
  var journal = ""

  static let help = """
    Usage: tools/benchmark [OPTION...]

      --events N       events in a history (1000000); memory is also measured with a tenth of it
      --repetitions N  how often everything is measured (5)
      --only NAME      only operations whose name contains NAME; may be given several times
      --list           print the names of the operations
      --cpu            ratios of processor time instead of wall time, for a machine with other work to do
      --json           print JSON Lines instead of a table
      --markdown       print the table as the documentation has it
      --quick          few events, two repetitions: checks that everything works, and not how fast
      --directory DIR  where data is kept while it runs, in a directory that is removed afterwards (/tmp)
      --policies DIR   a journal with real policies (journals/framework-history/journal)
      --pj PATH        the command line tool (the one built together with this program)
      --seed N         another order of measurements (1)

    Exit code 0: everything was measured, whether goals are reached or not. 2: wrong use. 4: something failed.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var wasEventCountGiven = false
    func value(of name: String) throws -> String {
      guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value; see --help") }
      return value
    }
    func number(of name: String, _ range: ClosedRange<Int>) throws -> Int {
      let text = try value(of: name)
      guard let number = Int(text), range.contains(number) else {
        throw UsageError("\(name) \(text): a number from \(range.lowerBound) to \(range.upperBound) is needed")
      }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--events":
        events = try number(of: argument, 1_000...100_000_000)
        wasEventCountGiven = true
      case "--repetitions": repetitions = try number(of: argument, 1...1_000)
      case "--only": only.append(try value(of: argument))
      case "--list": listsOperations = true
      case "--cpu": comparesProcessorTime = true
      case "--json": printsJSON = true
      case "--markdown": printsMarkdown = true
      case "--quick": isQuick = true
      case "--directory": directory = try value(of: argument)
      case "--policies": policies = try value(of: argument)
      case "--pj": tool = try value(of: argument)
      case "--seed": seed = UInt64(try number(of: argument, 0...Int.max))
      case "--phase": phase = try value(of: argument)
      case "--journal": journal = try value(of: argument)
      case "--help", "-h":
        Platform.print(Self.help)
        Platform.end(0)
      default: throw UsageError("unknown option \(argument); see --help")
      }
    }
    if isQuick {
      repetitions = min(repetitions, 2)
      if !wasEventCountGiven { events = 10_000 }
    }
  }
}
