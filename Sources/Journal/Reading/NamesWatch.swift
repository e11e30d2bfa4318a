/// Knows whether the names in a journal's directory may be others than when they were listed last, without listing them.
///
/// They are taken for changed after ``JournalChanges/longestWait`` in any case: a file system of another machine may tell
/// of a change late.
struct NamesWatch {
  /// What was known when the names were about to be listed the last time.
  private var listed: (stamp: UInt64, time: UInt64)?

  /// Lists the names if they may have changed, and notes that they were listed; `nil` when they need not be. A listing that
  /// throws is none.
  mutating func listing<Names>(
    at directory: JournalDirectory, _ list: () throws(JournalError) -> Names
  ) throws(JournalError) -> Names? {
    guard let stamp = directory.fileSystem.stampOfNames(in: directory.path) else {
      let names = try list()
      listed = nil
      return names
    }
    // What changes while they are listed is to be found the next time.
    let time = directory.fileSystem.monotonicNanoseconds
    if let listed, listed.stamp == stamp, time &- listed.time < JournalChanges.longestWait { return nil }
    let names = try list()
    listed = (stamp, time)
    return names
  }
}
