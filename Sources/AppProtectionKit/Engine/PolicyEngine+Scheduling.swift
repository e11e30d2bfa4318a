import AppProtection
import Journal

extension PolicyEngine {
  /// Carries out work whenever there is some: what is pending now, what commands add, and what comes due.
  ///
  /// ```swift
  /// let work = Task { try await engine.runWhenDue() }
  /// // … the app sends commands and need not call run() …
  /// work.cancel()
  /// ```
  ///
  /// A command that an extension hands over wakes it as well. Trouble of the spool, which the log names, does not end it: it
  /// is tried again with the next command and the next work. While the engine is suspended, it waits for ``resume(_:)``.
  ///
  /// Between runs the task sleeps until ``nextDue``, or without a timer if nothing will come due. A command wakes it, and so
  /// an earlier due time is never missed. A process that was suspended past a due time catches up when it continues: each
  /// piece of work that came due meanwhile is done once.
  ///
  /// - Parameter alarm: What wakes it; by default the system's clocks.
  /// - Returns: When the task is canceled or the engine ends. Work that is under way is left pending.
  /// - Throws: What ``run()`` throws, but for trouble of the spool. The work stays pending; call again after the cause is mended, such as a full disk.
  public func runWhenDue(alarm: some Alarm = SystemClock()) async throws(EngineError) {
    // Another task that found this one at work takes over.
    defer { relay.bell.ring() }
    try? spool?.prepare()
    while !Task.isCancelled, !core.isEnding {
      let count = relay.bell.count
      let arrivals = spool?.changes()
      let isDone: Bool
      do throws(EngineError) {
        isDone = try await runUnlessRunning(alarm: alarm).isDone
      } catch .canceled {
        return
      } catch  where error.isSuspended {
        isDone = false
      }
      // Another task's run says by the bell when it has ended.
      await waitForNews(after: count, isDone ? alarm : nil, arrivals)
    }
  }

  /// Returns when the bell has rung more often than `count` times, something comes due by an alarm, a command
  /// arrives, or the task is canceled.
  func waitForNews(after count: UInt64, _ alarm: (any Alarm)?, _ arrivals: JournalChanges? = nil) async {
    let due = alarm == nil ? nil : nextDue
    guard due != nil || arrivals != nil else { return await relay.bell.wait(after: count) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.relay.bell.wait(after: count) }
      if let alarm, let due { group.addTask { await alarm.sleep(until: due) } }
      if let arrivals { group.addTask { await self.commandArrives(arrivals) } }
      await group.next()
      group.cancelAll()
    }
  }
}
