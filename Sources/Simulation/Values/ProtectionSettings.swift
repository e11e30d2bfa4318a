import AppProtection

/// The settings of an app's property list that decide about data and that no event records: an app passes them with each
/// question.
public struct ProtectionSettings: Equatable, Sendable {
  /// The strongest file protection that the app supports (`MaxFileProtectionLevel`); `nil` for any.
  public var maximumFileProtection: FileProtectionClass?
  /// Whether web views count as unmanaged unless set otherwise (`TreatAllWebViewsAsUnmanaged`).
  public var treatsAllWebViewsAsUnmanaged = false

  /// Without limits.
  public init() {}
}
