import Journal
import ProcessTesting

/// Verifies journals again and again while another process writes them. Nothing may ever be found.
struct Watcher {
  /// What happened.
  struct Totals {
    var runs: UInt64 = 0
    var programRuns: UInt64 = 0
    var journals = 0
    /// Runs that read more than the run before: the journal had grown meanwhile.
    var growths: UInt64 = 0
    var events: UInt64 = 0
    /// Runs on a journal whose first events were retired.
    var retirements: UInt64 = 0
  }

  private let author: ChildProcess
  private let path: String
  private let events: KnownEvents
  private let program: String?
  private(set) var totals = Totals()
  private var number = ""
  private var lastSeen: UInt64 = 0

  init(author: ChildProcess, path: String, events: KnownEvents, program: String?) {
    self.author = author
    self.path = path
    self.events = events
    self.program = program
  }

  /// The journal that is looked at.
  var directory: String { "\(path)/\(number)" }

  mutating func run(_ runs: UInt64) throws {
    try turn(withinMicroseconds: 10_000_000)
    while totals.runs < runs {
      try verify()
      if totals.runs % 100 == 0, let program { try verify(with: program) }
      try turn(withinMicroseconds: 0)
    }
  }

  /// Goes over to the newest journal.
  private mutating func turn(withinMicroseconds limit: UInt64) throws {
    var limit = limit
    while let line = author.nextLine(withinMicroseconds: limit) {
      guard line.hasPrefix("began ") else { throw ProcessFailure("the writer said: \(line)") }
      if !number.isEmpty { Platform.removeTree(directory) }
      number = String(line.dropFirst(6))
      lastSeen = 0
      totals.journals += 1
      limit = 0
    }
    guard !number.isEmpty, !author.isSilent else { throw ProcessFailure("the writer ended by itself") }
  }

  private mutating func verify() throws {
    let report = try JournalReader(path: directory).verify()
    totals.runs += 1
    totals.events += report.eventCount
    if report.lastSequence > lastSeen { totals.growths += 1 }
    if let finding = report.findings.first { throw ProcessFailure("a sound journal is said to be not: \(finding)") }
    let retired = (report.retirement?.firstSequence ?? 1) - 1
    if retired > 0 { totals.retirements += 1 }
    guard report.lastVerifiedSequence == report.eventCount + retired, report.lastSequence == report.lastVerifiedSequence
    else {
      throw ProcessFailure("\(report.eventCount) events after \(retired) verify up to \(report.lastSequence)")
    }
    guard report.lastSequence >= lastSeen else {
      throw ProcessFailure("event \(lastSeen) was there, and event \(report.lastSequence) is the last")
    }
    lastSeen = report.lastSequence
  }

  private mutating func verify(with program: String) throws {
    let process = try ChildProcess(program, ["verify", directory])
    let lines = process.remainingLines()
    let status = process.wait()
    totals.programRuns += 1
    guard status == 0 else {
      throw ProcessFailure("\(program) ended with code \(status): \(lines.joined(separator: " / "))")
    }
  }
}
