import EventSourcing

extension AppProtectionState {
  /// The key of the app configuration that has Edge open web links where the policy requires a protected browser and names
  /// none. The keys that begin with `com.microsoft.intune.mam.managedbrowser.` are settings of that browser, and steer
  /// nothing here.
  public static let edgeConfigurationKey = "com.microsoft.intune.useEdge"

  /// In which browser an account's web links open (`isManagedBrowserRequired`).
  ///
  /// - Parameter account: the account that owns the link; `nil` for none.
  /// - Returns: ``LinkOutcome/allowed`` for any browser, with the rule that settled it. Allocates nothing where the policy
  ///   names the browser, or requires none.
  public func browser(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return browser(for: account, explanation: &explanation)
  }

  /// In which browser an account's web links open, with every rule that was evaluated and every field it read.
  public func browser(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return LinkRule.browserUnmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    return browser(policy, explanation: &explanation)
  }

  func browser(_ policy: EffectivePolicy, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let account = policy.account
    let isRequired = policy.switches.contains(.browserRequired)
    let required = settingRead("managedBrowserToOpenLinksRequired", of: account, in: explanation)
    guard isRequired else {
      let sendsNothing = policy.send != .allApps && policy.send != .managedApps
      return (sendsNothing ? LinkRule.anyBrowserWithoutSending : .anyBrowser).settles(
        "\(Self.shown(account))'s policy requires a browser", false,
        reads: (sendsNothing
          ? assumptionRead("webLinksFollowBrowserRule", settings.app.assumptions.webLinksFollowBrowserRule) : [])
          + required, in: &explanation)
    }
    explanation.evaluate(
      "browser.required", "\(Self.shown(account))'s policy requires a browser", true, reads: required)
    if policy.switches.contains(.edge) {
      return LinkRule.edge.settles(
        "the browser is Edge", true, reads: settingRead("managedBrowser", of: account), in: &explanation)
    }
    let hasScheme = policy.switches.contains(.customBrowser)
    if !hasScheme, let entry = entryForEdge(of: account) {
      let path = "/configuration/\(Self.shown(account))/\(entry + 1)/values/\(Self.edgeConfigurationKey)"
      return LinkRule.edgeByConfiguration.settles(
        "the app configuration chooses Edge", true, reads: shown(at: path), in: &explanation)
    }
    return (hasScheme ? LinkRule.customBrowser : .protectedBrowser).settles(
      "the policy gives the browser's scheme", hasScheme, reads: settingRead("customBrowserProtocol", of: account),
      in: &explanation)
  }

  /// Which of the delivered configurations chooses Edge, from 0; `nil` where none does. The first one that targets the account
  /// and has the key counts, the tenant's default only where there is none.
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

  private func shown(at path: String) -> [Explanation.Read] {
    if case .value(let value)? = tree(at: path) { return [.init(path, value)] }
    return [.init(path, .unset)]
  }

  /// With which apps an account may dial.
  ///
  /// - Parameter account: the account that owns the number; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func dialer(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return dialer(for: account, explanation: &explanation)
  }

  /// With which apps an account may dial, with every rule that was evaluated and every field it read.
  public func dialer(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return LinkRule.dialerUnmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    guard !process.isSDK(before: SDKVersion(12, 7, 0)) else {
      return LinkRule.dialerTooOld.settles(
        "the SDK knows the rules of dialers", false, reads: sdkRead(), in: &explanation)
    }
    let rule: LinkRule =
      switch policy.dialer {
      case .allApps: .anyDialer
      case .managedApps: .managedDialer
      case .customApp: .customDialer
      case .blocked, .unrecognized: .noDialer
      }
    return rule.settles(
      "\(Self.shown(account)) may dial", rule != .noDialer, reads: settingRead("dialerRestrictionLevel", of: account),
      in: &explanation)
  }

  /// With which apps an account may begin a message.
  ///
  /// - Parameter account: the account that owns the address; `nil` for none.
  /// - Returns: the outcome with the rule that settled it. Allocates nothing.
  public func messaging(for account: AccountNumber?) -> Decision<LinkOutcome> {
    var explanation = Explanation()
    return messaging(for: account, explanation: &explanation)
  }

  /// With which apps an account may begin a message, with every rule that was evaluated and every field it read.
  public func messaging(for account: AccountNumber?, explanation: inout Explanation) -> Decision<LinkOutcome> {
    let policy = effectivePolicy(for: account, explanation: &explanation)
    guard policy.isManaged else {
      return LinkRule.messagingUnmanaged.settles("\(Self.shown(account)) is unmanaged", true, in: &explanation)
    }
    guard !process.isSDK(before: SDKVersion(19, 0, 0)) else {
      return LinkRule.messagingTooOld.settles(
        "the SDK knows the rules of messages", false, reads: sdkRead(), in: &explanation)
    }
    let rule: LinkRule =
      switch policy.messaging {
      case .anyApp: .anyMessagingApp
      case .anyManagedApp: .managedMessagingApp
      case .specificApps: .customMessagingApp
      case .blocked, .unrecognized: .noMessagingApp
      }
    return rule.settles(
      "\(Self.shown(account)) may begin a message", rule != .noMessagingApp,
      reads: settingRead("protectedMessagingRedirectAppType", of: account), in: &explanation)
  }
}
