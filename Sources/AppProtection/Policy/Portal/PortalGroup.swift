/// The headings of the administration portal's pages, in its order.
public enum PortalGroup: String, Sendable, CaseIterable {
  /// The policy's name.
  case basics = "Basics"
  /// The apps and devices.
  case apps = "Apps"
  /// Where data may go.
  case dataTransfer = "Data protection: Data Transfer"
  /// How data at rest is protected.
  case encryption = "Data protection: Encryption"
  /// Functions that may move data out of the app.
  case functionality = "Data protection: Functionality"
  /// Access requirements for the user.
  case access = "Access requirements"
  /// Conditions on the app and its account.
  case appConditions = "Conditional launch: App conditions"
  /// Conditions on the device.
  case deviceConditions = "Conditional launch: Device conditions"
  /// The groups.
  case assignments = "Assignments"
  /// Settings that no page for iOS policies shows.
  case other = "Not in the portal for iOS"
}
