import AppProtection
import EventSourcing

/// What an engine knows about how far the app and the service were notified.
struct DeliveryState {
  /// The progress as last written; `nil` until the app's process begins, and for a core without a log.
  var written: DeliveryProgress?
  /// The wipes of which the service knows, beyond those that the progress covers.
  var acknowledged: Set<UInt64> = []
}

extension EngineCore {
  /// The most events without a callback that a later process looks through for callbacks.
  static let longestLag: UInt64 = 1_000

  /// Continues where the last process of the app stopped telling it things.
  func resumeTelling() {
    guard let deliveries else { return }
    let last = store.lastSequence
    let untold = progress.withLock { progress -> [Outbox.Delivery]? in
      // A process that starts again, as after a suspension, goes on telling what waits.
      guard progress.written == nil else { return nil }
      let everything = DeliveryProgress(journal: store.journal.id, nextEvent: last + 1, acknowledgedWipes: last)
      var known = deliveries.read().flatMap { $0.journal == store.journal.id ? $0 : nil } ?? everything
      // A power cut or a backup may have taken events away, whose numbers others now get.
      if known.nextEvent > last + 1 { (known.nextEvent, known.madeCallbacks) = (last + 1, 0) }
      known.acknowledgedWipes = min(known.acknowledgedWipes, last)
      // Durable before the first event, so that a crash before the first callback does not hide it.
      deliveries.write(known)
      progress.written = known
      return self.untold(since: known)
    }
    if let untold { outbox.withLock { $0.add(untold: untold) } }
  }

  /// Takes the journal again, and over the callbacks for what other processes wrote meanwhile; if one of them has started in
  /// the journal, starts the app's process again. Commands wait for all of it: their callbacks must follow those, and none may
  /// be refused because no process runs.
  ///
  /// - Parameters:
  ///   - process: The app's process.
  ///   - publish: Gets those callbacks.
  func resume(
    _ process: ProcessStart, _ publish: ([Callback]) -> Void
  ) throws(EngineError) -> ResumptionReport {
    if !process.isExtension { resumeTelling() }
    return try outbox.withLock { (outbox) throws(EngineError) -> ResumptionReport in
      try resume(process, &outbox, publish)
    }
  }

  /// Releases the journal and takes it again, which opens what is sealed again: people whose keys are destroyed are gone from the
  /// state.
  ///
  /// - Throws: ``EngineError/store(_:)`` if another process took the journal in between; the store is then suspended.
  func reopenSealed(_ publish: ([Callback]) -> Void) throws(EngineError) {
    guard let process = started.withLock({ $0?.process }) else { return }
    try outbox.withLock { (outbox) throws(EngineError) -> Void in
      do throws(HistoryError) {
        try store.suspend()
      } catch {
        throw .store(.history(error), at: store.path)
      }
      _ = try resume(process, &outbox, publish)
    }
  }

  private func resume(
    _ process: ProcessStart, _ outbox: inout Outbox, _ publish: ([Callback]) -> Void
  ) throws(EngineError) -> ResumptionReport {
    let started = store.withState { $0.process.startedBy }
    let report: ResumptionReport
    do throws(HistoryError) {
      report = try store.resume()
    } catch {
      throw .store(.history(error), at: store.path)
    }
    if report.after > report.before, let known = progress.withLock({ $0.written }) {
      let since = DeliveryProgress(
        journal: known.journal, nextEvent: report.before + 1, acknowledgedWipes: known.acknowledgedWipes)
      let untold = untold(since: since)
      outbox.insert(untold)
      publish(untold.map(\.callback))
    }
    let isOwn = store.withState { $0.process.startedBy == started && $0.process.isRunning }
    if !isOwn {
      try append(startCommand(process, settings: nil), at: clock.now(), cause: 0, &outbox)
      recordStart(of: process)
    }
    return report
  }

  /// Records that the callback that was taken last was made: no later process makes it again.
  ///
  /// After a crash between the callback and this call, the next process makes that one callback again.
  public func didTell() {
    guard let place = outbox.withLock({ $0.made() }) else { return }
    updateProgress { progress in
      // It never goes back: what was made once is not made again.
      guard place > (progress.nextEvent, progress.madeCallbacks) else { return }
      (progress.nextEvent, progress.madeCallbacks) = place
    }
  }

  /// Records that nothing waits for delivery, as long as that is so.
  ///
  /// - Parameter lag: How many events the record may lag behind instead.
  func recordAllDelivered(lag: UInt64 = longestLag) {
    // The lock keeps events away until the number of the last one is written.
    outbox.withLock { outbox in
      guard outbox.waiting.isEmpty, !outbox.isTelling else { return }
      let next = store.lastSequence + 1
      guard let written = progress.withLock({ $0.written }), next > written.nextEvent + lag else { return }
      updateProgress { ($0.nextEvent, $0.madeCallbacks) = (next, 0) }
    }
  }

  private func updateProgress(_ change: (inout DeliveryProgress) -> Void) {
    progress.withLock { progress in
      guard var changed = progress.written else { return }
      change(&changed)
      guard let written = progress.written, changed != written else { return }
      assert(
        (written.nextEvent, written.madeCallbacks) <= (changed.nextEvent, changed.madeCallbacks)
          && written.acknowledgedWipes <= changed.acknowledgedWipes, "the progress of deliveries goes back")
      deliveries?.write(changed)
      progress.written = changed
    }
  }

  // MARK: Wipes that the service ordered

  /// The wipes that the service ordered and the journal has recorded, of which the service does not know that. An account
  /// that is enrolled again needs none: the service let it.
  var unacknowledgedWipes: [WipeRecord] {
    let (covered, acknowledged) = progress.withLock { ($0.written?.acknowledgedWipes ?? .max, $0.acknowledged) }
    let state = state
    return state.wipes.records.filter { wipe in
      wipe.origin == .service && wipe.requestedBy > covered && !acknowledged.contains(wipe.requestedBy)
        && state.accounts[wipe.account]?.enrollment.status.isEnrolled != true
    }
  }

  /// Records that the service knows that a wipe is recorded.
  func didAcknowledge(_ wipe: WipeRecord) {
    progress.withLock { _ = $0.acknowledged.insert(wipe.requestedBy) }
    let open = unacknowledgedWipes.map(\.requestedBy).min()
    let all = progress.withLock { $0.acknowledged }
    updateProgress { $0.acknowledgedWipes = max($0.acknowledgedWipes, open.map { $0 - 1 } ?? all.max() ?? 0) }
  }
}
