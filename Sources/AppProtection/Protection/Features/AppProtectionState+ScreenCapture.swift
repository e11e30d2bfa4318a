import EventSourcing

extension AppProtectionState {
  /// The key of the app configuration that turns the block of screen captures off with the value `Disabled`.
  public static let screenCaptureConfigurationKey = "com.microsoft.intune.mam.screencapturecontrol"

  /// Whether the screen may be captured while an account's data is shown.
  ///
  /// - Parameters:
  ///   - account: the account whose data is shown; `nil` for none.
  ///   - configuration: the app configuration's value for ``screenCaptureConfigurationKey``; `nil` uses the account's
  ///     delivered configuration.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func screenCapture(for account: AccountNumber?, configuration: String? = nil) -> Decision<Permission> {
    var explanation = Explanation()
    return screenCapture(for: account, configuration: configuration, explanation: &explanation)
  }

  package func screenCapture(
    for account: AccountNumber?, configuration: String? = nil, explanation: inout Explanation
  ) -> Decision<Permission> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(ScreenCaptureRule.unmanaged, of: account, in: &explanation) }
    guard isSDK(from: SDKVersion(19, 7, 6), or: SDKVersion(20, 2, 1)) else {
      return decide(ScreenCaptureRule.tooOld, in: &explanation)
    }
    let entry = configuration == nil ? disablingEntry(for: account) : nil
    let isDisabled = entry != nil || configuration == "Disabled"
    if policy.switches.contains(.screenCaptureSet) && isSDK(from: SDKVersion(19, 7, 12), or: SDKVersion(20, 4, 0)) {
      let isBlocked = policy.switches.contains(.screenCaptureBlocked)
      if isBlocked, configuration == nil, !settings.app.assumptions.screenCaptureSettingCountsFirst {
        recordUnreadable(
          ScreenCaptureRule.allowedByConfiguration, Self.screenCaptureConfigurationKey, of: account, in: &explanation)
      }
      let rule: ScreenCaptureRule =
        if isBlocked && isDisabled {
          settings.app.assumptions.screenCaptureSettingCountsFirst
            ? .blockedBySettingFirst : .allowedByConfigurationFirst
        } else {
          isBlocked ? .blockedBySetting : .allowedBySetting
        }
      return decide(rule, of: account, in: &explanation)
    }
    if let allowed = decide(
      ScreenCaptureRule.allowedByConfiguration, if: isDisabled,
      .path(
        entry.map { Self.configuredPath(Self.screenCaptureConfigurationKey, in: $0, of: account) }
          ?? (configuration == nil ? unreadablePath(Self.screenCaptureConfigurationKey, of: account) : nil)),
      in: &explanation)
    {
      return allowed
    }
    return decide(
      policy.send == .allApps ? ScreenCaptureRule.sendsToAllApps : .sendsElsewhere, of: account, in: &explanation)
  }

  /// Which of the delivered configurations turns the block off, from 0; `nil` for none. The tenant's default counts
  /// only where no configuration that targets the account has the key.
  private func disablingEntry(for account: AccountNumber?) -> Int? {
    guard let account, let index = configuration.accounts.index(of: account) else { return nil }
    var ofDefault: Int?
    var isTargeted = false
    for (place, entry) in configuration.accounts.records[index].entries.enumerated() {
      guard let value = entry[Self.screenCaptureConfigurationKey] else { continue }
      let isDisabled = value.string == "Disabled"
      if !entry.isDefault && isDisabled { return place }
      if !entry.isDefault { isTargeted = true }
      if entry.isDefault && isDisabled { ofDefault = ofDefault ?? place }
    }
    return isTargeted ? nil : ofDefault
  }

  /// Whether the SDK has a feature that version 19 got with `earlier` and version 20 with `later`.
  private func isSDK(from earlier: SDKVersion, or later: SDKVersion) -> Bool {
    !process.isSDK(before: process.isSDK(before: SDKVersion(20, 0, 0)) ? earlier : later)
  }
}
