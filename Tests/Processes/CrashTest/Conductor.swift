import Journal
import ProcessTesting

/// Starts writers, followers and checkers, kills the writers, and compares what they said.
struct Conductor {
  /// What happened.
  struct Totals {
    var journals = 0
    var kills = 0
    var acknowledgements = 0
    var acknowledgedEvents: UInt64 = 0
    var followedEvents: UInt64 = 0
    var refusals = 0
    var recoveries = 0
  }

  private let program: String
  private let seed: UInt64
  private let path: String
  private var generator: SeededGenerator
  private(set) var totals = Totals()

  /// The last event of the current journal that a writer was told is in it.
  private var acknowledged: UInt64 = 0

  init(program: String, seed: UInt64, path: String) {
    self.program = program
    self.seed = seed
    self.path = path
    generator = SeededGenerator(seed: seed)
  }

  /// One journal from its creation to its close, by way of many deaths.
  mutating func runJournal(until deadline: UInt64) throws(ProcessFailure) {
    acknowledged = 0
    totals.journals += 1
    let seed = generator.next() >> 1
    var followers = [
      try start(["follow", path, "\(seed)", "written", "0"]), try start(["follow", path, "\(seed)", "durable", "0"]),
    ]
    for round in 0..<UInt64(6 + generator.below(30)) {
      try runWriter(seed: seed, round: round)
      // Before the first event there need not be a journal.
      if acknowledged > 0 { try check(seed: seed) }
      if round == 4 {
        let start = UInt64(generator.below(Int(acknowledged) + 1))
        followers.append(try self.start(["follow", path, "\(seed)", "written", "\(start)"]))
      }
      if acknowledged > 100_000 || Platform.monotonicNanoseconds > deadline { break }
    }
    try closeJournal(seed: seed)
    for follower in followers {
      follower.send("end \(acknowledged)")
      totals.followedEvents += try answer(of: follower, "followed")
    }
    totals.acknowledgedEvents += acknowledged
    Platform.removeTree(path)
  }

  /// Lets a writer work for a moment, and kills it.
  private mutating func runWriter(seed: UInt64, round: UInt64) throws(ProcessFailure) {
    let writer = try start(["write", path, "\(seed)", "\(round)"])
    // Mostly in the midst of appending; often in the first milliseconds, when it creates or recovers.
    let life = generator.oneIn(3) ? generator.below(6000) : generator.below(120_000)
    var isIntruderDue = generator.oneIn(2) && !Writer.reopens(inRound: round)
    try writer.live(forMicroseconds: UInt64(life), as: "a writer") { line, isAlive throws(ProcessFailure) in
      try note(line)
      if isIntruderDue, isAlive, line.hasPrefix("appended") {
        isIntruderDue = false
        try intrude(seed: seed, owner: writer.pid)
      }
    }
    totals.kills += 1
  }

  private mutating func note(_ line: String) throws(ProcessFailure) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0] != "failure", let number = UInt64(words[1]) else {
      throw ProcessFailure("a writer said: \(line)")
    }
    if words[0] == "open" {
      totals.recoveries += 1
      guard number >= acknowledged else {
        throw ProcessFailure("event \(acknowledged) was acknowledged, and a writer goes on after event \(number)")
      }
    } else {
      guard number >= acknowledged || words[0] == "checkpoint" else {
        throw ProcessFailure("event \(acknowledged) was acknowledged before, and now event \(number)")
      }
      totals.acknowledgements += 1
      acknowledged = max(acknowledged, number)
    }
  }

  /// A second writer must be refused, by the number of the first.
  private mutating func intrude(seed: UInt64, owner: Int32) throws(ProcessFailure) {
    let intruder = try start(["write", path, "\(seed)", "0"])
    let lines = intruder.remainingLines()
    let status = intruder.wait()
    guard status == 1, lines.contains(where: { $0.contains("process \(owner) has the journal open") }) else {
      throw ProcessFailure("the second writer does not name process \(owner): \(lines.joined(separator: ", "))")
    }
    totals.refusals += 1
  }

  private mutating func closeJournal(seed: UInt64) throws(ProcessFailure) {
    let writer = try start(["write", path, "\(seed)", "1000"])
    writer.closeInput()
    for line in writer.remainingLines() { try note(line) }
    let status = writer.wait()
    guard status == 0 else { throw ProcessFailure("closing ended with code \(status)") }
    try check(seed: seed)
  }

  private func check(seed: UInt64) throws(ProcessFailure) {
    _ = try answer(of: try start(["check", path, "\(seed)", "\(acknowledged)"]), "checked")
  }

  private func start(_ arguments: [String]) throws(ProcessFailure) -> ChildProcess {
    try ChildProcess(program, arguments)
  }

  /// The number after a word in the last line of a process, which must end well.
  private func answer(of process: ChildProcess, _ word: String) throws(ProcessFailure) -> UInt64 {
    let lines = process.remainingLines()
    guard process.wait() == 0, let line = lines.last, line.hasPrefix(word + " "),
      let number = UInt64(line.dropFirst(word.count + 1))
    else { throw ProcessFailure(lines.last ?? "a process that was to say '\(word)' ended without a word") }
    return number
  }
}
