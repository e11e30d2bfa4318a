import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import ProcessTesting

/// Starts an app and two extensions, kills them at random moments, and compares what they said with the journal.
struct Conductor {
  /// What happened.
  struct Totals {
    var containers = 0
    var kills = 0
    var commands = 0
    var ended = 0
    var suspensions = 0
    var takeovers = 0
    var events = 0
  }

  private let program: String
  /// `pj`, if the journals are to be verified by it as well.
  private let verifier: String?
  private let directory: String
  private var generator: SeededGenerator
  private(set) var totals = Totals()

  /// The labels of the commands that a process was told are durable, and of those whose end it was told.
  private var acknowledged: [String] = []
  private var ended: [String] = []

  private struct Cast {
    var role: String
    var process: ChildProcess
    /// When it dies.
    var end: UInt64
  }

  init(program: String, verifier: String?, seed: UInt64, directory: String) {
    self.program = program
    self.verifier = verifier
    self.directory = directory
    generator = SeededGenerator(seed: seed)
  }

  /// One container, by way of many deaths.
  mutating func runContainer(until deadline: UInt64) throws {
    totals.containers += 1
    (acknowledged, ended) = ([], [])
    let container = Container(path: directory)
    var cast: [Cast] = []
    for role in ["app", "extension", "extension"] { cast.append(try start(role, container)) }
    let rounds = 20 + generator.below(30)
    var deaths = 0
    while deaths < rounds, Platform.monotonicNanoseconds < deadline {
      for index in cast.indices {
        if let line = cast[index].process.nextLine(withinMicroseconds: 1000) { try note(line, of: cast[index]) }
        let isDue = Platform.monotonicNanoseconds >= cast[index].end
        guard isDue || cast[index].process.isSilent else { continue }
        guard isDue else { throw ProcessFailure("the \(cast[index].role) ended by itself") }
        try kill(cast[index])
        deaths += 1
        cast[index] = try start(cast[index].role, container)
      }
    }
    for member in cast { try kill(member) }
    // The last app finishes what is left.
    let app = try start("app", container)
    app.process.closeInput()
    for line in app.process.remainingLines() { try note(line, of: app) }
    guard app.process.wait() == 0 else { throw ProcessFailure("the last app did not end well") }
    try check(container)
    for path in [container.journal, container.spool] { Platform.removeTree(path) }
  }

  private mutating func start(_ role: String, _ container: Container) throws -> Cast {
    let name = "\(role) \(totals.containers)-\(totals.kills)-\(generator.below(1 << 30))"
    let process = try ChildProcess(program, [role, container.path, name, "\(generator.next() >> 1)"])
    // Some live as long as it takes to open the journal, others long enough to do much.
    let life = generator.oneIn(4) ? generator.below(20_000) : 20_000 + generator.below(400_000)
    return Cast(role: role, process: process, end: Platform.monotonicNanoseconds + UInt64(life) * 1000)
  }

  private mutating func kill(_ member: Cast) throws {
    member.process.kill()
    totals.kills += 1
    for line in member.process.remainingLines() { try note(line, of: member) }
    let status = member.process.wait()
    guard status == -9 else { throw ProcessFailure("the \(member.role) ended by itself with code \(status)") }
  }

  private mutating func note(_ line: String, of member: Cast) throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch words.first {
    case "done":
      totals.commands += 1
      acknowledged.append(words[1])
    case "ended":
      totals.ended += 1
      ended.append(words[1])
    case "suspended": totals.suspensions += 1
    case "wrote": totals.takeovers += 1
    case "open", "resumed": break
    default: throw ProcessFailure("the \(member.role) said: \(line)")
    }
  }

  /// Every command that was acknowledged is in the journal exactly once, those of a process in order, and nothing else is.
  private mutating func check(_ container: Container) throws {
    let labels = try container.labels()
    totals.events += labels.count
    let found = Set(labels)
    guard found.count == labels.count else { throw ProcessFailure("a command was carried out twice") }
    for label in acknowledged + ended where !found.contains(label) {
      throw ProcessFailure("the command '\(label)' was acknowledged, and is not in the journal")
    }
    var last: [Substring: UInt64] = [:]
    for label in labels {
      guard let space = label.lastIndex(of: " "), let number = UInt64(label[label.index(after: space)...]) else {
        throw ProcessFailure("nobody gave the command '\(label)'")
      }
      guard number > last[label[..<space]] ?? 0 else { throw ProcessFailure("'\(label)' is out of order") }
      last[label[..<space]] = number
    }
    let left = try PosixFileSystem().list(container.spool).filter { !$0.hasSuffix(".outcomes") }
    guard left.isEmpty else { throw ProcessFailure("\(left) are left in the spool") }

    var history = try History<AppProtectionMachine>(at: container.journal)
    for finding in try history.reader.verify().findings {
      guard case .torn = finding.verdict else { throw ProcessFailure("the journal is not sound: \(finding)") }
    }
    let stored = try StateFollower<AppProtectionMachine>(at: container.journal).state
    history.usesCheckpoints = false
    guard try history.state(at: .end).state == stored else {
      throw ProcessFailure("the state is not what the events add up to")
    }
    if let verifier {
      let process = try ChildProcess(verifier, ["verify", container.journal])
      _ = process.remainingLines()
      let status = process.wait()
      // 0 is sound, and a torn tail is no damage.
      guard status == 0 else { throw ProcessFailure("pj verify ended with \(status)") }
    }
  }
}
