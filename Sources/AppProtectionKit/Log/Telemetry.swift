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
  private let waiting = Mutex((events: [TelemetryEvent](), isDelivering: false))

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
      waiting.withLock { if $0.events.count < Self.maximumWaiting { $0.events.append(record) } }
    }
  }

  func willDeliver(_ callback: String) {}

  /// Whether ``deliver()`` is to be called: something waits, and no other call hands it over.
  func beginDelivery() -> Bool {
    waiting.withLock { waiting in
      guard !waiting.events.isEmpty, !waiting.isDelivering else { return false }
      waiting.isDelivering = true
      return true
    }
  }

  /// Hands what waits to the delegate, the oldest first.
  func deliver() async {
    while let next = nextEvent() { await delegate.record(next) }
  }

  private func nextEvent() -> TelemetryEvent? {
    waiting.withLock { waiting in
      guard !waiting.events.isEmpty else {
        waiting.isDelivering = false
        return nil
      }
      return waiting.events.removeFirst()
    }
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
