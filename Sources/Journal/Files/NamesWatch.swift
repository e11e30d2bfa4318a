/// Knows whether the names in a journal's directory may be others than when they were listed last, without listing them.
///
/// They are taken for changed after ``JournalChanges/longestWait`` in any case: a file system of another machine may tell
/// of a change late.
struct NamesWatch {
  /// What was known when the names were about to be listed.
  struct Look {
    fileprivate var stamp: UInt64?
    fileprivate var time: UInt64
    /// Whether they are to be listed.
    var isDue: Bool
  }

  private var listed: (stamp: UInt64, time: UInt64)?

  /// Asks before the names are listed, if they are to be.
  func look(at directory: JournalDirectory) -> Look {
    guard let stamp = directory.fileSystem.stampOfNames(in: directory.path) else {
      return Look(stamp: nil, time: 0, isDue: true)
    }
    let time = directory.fileSystem.monotonicNanoseconds
    let isKnown = listed.map { $0.stamp == stamp && time &- $0.time < JournalChanges.longestWait } ?? false
    return Look(stamp: stamp, time: time, isDue: !isKnown)
  }

  /// Notes that the names were listed after a look.
  mutating func note(_ look: Look) {
    listed = look.stamp.map { ($0, look.time) }
  }
}
