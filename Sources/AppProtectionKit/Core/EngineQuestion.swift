import AppProtection

/// A question to the app without a corresponding callback event, as reported to an ``EngineObserver``.
public enum EngineQuestion: String, CaseIterable, Sendable {
  /// Which managed account to keep: the one that registers or the existing one.
  case chooseAccount
  /// Which account signs in.
  case askLogin
  /// The postponed restart is due.
  case restartOverdue

  /// The words after the name in the text passed to the observer.
  public var parameters: [LabelParameter] {
    switch self {
    case .chooseAccount: [.account, .account]
    case .askLogin: []
    case .restartOverdue: [.restartReason]
    }
  }
}
