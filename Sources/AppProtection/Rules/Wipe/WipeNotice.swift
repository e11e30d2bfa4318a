/// A notice to the user about a wipe: one of four wordings, each with the reason's number.
public struct WipeNotice: Equatable, Sendable {
  /// How the notice is worded.
  public enum Wording: CaseIterable, Sendable {
    /// The data is gone, and the app restarts.
    case wipedWithRestart
    /// The data is gone.
    case wiped
    /// The data is removed at the next launch, because the process that was removing it did not finish.
    case wipedAtNextLaunch
    /// The data is gone for a reason with its own text.
    case wipedForReason
  }

  /// How the notice is worded.
  public let wording: Wording
  /// The number of the reason that the notice shows.
  public let reason: UInt32
}

extension AppProtectionState {
  /// The notice about the account's last wipe; `nil` if it was never wiped.
  public func wipeNotice(for account: AccountNumber) -> WipeNotice? {
    guard let wipe = wipes[account] else { return nil }
    let hidesReason = settings.app.assumptions.unpublishedWipeReason == .unspecified && !wipe.reason.isPublished
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
