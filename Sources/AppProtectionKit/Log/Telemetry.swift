import AppProtection
import EventSourcing
import Synchronization

/// Collects what telemetry says of events, for the app's delegate.
final class Telemetry: EngineObserver {
  /// The most events that wait for the delegate; later ones are lost.
  static let maximumWaiting = 1_024

  private let delegate: any TelemetryDelegate
  private let isTest: Bool
  private let clock: any TimeSource
  private let waiting = Mutex<[TelemetryEvent]>([])

  init(_ delegate: any TelemetryDelegate, isTest: Bool, clock: any TimeSource) {
    self.delegate = delegate
    self.isTest = isTest
    self.clock = clock
  }

  func willAppend(_ events: [AppProtectionEvent]) {}

  func didAppend(_ result: AppendResult<AppProtectionMachine>) {
    result.forEachStep { event, _, after in
      guard let kind = TelemetryEvent.Kind(event, in: after) else { return }
      let record = TelemetryEvent(kind, at: clock.now().wallNanoseconds, in: after, isTest: isTest)
      waiting.withLock { if $0.count < Self.maximumWaiting { $0.append(record) } }
    }
  }

  func willDeliver(_ callback: String) {}

  /// Hands what waits to the delegate, the oldest first.
  func deliver() async {
    while let next = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { await delegate.record(next) }
  }
}

/// Several observers as one, in their order.
struct EngineObservers: EngineObserver {
  let all: [any EngineObserver]

  func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption) {
    for observer in all { try observer.willAppend(events) }
  }

  func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption) {
    for observer in all { try observer.didAppend(result) }
  }

  func willDeliver(_ callback: String) {
    for observer in all { observer.willDeliver(callback) }
  }
}
