import Journal

/// Somebody who reads on while a journal is written, over rotations and reopenings.
final class Follower {
  let limit: ReadLimit
  /// The last event that it saw.
  private(set) var position: Int
  private var follower: JournalFollower?

  init(after position: Int, upTo limit: ReadLimit) {
    self.position = position
    self.limit = limit
  }

  /// Forgets what it has open: its process ended, or the power was cut.
  func stop() { follower = nil }

  /// Begins again on what is left. What was not durable may be gone.
  func restart(after last: Int) { position = min(position, last) }

  /// Reads everything that there is by now, and says what is wrong with it.
  func read(_ events: [[UInt8]], durable: Int, on fileSystem: RecordingFileSystem) throws(JournalError) -> String? {
    if follower == nil {
      let reader = try JournalReader(path: Workload.path, fileSystem: fileSystem)
      follower = try reader.follow(after: UInt64(position), upTo: limit, beyondDamage: false)
      // Whoever begins at the front begins with what is kept.
      if position == 0 { position = Int(reader.retirement?.firstSequence ?? 1) - 1 }
    }
    while let item = try follower?.nextIfThere() {
      switch item {
      case .finding(let finding):
        guard finding.isDamage, finding.file != "HEAD" else { continue }
        return "a follower is told of damage: \(finding)"
      case .event(let event):
        guard event.sequence == UInt64(position + 1) else {
          return "a follower saw event \(event.sequence) after \(position)"
        }
        guard position < events.count, event.payload.elementsEqual(events[position]) else {
          return "a follower saw an event \(event.sequence) that was never appended"
        }
        position += 1
        if limit == .durable, position > durable {
          return "a follower of durable events saw event \(position), and \(durable) are durable"
        }
      }
    }
    let reachable = limit == .durable ? 0 : events.count
    if position < reachable { return "a follower stops at event \(position) of \(reachable)" }
    return nil
  }
}
