/// The versions of this library (`IntuneMAMVersionInfo`).
public enum Version {
  /// That of the package and of `pj`: major, minor and patch.
  public static let package = "0.1.0"
  /// That of the SDK whose names and numbers the library has.
  public static let sdk = "19.2.0"
  /// That of the newest SDK whose rules the library has. Some rules came with a release: which of them apply follows from what
  /// an app says (``ProcessStart/sdkVersion``).
  public static let rules = "20.4.0"
}
