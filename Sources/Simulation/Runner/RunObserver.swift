import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization

/// Records what the engine writes and reports, and ends the simulated process where the scenario says.
final class RunObserver: EngineObserver {
  private struct Record {
    var lists: [ExpectedList: RecordedList] = [:]
    var crash: CrashPoint?
    var fileSystem: SimulatedFileSystem?
  }

  private let record = Mutex(Record())
  private let names: ScenarioAccountNames

  init(_ names: ScenarioAccountNames) {
    self.names = names
  }

  /// The number of items so far.
  func count(of list: ExpectedList) -> Int { record.withLock { $0.lists[list]?.count ?? 0 } }

  /// The items from a place on: types of events, notices and questions to the app, labels of findings for developers.
  func items(of list: ExpectedList, from start: Int) -> [String] {
    record.withLock { $0.lists[list]?.items(from: start) ?? [] }
  }

  /// The point at which the process is still to crash; `nil` if none is pending.
  var pendingCrash: CrashPoint? { record.withLock { $0.crash } }

  /// Sets the file system of the next process.
  func watch(_ fileSystem: SimulatedFileSystem) {
    record.withLock { $0.fileSystem = fileSystem }
  }

  /// Sets the point at which the process is to crash.
  func arm(_ point: CrashPoint) {
    record.withLock { $0.crash = point }
  }

  func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption) {
    let types = events.map(\.name)
    let (point, fileSystem) = record.withLock { ($0.crash, $0.fileSystem) }
    switch point {
    case .before(let type) where types.contains(type):
      disarm()
      fileSystem?.crash()
      throw EngineInterruption()
    case .during(let type, let bytes) where types.contains(type):
      fileSystem?.tearNextWrite(after: bytes)
    // A crash now has happened, and one after an event waits for it to be durable.
    case .before, .during, .after, .now, nil: break
    }
  }

  func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption) {
    let types = result.events.map(\.event.name)
    names.learn(result.after.state)
    var findings: [String] = []
    result.forEachStep { event, before, after in
      findings += AppProtectionMachine.findings(for: event, before: before, after: after).map(\.label)
    }
    let (point, fileSystem) = record.withLock { record in
      for type in types { record.lists[.events, default: RecordedList()].append(type) }
      for finding in findings { record.lists[.findings, default: RecordedList()].append(finding) }
      return (record.crash, record.fileSystem)
    }
    if case .after(let type) = point, types.contains(type) {
      disarm()
      fileSystem?.crash()
      throw EngineInterruption()
    }
  }

  func willDeliver(_ callback: String) {
    record.withLock { $0.lists[.callbacks, default: RecordedList()].append(callback) }
  }

  /// Records events that reached the journal although their writer crashed before it could report them.
  func adopt(_ types: [String]) {
    record.withLock { record in
      for type in types { record.lists[.events, default: RecordedList()].append(type) }
    }
  }

  /// Cancels the pending crash after it has happened, so that the next process survives.
  func disarm() {
    record.withLock { $0.crash = nil }
  }
}
