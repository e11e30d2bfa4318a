import Journal
import ProcessTesting

/// Reads a journal while others write it, and looks for gaps, doubles and events that nobody appended.
///
/// Its input says `end LAST` once nothing more will come. Lines: `followed COUNT`, `failure SENTENCE`.
struct Follower {
  let path: String
  let events: KnownEvents
  let limit: ReadLimit
  let start: UInt64

  func run() throws {
    var last = start
    let input = LineReader(0)
    var target: UInt64?
    var cursor: JournalCursor?
    while cursor == nil {
      guard let reader = try reader() else {
        Platform.pause(microseconds: 500)
        continue
      }
      cursor = try reader.cursor(after: start, upTo: limit)
    }
    guard var cursor else { return }
    var deadline = UInt64.max
    while last < target ?? .max {
      switch try cursor.next() {
      case .event(let event)?:
        try events.check(event, after: last)
        last = event.sequence
      case .finding(let finding)?:
        // What a killed process leaves unfinished is torn, and nothing else.
        guard case .torn = finding.verdict else { throw ProcessFailure("a follower met \(finding)") }
      case nil:
        if let line = input.next(withinMicroseconds: 1000), line.hasPrefix("end ") {
          target = UInt64(line.dropFirst(4))
          deadline = Platform.monotonicNanoseconds + 20_000_000_000
        }
        if input.isAtEnd, target == nil { return }
        guard Platform.monotonicNanoseconds < deadline else {
          throw ProcessFailure("a follower stopped at event \(last) of \(target ?? 0)")
        }
      }
    }
    guard last == target else { throw ProcessFailure("a follower saw event \(last), and \(target ?? 0) is the last") }
    Platform.tell("followed \(last - start)")
  }

  /// The journal, once there is one.
  private func reader() throws -> JournalReader? {
    do throws(JournalError) {
      return try JournalReader(path: path)
    } catch {
      guard error.code == .notAJournal else { throw error }
      return nil
    }
  }
}

/// Opens a journal that nobody writes, and checks that everything acknowledged is there and everything there is right.
///
/// Lines: `checked LAST`, `failure SENTENCE`.
struct Checker {
  let path: String
  let events: KnownEvents
  let acknowledged: UInt64

  func run() throws {
    let reader = try JournalReader(path: path)
    let report = try reader.verify()
    for finding in report.findings {
      guard case .torn = finding.verdict else { throw ProcessFailure("the journal is not sound: \(finding)") }
    }
    var cursor = try reader.cursor()
    var last: UInt64 = 0
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      try events.check(event, after: last)
      last = event.sequence
    }
    guard last >= acknowledged else {
      throw ProcessFailure("event \(acknowledged) was acknowledged, and the last one is \(last)")
    }
    guard report.lastVerifiedSequence == last, report.eventCount == last else {
      throw ProcessFailure("\(last) events are served, and \(report.lastVerifiedSequence) verify")
    }
    for checkpoint in reader.checkpoints() where !reader.isOverruled(checkpoint) {
      guard try reader.body(of: checkpoint) == events.payload(checkpoint.sequence) else {
        throw ProcessFailure("the checkpoint of event \(checkpoint.sequence) has other contents than were written")
      }
    }
    Platform.tell("checked \(last)")
  }
}
