import Journal

extension History {
  /// Replays the history from nothing and writes the journal's keyframes anew, in the place of those that are there.
  ///
  /// Only the side file of keyframes is written, and it is put in its place when it is complete. The states are what the
  /// rules of this program give; ``check()`` says whether those are the writer's.
  ///
  /// - Parameter interval: How many events lie between two keyframes, at least 1; more where the state is large.
  /// - Returns: How many keyframes were written.
  /// - Throws: ``HistoryError`` when the replay cannot get to the end, when somebody writes the journal, or when the file
  ///   cannot be written. The old keyframes are kept then.
  @discardableResult
  public func rebuildKeyframes(every interval: UInt64 = StoreOptions().keyframeInterval) throws(HistoryError) -> Int {
    var start = try origin()
    var digester = StateDigester<Machine.State>()
    var schedule = KeyframeSpacing(every: max(1, interval), after: start.replay.sequence)
    var count = 0
    var replacement: KeyframeReplacement
    do throws(JournalError) {
      replacement = try KeyframeReplacement(reader)
    } catch {
      throw .journal(error)
    }
    try forEachRaw(after: start.replay.sequence) { (event) throws(HistoryError) in
      try start.fold(event)
      guard start.replay.sequence >= schedule.due else { return }
      let replay = start.replay
      let body = StateCheckpoint(
        keyframeOf: replay.state, digest: digester.digest(of: replay.state), window: start.window, by: Machine.self
      ).encode()
      do throws(JournalError) {
        try replacement.append(sequence: replay.sequence, chain: replay.chain, body: body)
      } catch {
        throw .journal(error)
      }
      count += 1
      schedule.advance(after: replay.sequence, bodyLength: body.count)
    }
    do throws(JournalError) {
      try replacement.install()
    } catch {
      throw .journal(error)
    }
    return count
  }
}
