import AppProtection
import EventSourcing
import Journal

extension PolicyEngine {
  /// Makes everything durable and releases the journal, before the system suspends the app or when an extension is to write.
  ///
  /// iOS ends apps that are suspended while they hold a lock on a file in a shared container, as a journal's writer does. Call
  /// this when the app goes to the background, after its tasks; ``resume(_:)`` when it returns. Close files that are open for
  /// writing first: a protected file holds a lock of its own until then.
  ///
  /// Meanwhile ``state`` stays readable and decisions are made, and commands throw an error that is
  /// ``EngineError/isSuspended``. A run that is under way throws it at its next command: its work stays pending, and a
  /// request whose answer came too late is made again. ``runWhenDue(alarm:)`` waits.
  ///
  /// - Throws: ``EngineError/store(_:)`` if the device fails. The journal is released all the same.
  public func suspend() async throws(EngineError) {
    do throws(HistoryError) {
      try store.suspend()
    } catch {
      throw .store(.history(error), at: store.path)
    }
  }

  /// Takes the journal again, goes on after whatever extensions wrote meanwhile, and runs.
  ///
  /// If another process has started in the journal since, this records that the app's process starts again, because the
  /// rules know one process at a time. The identities of windows, threads and the process are then those of a launch:
  /// set them again. Delegates and ``changes()`` learn what the other process wrote, as if the app had; what the
  /// delegates of that process learned does not count.
  ///
  /// - Parameter process: The app's process, as for ``launch(_:settings:)``.
  /// - Throws: ``EngineError/store(_:)``. Its error says `locked` while another process writes, and names it: the engine stays
  ///   suspended, and this may be called again.
  @discardableResult
  public func resume(_ process: ProcessStart) async throws(EngineError) -> ResumptionReport {
    let report = try core.resume(process, relay.publish)
    relay.bell.ring()
    try await runPastSpool()
    return report
  }

  /// Carries out the commands that extensions handed over, as every ``run()`` does first, and says what was the matter with
  /// any of them. The work that they lead to is left to the next run. Does nothing while the engine is suspended.
  @discardableResult
  public func drain() throws(EngineError) -> DrainReport {
    guard let spool else { return DrainReport() }
    return try core.drain(spool)
  }

  /// Drains before a run, which no trouble of the spool keeps from doing its own work: other processes must not be able to
  /// hold up a wipe.
  ///
  /// - Returns: What kept the spool from being drained; `nil` if nothing did.
  func drainBeforeRun() throws(EngineError) -> EngineError? {
    var trouble: SpoolError?
    do throws(EngineError) {
      try drain()
    } catch .spool(let error) {
      trouble = error
    }
    // What lasts is logged once.
    let isNew = spoolTrouble.withLock { known in
      defer { known = trouble }
      return known != trouble
    }
    if isNew, let trouble { logger.log(.error, "spool: \(trouble)") }
    return trouble.map { .spool($0) }
  }

  /// Returns when a command waits that the last drain did not leave, or the task is canceled.
  func commandArrives(_ arrivals: JournalChanges) async {
    while await arrivals.change() {
      if spool?.hasCommands == true { return }
    }
  }
}
