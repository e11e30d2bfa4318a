/// What the commands of this folder can be told.
package struct RunOptions {
  /// How long to go on.
  package var seconds: UInt64 = 60
  /// What random choices follow from.
  package var seed: UInt64 = 1
  /// How often to do what is counted.
  package var runs: UInt64 = 10_000
  /// The program that is run along; `nil` leaves it out.
  package var program: String?

  /// Reads the command line; `nil` with a message when it is not understood. `--help` prints the help and ends.
  package static func read(
    _ command: String, help: String, _ known: [String], runs: UInt64 = 10_000
  ) -> RunOptions? {
    var options = RunOptions()
    options.runs = runs
    var arguments = CommandLine.arguments.dropFirst()
    while let name = arguments.popFirst() {
      if name == "--help" || name == "-h" {
        Platform.tell(help)
        Platform.end(0)
      }
      let value = arguments.popFirst()
      let number = value.flatMap { UInt64($0) }
      switch (known.contains(name) ? name : "", number) {
      case ("--seconds", let number?): options.seconds = min(number, 1_000_000)
      case ("--seed", let number?): options.seed = number
      case ("--runs", let number?): options.runs = number
      case ("--program", _) where value != nil: options.program = value
      default:
        let usage = known.filter { $0 != "--program" }.map { "[\($0) N]" }.joined(separator: " ")
        Platform.tell("\(command): '\(name)' is not understood here; use tools/\(command) \(usage)", to: 2)
        return nil
      }
    }
    return options
  }

  /// Carries a command out in a folder of its own, and prints the sentence with which it ends; returns the exit code. After a
  /// failure the folder stays, and the line that starts the same run is printed.
  ///
  /// - Parameters:
  ///   - command: the command's name.
  ///   - subject: what is in the folder, with its verb: `The journal is`.
  ///   - amount: how long or how often, as on the command line.
  ///   - body: takes the folder and the time at which the command began.
  package func conduct(
    _ command: String, _ subject: String, _ amount: String, _ body: (String, UInt64) throws -> String
  ) -> Int32 {
    guard let folder = Platform.temporaryDirectory("policyjournal-\(command)") else {
      Platform.tell("\(command): there is no directory for temporary files; set TMPDIR and try again", to: 2)
      return 4
    }
    do {
      let sentence = try body(folder, Platform.monotonicNanoseconds)
      Platform.removeTree(folder)
      Platform.tell("\(command): \(sentence), seed \(seed)")
      return 0
    } catch {
      Platform.tell("\(command): \(error)")
      Platform.tell("\(subject) in \(folder). Again: tools/\(command) \(amount) --seed \(seed)")
      return 1
    }
  }
}
