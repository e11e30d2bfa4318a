import AppProtection
import AppProtectionKit
import EventSourcing
import Synchronization

/// Records what the engine writes and reports, and ends the simulated process where the scenario says.
final class RunObserver: EngineObserver {
  private struct Record {
    var events: [String] = []
    var callbacks: [String] = []
    var findings: [String] = []
    var crash: CrashPoint?
    var fileSystem: SimulatedFileSystem?
  }

  private let record = Mutex(Record())
  private let names: ScenarioAccountNames

  init(_ names: ScenarioAccountNames) {
    self.names = names
  }

  /// The types of all events so far.
  var events: [String] { record.withLock { $0.events } }
  /// Everything the app has been told or asked so far.
  var callbacks: [String] { record.withLock { $0.callbacks } }
  /// Findings for developers in the events so far, by label.
  var findings: [String] { record.withLock { $0.findings } }
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
      record.events += types
      record.findings += findings
      return (record.crash, record.fileSystem)
    }
    if case .after(let type) = point, types.contains(type) {
      disarm()
      fileSystem?.crash()
      throw EngineInterruption()
    }
  }

  func willDeliver(_ callback: String) {
    record.withLock { $0.callbacks.append(callback) }
  }

  /// Records events that reached the journal although their writer crashed before it could report them.
  func adopt(_ types: [String]) {
    record.withLock { $0.events += types }
  }

  /// Cancels the pending crash after it has happened, so that the next process survives.
  func disarm() {
    record.withLock { $0.crash = nil }
  }
}
