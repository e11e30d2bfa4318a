import Journal

extension History {
  /// Replays the whole history from nothing and compares it with every recorded state digest, every checkpoint and
  /// every keyframe.
  ///
  /// A reducer changed without raising its revision shows as a mismatch at the first event it folds differently.
  /// Records of another revision are skipped and counted. The report also says where the replay had to stop: damage is
  /// not an error here.
  ///
  /// Between keyframes the history is replayed on as many threads as the machine has processors, each starting from a
  /// keyframe's state. The report is the same as on one thread: a thread's result counts only if the replay reaches the
  /// state the thread started from; otherwise its stretch is replayed again.
  ///
  /// - Throws: ``HistoryError`` if the journal cannot be read, or if its first events are gone and no checkpoint
  ///   replaces them.
  @inlinable
  public func check() throws(HistoryError) -> CheckReport {
    try check(threads: nil)
  }

  /// - Parameter threads: The number of threads that replay; `nil` for one per processor.
  @inlinable
  func check(threads: Int?) throws(HistoryError) -> CheckReport {
    // The caller compiles the work done for each event, specialised for its machine; the rest happens here.
    var check = try beginCheck()
    var keyframes = KeyframesInOrder(of: reader)
    keyframes.advance(noting: &check)
    let ahead = CheckAhead(of: self, threads: threads ?? processorCount, before: keyframes) {
      (stretch, part) throws(HistoryError) in try fold(stretch, &part)
    }
    defer { ahead.end() }
    do throws(HistoryError) {
      do throws(HistoryError) {
        try forEachRaw(after: check.replay.sequence) { (event) throws(HistoryError) in
          if !ahead.isReading { return try fold(event, &check, &keyframes) }
          guard ahead.keep(event) else { return }
          ahead.handOut(after: check)
          while ahead.isFull { try foldNext(of: ahead, &check, &keyframes) }
        }
      } catch {
        // Items read successfully come before the error that ended reading.
        while !ahead.isEmpty { try foldNext(of: ahead, &check, &keyframes) }
        throw error
      }
      while !ahead.isEmpty { try foldNext(of: ahead, &check, &keyframes) }
    } catch {
      if case .journal = error { throw error }
      check.stop(error)
    }
    return try finish(&check, keyframes)
  }

  @usableFromInline
  func finish(_ check: inout Check<Machine>, _ keyframes: KeyframesInOrder) throws(HistoryError) -> CheckReport {
    var report = check.finish(keyframes)
    if let mismatch = report.mismatch { report.mismatch?.suspects = try suspects(of: mismatch) }
    return report
  }

  /// What changes between the last agreement and a mismatch. Replays again, because a check keeps no earlier state.
  private func suspects(of mismatch: CheckReport.Mismatch) throws(HistoryError) -> [StateChange] {
    var replay = try origin().replay
    func advance(to sequence: UInt64) throws(HistoryError) -> Machine.State {
      try forEachRaw(after: replay.sequence, upTo: sequence) { (event) throws(HistoryError) in try replay.fold(event) }
      return replay.state
    }
    let agreed = try advance(to: mismatch.lastAgreement)
    return agreed.changes(to: try advance(to: mismatch.sequence)).changes
  }

  @usableFromInline
  func beginCheck() throws(HistoryError) -> Check<Machine> {
    Check<Machine>(
      from: try origin().replay, checkpoints: reader.checkpoints().reversed()[...], by: writers)
  }

  @inlinable
  func fold(
    _ event: JournalEvent, _ check: inout Check<Machine>, _ keyframes: inout KeyframesInOrder
  ) throws(HistoryError) {
    try check.fold(event)
    if check.isCheckpointNext || keyframes.nextSequence <= event.sequence { compareStored(&check, &keyframes) }
  }

  /// Compares the checkpoint and the keyframe at the replay's position, and notes those that the replay passed over.
  ///
  /// - Parameter restored: A keyframe whose state is already restored.
  @usableFromInline
  func compareStored(
    _ check: inout Check<Machine>, _ keyframes: inout KeyframesInOrder, restored: RestoredKeyframe? = nil
  ) {
    if check.isCheckpointNext { compareCheckpoint(&check) }
    while let found = keyframes.current, found.sequence <= check.replay.sequence {
      let digest = restored.flatMap { $0.keyframe == found ? $0.digest : nil }
      check.compare(found, restored: digest) { () throws(CheckpointRefusal) in
        guard let file = keyframes.file else { throw .eventMissing }
        return try Self.body(in: file, of: found)
      }
      keyframes.advance(noting: &check)
    }
  }

  @usableFromInline
  func compareCheckpoint(_ check: inout Check<Machine>) {
    check.compareCheckpoint { (found) throws(CheckpointRefusal) in try body(of: found) }
  }

  // MARK: - On several threads

  /// Folds a stretch into a part of the check.
  @inlinable
  func fold(_ stretch: ReplayPartition.Stretch, _ part: inout Check<Machine>) throws(HistoryError) {
    try stretch.forEachEvent { (event) throws(HistoryError) in
      try part.fold(event)
      if part.isCheckpointNext { compareCheckpoint(&part) }
    }
  }

  /// Takes over what was found in the next stretch, or folds it.
  @inlinable
  func foldNext(
    of ahead: CheckAhead<Machine>, _ check: inout Check<Machine>, _ keyframes: inout KeyframesInOrder
  ) throws(HistoryError) {
    guard let stretch = ahead.adoptNext(&check, &keyframes) else { return }
    do throws(HistoryError) {
      try stretch.forEachEvent { (event) throws(HistoryError) in try fold(event, &check, &keyframes) }
    } catch {
      ahead.drop()
      throw error
    }
  }

  @usableFromInline var processorCount: Int { reader.fileSystem.processorCount }
}
