/// The on-disk format that this program writes, and up to whose minor version it knows everything.
public enum JournalFormat {
  /// The version as people write it: major and minor number.
  public static var version: String { "\(Format.majorVersion).\(Format.minorVersion)" }
}
