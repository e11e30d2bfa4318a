import AppProtection
import EventSourcing
import Journal

/// Writes histories through the typed store.
enum Histories {
  static let start: Int64 = 1_583_398_800_000_000_000

  /// Readings in groups of 1000.
  static func writeReadings(_ count: Int, to path: String) throws {
    let store = try EventStore<ReadingMachine>.create(
      at: path, journalID: Fixtures.journalID(1), createdNanoseconds: start, options: Fixtures.unsynced)
    var done = 0
    while done < count {
      let size = min(1000, count - done)
      try store.append(.init(count: size), at: Moment(wallNanoseconds: start + Int64(done)))
      done += size
    }
    try store.close()
  }

  /// A policy history of at least so many events, a command at a time.
  ///
  /// - Parameters:
  ///   - tail: how many events before its end a checkpoint is written; `nil` for none.
  ///   - changed: the event that is to say something else than it otherwise would.
  static func writePolicies(
    _ count: Int, to path: String, from policies: String, checkpointBefore tail: Int? = nil,
    changing changed: UInt64 = .max
  ) throws {
    let store = try EventStore<AppProtectionMachine>.create(
      at: path, journalID: Fixtures.journalID(2), createdNanoseconds: start, options: Fixtures.unsynced)
    var history = try PolicyHistory(policiesOf: policies)
    if changed < UInt64(count) {
      try append(upTo: changed - 1, from: &history, to: store)
      history.delay(by: 1)
    }
    if let tail {
      try append(upTo: UInt64(max(1, count - tail)), from: &history, to: store)
      try store.checkpoint()
    }
    try append(upTo: UInt64(count), from: &history, to: store)
    try store.close()
  }

  /// Gives commands until the store has so many events.
  static func append(
    upTo count: UInt64, from history: inout PolicyHistory, to store: EventStore<AppProtectionMachine>
  ) throws {
    var last = store.lastSequence
    while last < count {
      let command = history.next()
      do throws(StoreError<AppProtectionRejection>) {
        last = try store.append(command, at: history.moment).after.sequence
      } catch {
        throw Failure("the policy history is refused at event \(last): \(error)")
      }
    }
  }
}
