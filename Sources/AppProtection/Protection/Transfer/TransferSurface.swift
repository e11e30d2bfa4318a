/// How data moves from one app to another.
public enum TransferSurface: String, CaseIterable, Sendable {
  /// By a means that the app offers itself, and can omit.
  case app
  /// By Open-In, which the app cannot forbid.
  case openIn
  /// By a share extension, which the app cannot forbid on a device without management.
  case shareExtension
}
