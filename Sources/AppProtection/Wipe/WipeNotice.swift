/// What a user is told about a wipe: one of four wordings, each with the number of the reason.
public struct WipeNotice: Equatable, Sendable {
  /// How the notice is worded.
  public enum Wording: CaseIterable, Sendable {
    /// The data is gone, and the app restarts.
    case wipedWithRestart
    /// The data is gone.
    case wiped
    /// The data goes at the next launch: the process that was to remove it did not finish.
    case wipedAtNextLaunch
    /// The data is gone for a reason that has a text of its own.
    case wipedForReason
  }

  /// How the notice is worded.
  public let wording: Wording
  /// The number of the reason that the notice shows.
  public let reason: UInt32
}

extension AppProtectionState {
  /// What the user is told about the account's last wipe; `nil` when there was none.
  public func wipeNotice(for account: AccountNumber) -> WipeNotice? {
    guard let wipe = wipes[account] else { return nil }
    let isUnpublished = wipe.reason.rawValue < WipeReason.firstPublished
    let hidesReason = settings.app.assumptions.unpublishedWipeReason == .unspecified && isUnpublished
    let reason = hidesReason ? WipeReason.unspecified.rawValue : wipe.reason.rawValue
    let wording: WipeNotice.Wording =
      if wipe.phase == .requested || wipe.phase == .removingFiles {
        .wipedAtNextLaunch
      } else if process.restart?.account == account {
        .wipedWithRestart
      } else if wipe.reason == .offlineInterval || wipe.reason == .conditionalLaunch {
        .wipedForReason
      } else {
        .wiped
      }
    return WipeNotice(wording: wording, reason: reason)
  }
}
