extension JournalReader {
  /// Whether the first event that a finding calls lost can be read by now, because the files were restored from a
  /// copy.
  ///
  /// A cursor or follower that served the finding left those events out, and does not go back to them. This opens the
  /// journal again and reads the segment that holds the event up to it.
  ///
  /// - Returns: `false` also when the finding names no event, when the journal cannot be read, and when the owner gave
  ///   the event up and continued before it, so that another event has its number.
  public func isRestored(_ finding: Finding) -> Bool {
    guard let lost = finding.lostEvents?.lowerBound, lost > 0 else { return false }
    do throws(JournalError) {
      let reader = try JournalReader(path: directory.path, fileSystem: fileSystem)
      guard reader.identity.id == identity.id, !reader.hasGivenUp(lost, in: finding.file) else { return false }
      var cursor = try reader.cursor(after: lost - 1)
      while let item = try cursor.next() {
        if case .event(let event) = item { return event.sequence == lost }
      }
      return false
    } catch {
      return false
    }
  }

  /// Whether the owner gave up the first event that a finding calls lost, and continued at or before it.
  ///
  /// A cursor or follower that served the finding may then have nothing more to serve, even if more is written. This
  /// opens the journal again.
  ///
  /// - Returns: `false` also when the finding names no event, and when the journal cannot be read.
  public func isGivenUp(_ finding: Finding) -> Bool {
    guard let lost = finding.lostEvents?.lowerBound,
      let reader = try? JournalReader(path: directory.path, fileSystem: fileSystem)
    else { return false }
    return reader.identity.id == identity.id && reader.hasGivenUp(lost, in: finding.file)
  }

  /// Whether a segment after a damaged one begins at or before an event of it, whose number is then another event's.
  private func hasGivenUp(_ sequence: UInt64, in file: String) -> Bool {
    let ordinal = catalog.segments.first { $0.file == file }?.header.ordinal ?? 0
    return catalog.segments.contains {
      $0.header.ordinal > ordinal && $0.header.predecessor.end == .damaged && $0.header.firstSequence <= sequence
    }
  }
}
