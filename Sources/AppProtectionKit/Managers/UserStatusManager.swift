import AppProtection

/// Whether users are at work (`IntuneMAMUserStatusManager`).
///
/// ```swift
/// let status = engine.userStatus.status(of: alice)
/// if status.clockStatus == .clockedOut { hideShifts() }
/// ```
public struct UserStatusManager: Sendable {
  /// What the directory last said of a user.
  public struct Status: Equatable, Sendable {
    /// Whether the user is at work.
    public let clockStatus: ClockStatus
    /// Whether the account is disabled.
    public let isDisabled: Bool
  }

  let engine: PolicyEngine

  /// The status of an account's user: not configured and enabled if nothing is known.
  public func status(of account: AccountReference) -> Status {
    let state = engine.state
    let record = state.account(for: account).flatMap { state.launch.accounts[$0.account] }
    return Status(clockStatus: record?.clockStatus ?? .notConfigured, isDisabled: record?.isDisabled ?? false)
  }
}

extension PolicyEngine {
  /// Whether users are at work.
  public var userStatus: UserStatusManager { UserStatusManager(engine: self) }
}
