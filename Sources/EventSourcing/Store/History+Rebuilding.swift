import Journal

extension History {
  /// Replays the history from nothing and replaces the journal's keyframes.
  ///
  /// Only the side file of keyframes is written, and it replaces the old one once complete. The states follow this
  /// program's rules; ``check()`` says whether they match the writer's.
  ///
  /// - Parameter interval: The number of events between two keyframes, at least 1; larger if the state is large.
  /// - Returns: The number of keyframes written.
  /// - Throws: ``HistoryError`` if the replay cannot reach the end, another process is writing the journal, or the file
  ///   cannot be written. The old keyframes are then kept.
  @discardableResult
  public func rebuildKeyframes(every interval: UInt64 = StoreOptions().keyframeInterval) throws(HistoryError) -> Int {
    var start = try origin()
    var digester = StateDigester<Machine.State>()
    var schedule = KeyframeSpacing(every: max(1, interval), after: start.replay.sequence)
    var count = 0
    var replacement = try HistoryError.translating(try KeyframeReplacement(reader))
    try forEachRaw(after: start.replay.sequence) { (event) throws(HistoryError) in
      try start.fold(event)
      guard start.replay.sequence >= schedule.due else { return }
      let replay = start.replay
      let body = StateCheckpoint(
        keyframeOf: replay.state, digest: digester.digest(of: replay.state), window: start.window,
        lacking: replay.leftOut, by: Machine.self
      ).encode()
      try HistoryError.translating(try replacement.append(sequence: replay.sequence, chain: replay.chain, body: body))
      count += 1
      schedule.advance(after: replay.sequence, bodyLength: body.count)
    }
    try HistoryError.translating(try replacement.install())
    return count
  }
}
