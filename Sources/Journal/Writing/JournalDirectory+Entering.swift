extension JournalDirectory {
  /// Makes names in the directory last that were put there with success.
  func syncNames(for file: String) throws(JournalError) {
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(path)
    } catch {
      throw JournalError.system(error, file: file)
    }
  }

  /// Makes a segment's name last of which nothing proves that it does.
  ///
  /// Syncing the directory alone would prove nothing: the sync of a process that ended may have failed, and the system
  /// have dropped the entry from what it still has to write. So the file is moved, which makes an entry that is to be
  /// written, and moved back. The name in between is one that readers know, and no segment's otherwise: whatever a power
  /// cut leaves, the segment counts.
  ///
  /// - Parameter taken: the names of all segment files.
  func enterAgain(_ entry: SegmentEntry, besides taken: Set<String>) throws(JournalError) {
    var other = entry.name
    other.ordinal = 0
    // Moving a file to its own name does nothing. The name without a number may be another segment's too, and the one
    // with it; so high a number is none's, but for a process that died in here, and left this file with it.
    if other == entry.name || taken.contains(other.text) { other.ordinal = entry.header.ordinal }
    while other == entry.name || taken.contains(other.text) { other.ordinal += SegmentName.step }
    do throws(FileSystemError) {
      try fileSystem.rename(path(of: entry.file), to: path(of: other.text))
      try fileSystem.rename(path(of: other.text), to: path(of: entry.file))
    } catch {
      throw JournalError.system(error, file: entry.file)
    }
    try syncNames(for: entry.file)
  }

  /// The same for a file that is put in place as a whole: it is put there once more, with the bytes that it has.
  ///
  /// - Parameter limit: the most bytes that it may have.
  func installAgain(_ name: String, limit: Int) throws(JournalError) {
    guard let (bytes, length) = try read(name, limit: limit), UInt64(bytes.count) == length else { return }
    fileSystem.close(try install(name, bytes))
  }
}
