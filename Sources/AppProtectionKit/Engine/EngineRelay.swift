import AppProtection
import EventSourcing
import Synchronization

/// Passes what the core writes to the app's observer, to the subscribers of changes, and to those who wait for events.
final class EngineRelay: EngineObserver {
  private typealias Subscriber = AsyncThrowingStream<PolicyChange, any Error>.Continuation

  /// Rings after each command that wrote events.
  let bell = Wakeup()
  private let observer: (any EngineObserver)?
  private let tokens: TokenKeeper?
  private let subscribers = Mutex<(last: Int, all: [Int: Subscriber], isEnded: Bool)>((0, [:], false))

  init(_ observer: (any EngineObserver)?, _ tokens: TokenKeeper?) {
    self.observer = observer
    self.tokens = tokens
  }

  func willAppend(_ events: [AppProtectionEvent]) throws(EngineInterruption) {
    try observer?.willAppend(events)
  }

  func didAppend(_ result: AppendResult<AppProtectionMachine>) throws(EngineInterruption) {
    try observer?.didAppend(result)
    guard result.after.sequence > result.before.sequence else { return }
    tokens?.forgetUnneeded()
    publish(result)
    bell.ring()
  }

  func willDeliver(_ callback: String) {
    observer?.willDeliver(callback)
  }

  /// Number of sequences that have not ended.
  var subscriberCount: Int { subscribers.withLock { $0.all.count } }

  /// A sequence of the changes from now on.
  func changes(buffering limit: Int) -> AsyncThrowingStream<PolicyChange, any Error> {
    let (stream, continuation) = AsyncThrowingStream<PolicyChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(max(limit, 1)))
    let subscriber = subscribers.withLock { subscribers -> Int? in
      guard !subscribers.isEnded else { return nil }
      subscribers.last += 1
      subscribers.all[subscribers.last] = continuation
      return subscribers.last
    }
    guard let subscriber else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.subscribers.withLock { $0.all.removeValue(forKey: subscriber) }
    }
    return stream
  }

  /// Ends every sequence of changes.
  func end() {
    let all = subscribers.withLock { subscribers in
      subscribers.isEnded = true
      defer { subscribers.all = [:] }
      return subscribers.all
    }
    for subscriber in all.values { subscriber.finish() }
  }

  /// Called for one command at a time, in the order of the events.
  private func publish(_ result: AppendResult<AppProtectionMachine>) {
    guard subscriberCount > 0 else { return }
    var callbacks: [Callback] = []
    result.forEachStep { event, before, after in
      callbacks += AppProtectionMachine.callbacks(for: event, before: before, after: after)
    }
    publish(callbacks)
  }

  /// Tells the subscribers what callbacks report.
  func publish(_ callbacks: [Callback]) {
    let changes = callbacks.compactMap(PolicyChange.init)
    guard !changes.isEmpty else { return }
    let all = subscribers.withLock { $0.all }
    for (number, subscriber) in all {
      for change in changes {
        guard case .dropped = subscriber.yield(change) else { continue }
        _ = subscribers.withLock { $0.all.removeValue(forKey: number) }
        subscriber.finish(throwing: ChangesMissed(buffered: PolicyEngine.changeBufferSize))
        break
      }
    }
  }
}
