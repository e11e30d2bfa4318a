/// A file or folder among many, in the order in which they are read.
public struct FleetPlace: Equatable, Comparable, Sendable {
  /// Which of the named files and folders it lies in, from 0.
  public var folder: Int
  /// Its place below that one; `.` for that one itself.
  public var path: String

  /// A place.
  public init(folder: Int, path: String) { (self.folder, self.path) = (folder, path) }

  /// The order of a walk through folders whose names are sorted by their bytes: `a/z` comes before `a.zip`.
  public static func < (one: Self, other: Self) -> Bool {
    guard one.folder == other.folder else { return one.folder < other.folder }
    return one.path.utf8.lazy.map(ranked).lexicographicallyPrecedes(other.path.utf8.lazy.map(ranked))
  }

  /// A slash ends a name, and so comes before every other byte.
  private static func ranked(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "/") ? 0 : byte }
}
