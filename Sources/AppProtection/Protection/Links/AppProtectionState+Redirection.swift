import EventSourcing

extension AppProtectionState {
  /// The key of the app configuration that has Edge open web links where the policy requires a protected browser and
  /// names none. The keys that begin with `com.microsoft.intune.mam.managedbrowser.` are settings of that browser, and
  /// have no effect here.
  public static let edgeConfigurationKey = "com.microsoft.intune.useEdge"

  /// The browser in which an account's web links open (`isManagedBrowserRequired`).
  ///
  /// - Parameter account: the account that owns the link; `nil` for none.
  /// - Returns: ``LinkOutcome/allowed`` for any browser, with the rule that settled it. Allocates nothing where the policy
  ///   names the browser, or requires none.
  public func browser(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return browser(for: account, explanation: &explanation)
  }

  package func browser(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(RedirectionRule.browserUnmanaged, of: account, in: &explanation) }
    return browser(policy, explanation: &explanation)
  }

  func browser(_ policy: EffectivePolicy, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let account = policy.account
    guard policy.switches.contains(.browserRequired) else {
      let sendsNothing = policy.send != .allApps && policy.send != .managedApps
      return decide(
        sendsNothing ? RedirectionRule.anyBrowserWithoutSending : .anyBrowser, of: account, in: &explanation)
    }
    check(.policyRequiresBrowser, true, of: account, in: &explanation)
    if policy.switches.contains(.edge) { return decide(RedirectionRule.edge, of: account, in: &explanation) }
    let hasScheme = policy.switches.contains(.customBrowser)
    if !hasScheme, let entry = entryForEdge(of: account) {
      return decide(
        RedirectionRule.edgeByConfiguration,
        .path(Self.configuredPath(Self.edgeConfigurationKey, in: entry, of: account)), in: &explanation)
    }
    if !hasScheme {
      recordUnreadable(
        RedirectionRule.edgeByConfiguration, Self.edgeConfigurationKey, of: account, in: &explanation)
    }
    return decide(
      hasScheme ? RedirectionRule.customBrowser : .protectedBrowser, of: account, in: &explanation)
  }

  /// Which of the delivered configurations chooses Edge, from 0; `nil` if none does. The first one that targets the
  /// account and has the key counts; the tenant's default counts only without one.
  private func entryForEdge(of account: AccountNumber?) -> Int? {
    guard let account, let index = configuration.accounts.index(of: account) else { return nil }
    let entries = configuration.accounts.records[index].entries
    func place(isDefault: Bool) -> Int? {
      entries.firstIndex { $0.isDefault == isDefault && $0[Self.edgeConfigurationKey] != nil }
    }
    guard let place = place(isDefault: false) ?? place(isDefault: true) else { return nil }
    let value = entries[place][Self.edgeConfigurationKey]
    return value?.bool(convertsText: settings.app.assumptions.configurationTextConverts) == true ? place : nil
  }

  /// The apps with which an account may dial.
  ///
  /// - Parameter account: the account that owns the number; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func dialer(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return dialer(for: account, explanation: &explanation)
  }

  package func dialer(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(RedirectionRule.dialerUnmanaged, of: account, in: &explanation) }
    guard !process.isSDK(before: SDKVersion(12, 7, 0)) else {
      return decide(RedirectionRule.dialerTooOld, in: &explanation)
    }
    let rule: RedirectionRule =
      switch policy.dialer {
      case .allApps: .anyDialer
      case .managedApps: .managedDialer
      case .customApp: .customDialer
      case .blocked, .unrecognized: .noDialer
      }
    return decide(rule, of: account, in: &explanation)
  }

  /// The apps with which an account may start a message.
  ///
  /// - Parameter account: the account that owns the address; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func messaging(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return messaging(for: account, explanation: &explanation)
  }

  package func messaging(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else { return decide(RedirectionRule.messagingUnmanaged, of: account, in: &explanation) }
    guard !process.isSDK(before: SDKVersion(19, 0, 0)) else {
      return decide(RedirectionRule.messagingTooOld, in: &explanation)
    }
    let rule: RedirectionRule =
      switch policy.messaging {
      case .anyApp: .anyMessagingApp
      case .anyManagedApp: .managedMessagingApp
      case .specificApps: .customMessagingApp
      case .blocked, .unrecognized: .noMessagingApp
      }
    return decide(rule, of: account, in: &explanation)
  }
}
