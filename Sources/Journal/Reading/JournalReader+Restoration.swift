extension JournalReader {
  /// Whether the first event that a finding calls lost can be read by now, because somebody put the files back from a copy.
  ///
  /// A cursor or follower that served the finding left those events out, and does not go back to them. The journal is
  /// opened once more for this, and the segment that holds the event is read up to it.
  ///
  /// - Returns: `false` also when the finding names no event, when the journal cannot be read, and when another one stands
  ///   in its place.
  public func isRestored(_ finding: Finding) -> Bool {
    guard let lost = finding.lostEvents?.lowerBound, lost > 0 else { return false }
    do throws(JournalError) {
      let reader = try JournalReader(path: directory.path, fileSystem: fileSystem)
      guard reader.identity.id == identity.id else { return false }
      var cursor = try reader.cursor(after: lost - 1)
      while let item = try cursor.next() {
        if case .event(let event) = item { return event.sequence == lost }
      }
      return false
    } catch {
      return false
    }
  }
}
