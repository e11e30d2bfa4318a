import AppProtection

/// A question to the app that no event announces as a callback, as an ``EngineObserver`` hears of it.
public enum EngineQuestion: String, CaseIterable, Sendable {
  /// Which managed account the user keeps: the one that registers, or the one there is.
  case chooseAccount
  /// Who signs in.
  case askLogin
  /// The restart that was postponed is due.
  case restartOverdue

  /// The words after the name in the observer's text.
  public var parameters: [LabelParameter] {
    switch self {
    case .chooseAccount: [.account, .account]
    case .askLogin: []
    case .restartOverdue: [.restartReason]
    }
  }
}
