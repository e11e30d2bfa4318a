/// Knows, without listing them, whether the names in a journal's directory may have changed since the last listing.
///
/// It assumes a change after ``JournalChanges/longestWait`` in any case: a network file system may report a change
/// late.
struct NamesWatch {
  /// The stamp taken just before the last listing.
  private var listed: (stamp: UInt64, time: UInt64)?

  /// Lists the names if they may have changed, and records the listing; `nil` when no listing is needed. A listing
  /// that throws does not count.
  mutating func listing<Names>(
    at directory: JournalDirectory, _ list: () throws(JournalError) -> Names
  ) throws(JournalError) -> Names? {
    guard let stamp = directory.fileSystem.stampOfNames(in: directory.path) else {
      let names = try list()
      listed = nil
      return names
    }
    // The next call must find what changes during the listing.
    let time = directory.fileSystem.monotonicNanoseconds
    if let listed, listed.stamp == stamp, time &- listed.time < JournalChanges.longestWait { return nil }
    let names = try list()
    listed = (stamp, time)
    return names
  }
}
