/// How much of an archive is read.
public struct ArchiveLimits: Sendable {
  /// The most entries.
  public var entries = 10_000
  /// The most bytes of the files that are wanted.
  public var contentBytes = 512 << 20
  /// The most bytes of one of them.
  public var fileBytes = Int.max
  /// The most bytes that are decompressed, those of entries that are left out included.
  public var streamBytes = 4 << 30
  /// The most decompressed bytes for each byte of the archive, once there are more than ``freeBytes``.
  public var ratio = 200
  /// A segment of a journal may end with 64 MiB of zeros, which compress to nothing: as much as two of them is never too much.
  public var freeBytes = 128 << 20
  /// The most folders around a file.
  public var depth = 8
  /// The most bytes of a path.
  public var pathBytes = 4096

  /// The limits that apply unless others are given.
  public init() {}
}
