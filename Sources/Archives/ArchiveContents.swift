/// Files of a zip or tar file, read in memory, within limits. No name in it becomes the name of a file anywhere: the caller
/// recognises those of the files that it wants.
public struct ArchiveContents: Sendable {
  /// What becomes of an entry.
  public enum Choice: Sendable {
    /// It is read.
    case wanted
    /// It is left out, and counted.
    case other
    /// It is left out, as if it were not there.
    case unmentioned
  }

  /// Why not everything could be read.
  public enum Loss: Equatable, Sendable {
    /// The archive is damaged or cut short, in the words of libarchive.
    case damaged(String)
    /// This file of it cannot be read to its end, in the words of libarchive.
    case file(String, String)
    /// Nothing says where this entry ends: it is a folder, a link or a special file of a zip file without directory.
    case unknownEnd(String)
  }

  /// A file that is wanted and not read.
  public struct UnreadFile: Equatable, Sendable {
    /// Its path in the archive.
    public var path: String
    /// Why it is not read.
    public var reason: String
  }

  /// The files that are wanted, by their folder in the archive and their names.
  public internal(set) var files: [String: [String: [UInt8]]] = [:]
  /// What is wanted and is not read.
  public internal(set) var refused: [UnreadFile] = []
  /// The paths of the first entries that are left out.
  public internal(set) var others: [String] = []
  /// How many entries are left out.
  public internal(set) var otherCount = 0
  /// Why not everything could be read; `nil` if it could.
  public internal(set) var loss: Loss?

  init() {}

  /// The endings of the archives that are read.
  package static let endings = [".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.zst"]

  /// Whether a file begins as one of the kinds that are read.
  public static func mayBeArchive(_ beginning: [UInt8]) -> Bool {
    let zips: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]
    let isTar = beginning.count > 262 && beginning[257..<262].elementsEqual("ustar".utf8)
    return isTar || (zips + ArchiveFilter.all.map(\.beginning)).contains { beginning.starts(with: $0) }
  }

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - limits: How much of it is read.
  ///   - keepsParts: Whether a file that cannot be read to its end counts as far as it can be.
  ///   - choose: Says what becomes of an entry, by its name and the folders around it. Folders themselves are not counted.
  /// - Throws: An error where nothing in it can be read, or it exceeds the limits.
  public init(
    _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits(), keepsParts: Bool,
    choose: @escaping (_ name: String, _ folders: [String]) -> Choice
  ) throws(ArchiveError) {
    var reader = ArchiveReader(size: bytes.count, limits: limits, keepsParts: keepsParts, choose: choose)
    let error = UnicodeNames.use { bytes.withUnsafeBytes { reader.read($0) } }
    if let error { throw error }
    self = reader.contents
  }
}
