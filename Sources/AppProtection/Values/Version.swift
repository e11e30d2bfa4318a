/// The versions of this library (`IntuneMAMVersionInfo`).
public enum Version {
  /// That of the package and of `pj`: major, minor and patch.
  public static let package = "0.1.0"
  /// That of the SDK whose names, numbers and rules the library has; an app says which one's rules apply to it
  /// (``ProcessStart/sdkVersion``).
  public static let sdk = "19.2.0"
}
