/// How data gets from one app to another.
public enum TransferSurface: String, CaseIterable, Sendable {
  /// By a way that the app offers itself, and can leave out.
  case app
  /// By Open-In, which the app cannot forbid.
  case openIn
  /// By a share extension, which the app cannot forbid on a device without management.
  case shareExtension
}
