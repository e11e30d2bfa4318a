/// Why nothing of an archive counts.
public enum ArchiveError: Error, Equatable, Sendable {
  /// The system has no memory for a reader.
  case outOfMemory
  /// It is no archive, with the words of libarchive, in which bytes of the file may be.
  case notAnArchive(String)
  /// It is compressed in a way that this build of libarchive lacks.
  case lacksCompression(String)
  /// It has more entries than this.
  case entries(Int)
  /// The files that are wanted have more bytes than this.
  case content(Int)
  /// It unpacks to more bytes than this.
  case stream(Int)
  /// Each of its bytes unpacks to more than this many.
  case ratio(Int)
}
