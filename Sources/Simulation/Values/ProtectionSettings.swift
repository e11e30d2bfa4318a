import AppProtection
import AppProtectionInsight

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

extension ProtectionQuestion {
  /// The question as an app with these settings asks it: they decide where it leaves them open.
  public func asked(with settings: ProtectionSettings) -> ProtectionQuestion {
    switch self {
    case .fileProtection(let account, maximum: nil):
      return .fileProtection(account, maximum: settings.maximumFileProtection)
    case .webView(var view):
      view.treatsAllAsUnmanaged = view.treatsAllAsUnmanaged || settings.treatsAllWebViewsAsUnmanaged
      return .webView(view)
    default: return self
    }
  }
}
