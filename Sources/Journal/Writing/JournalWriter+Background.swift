import Synchronization

extension JournalWriter {
  /// Runs a job on the journal's own thread, soon. Without such a thread, and once the journal is closed, the job
  /// runs before this returns.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    if !background.schedule(work) { work() }
  }

  /// Ensures that what was written is durable once this much time has passed, even if no further append comes.
  func planSync(after nanoseconds: UInt64) {
    // Checked first, because an exchange costs more and is almost always unnecessary.
    if isSyncPlanned.load(ordering: .acquiring) { return }
    if isSyncPlanned.exchange(true, ordering: .acquiringAndReleasing) { return }
    let isSet = background.setAlarm(after: nanoseconds) { [weak self] in self?.syncAsPlanned() }
    // If no thread could be started, the next append tries again.
    if !isSet { isSyncPlanned.store(false, ordering: .releasing) }
  }

  /// Syncs events whose writers do not wait.
  func syncAsPlanned() {
    // Cleared before the sync looks at the journal: a later write then plans the next sync.
    isSyncPlanned.store(false, ordering: .sequentiallyConsistent)
    let last = core.withLock { $0.isClosed ? 0 : $0.sequence }
    // A failure that cannot be made good is kept, and every later append reports it.
    try? makeDurable(last)
  }

  /// Appends a batch from a task, which is suspended until ``SyncPolicy`` is met and blocks no thread meanwhile. Batches
  /// that are submitted while another group is being written are written together with one call, and share one sync.
  ///
  /// A submitted batch is appended even if the task is cancelled: what may already be durable cannot be taken back.
  ///
  /// - Parameters:
  ///   - batch: at least one event.
  ///   - expected: the last event that the caller has seen; `nil` appends after the current end.
  /// - Returns: the numbers of its events.
  /// - Throws: as ``append(_:expecting:)``. A write that fails fails for all batches that were written with it.
  public func submit(
    _ batch: consuming JournalBatch, expecting expected: UInt64? = nil
  ) async throws(JournalError) -> ClosedRange<UInt64> {
    let submission = Submission(batch, expecting: expected)
    // Resumed exactly once, in `answer`.
    let result = await withUnsafeContinuation { (continuation: Submission.Continuation) in
      let isFirst = submissions.withLock { $0.add(submission, continuation) }
      if isFirst { perform { self.appendSubmissions() } }
    }
    return try result.get()
  }

  /// Appends everything that was submitted.
  private func appendSubmissions() {
    let entries = submissions.withLock { $0.takeAll() }
    var trains: [SubmissionQueue.Train] = []
    var first = 0
    while first < entries.count {
      let end = SubmissionQueue.endOfTrain(entries, from: first)
      trains.append(SubmissionQueue.Train(entries: first..<end, result: write(entries[first..<end])))
      first = end
    }
    // The last one first: its sync covers all the others.
    for index in trains.indices.reversed() {
      guard case .success(let written) = trains[index].result else { continue }
      do throws(JournalError) {
        try waitUntilAcknowledged(written)
      } catch {
        trains[index].result = .failure(error)
      }
    }
    SubmissionQueue.answer(entries, trains)
  }

  /// Writes batches with one call.
  private func write(_ entries: ArraySlice<SubmissionQueue.Entry>) -> Result<WrittenBatch, JournalError> {
    guard let first = entries.first?.submission else {
      return .failure(JournalError(.emptyBatch, "there is no batch", remedy: "append one"))
    }
    do throws(JournalError) {
      if entries.count == 1 { return .success(try put(first.batch, expecting: first.expected)) }
      var train = JournalBatch(minimumCapacity: SubmissionQueue.maximumTrainLength)
      for entry in entries { try train.append(entry.submission.batch) }
      return .success(try put(train, expecting: nil))
    } catch {
      return .failure(error)
    }
  }
}
