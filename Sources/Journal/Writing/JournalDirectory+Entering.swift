extension JournalDirectory {
  /// Makes names in the directory durable that were created successfully.
  func syncNames(for file: String) throws(JournalError) {
    try JournalError.translating(file: file, try fileSystem.syncDirectory(path))
  }

  /// Makes a segment's name durable when nothing proves that it is.
  ///
  /// Syncing the directory alone would prove nothing: the sync of a process that has ended may have failed, and the
  /// system may have dropped the entry from what it still has to write. So the file is renamed, which makes an entry
  /// that must be written, and renamed back. Readers know the name in between, and no other segment uses it: after a
  /// power cut the segment counts in any case.
  ///
  /// - Parameter taken: the names of all segment files.
  func enterAgain(_ entry: SegmentEntry, besides taken: Set<String>) throws(JournalError) {
    var other = entry.name
    other.ordinal = 0
    // Renaming a file to its own name does nothing. Another segment may use the name without a number, or the one
    // with it. Only a process that died in this function uses so high a number, and it left this very file with it.
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

  /// Does the same for a file that is installed as a whole: it is installed once more, with the bytes that it has.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  func installAgain(_ name: String, limit: Int) throws(JournalError) {
    guard let (bytes, length) = try read(name, limit: limit), UInt64(bytes.count) == length else { return }
    fileSystem.close(try install(name, bytes))
  }
}
