import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Features, notifications, keyboards and captures")
struct FeatureTests {
  static let owner = ProtectionSituation.owner
  static let personal = ProtectionSituation.personal

  /// Asks a question both ways, and checks the explanation.
  static func ask<Outcome>(
    _ state: AppProtectionState, sourceLocation: SourceLocation = #_sourceLocation,
    _ question: (AppProtectionState, inout Explanation) -> Decision<Outcome>
  ) throws -> Decision<Outcome> {
    var explanation = Explanation(recording: true)
    let explained = question(state, &explanation)
    var nothing = Explanation()
    #expect(explained == question(state, &nothing) && nothing.steps.isEmpty, sourceLocation: sourceLocation)
    try expectSound(explanation, of: explained, in: state.tree(), sourceLocation: sourceLocation)
    return explained
  }

  /// A setting that blocks each feature, and the settings that do not.
  static let blocking: [ProtectedFeature: @Sendable (inout PolicyDocument) -> Void] = [
    .printing: { $0.surfaces.printBlocked = true },
    .contactSync: { $0.surfaces.contactSyncBlocked = true },
    .widgets: { $0.surfaces.allowWidgetContentSync = false },
    .spotlight: { $0.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps },
    .siri: { $0.dataTransfer.allowedOutboundDataTransferDestinations = .noApps },
    .appSharing: { $0.dataTransfer.allowedOutboundDataTransferDestinations = .unrecognized },
    .backup: { $0.dataTransfer.dataBackupBlocked = true },
    .genmoji: { $0.surfaces.genmojiConfigurationState = .blocked },
    .writingTools: { $0.surfaces.writingToolsConfigurationState = .unknownFutureValue },
  ]

  static let open: @Sendable (inout PolicyDocument) -> Void = {
    $0.dataTransfer.allowedOutboundDataTransferDestinations = .allApps
    $0.dataTransfer.dataBackupBlocked = false
    $0.surfaces.printBlocked = false
    $0.surfaces.contactSyncBlocked = false
    $0.surfaces.allowWidgetContentSync = true
    $0.surfaces.genmojiConfigurationState = .notBlocked
    $0.surfaces.writingToolsConfigurationState = .notBlocked
  }

  @Test("Each feature follows its own setting, and is free without a policy", arguments: ProtectedFeature.allCases)
  func features(_ feature: ProtectedFeature) throws {
    let block = try #require(Self.blocking[feature])
    for change in [Self.open, { _ in }] {
      let allowed = try Self.ask(ProtectionSituation(change).state()) {
        $0.use(feature, for: Self.owner, explanation: &$1)
      }
      #expect(allowed.isAllowed && allowed.rule == "\(feature.rawValue).2")
    }
    var situation = ProtectionSituation {
      Self.open(&$0)
      block(&$0)
    }
    for multiIdentity in [true, false] {
      situation.multiIdentity = multiIdentity
      let blocked = try Self.ask(situation.state()) { $0.use(feature, for: Self.owner, explanation: &$1) }
      let row = feature == .contactSync && multiIdentity ? 4 : 3
      #expect(!blocked.isAllowed && blocked.rule == "\(feature.rawValue).\(row)")
    }
    let personal = try Self.ask(situation.state()) { $0.use(feature, for: Self.personal, explanation: &$1) }
    #expect(personal.isAllowed && personal.rule == "\(feature.rawValue).1")
    for other in ProtectedFeature.allCases where other.setting != feature.setting {
      #expect(situation.state().use(other, for: Self.owner).isAllowed)
    }
  }

  @Test("S-68: notifications say nothing of the organization, unless the app does not support that")
  func notifications() throws {
    for (restriction, isSupported, account, rule, outcome) in [
      (NotificationRestriction?.none, true, Self.owner, "notification.2", NotificationOutcome.shown),
      (.allow, false, Self.owner, "notification.2", .shown),
      (.blockOrganizationalData, true, Self.owner, "notification.4", .genericTextOnly),
      (.blockOrganizationalData, false, Self.owner, "notification.3", .shown),
      (.block, true, Self.owner, "notification.5", .hidden),
      (.block, false, Self.owner, "notification.3", .shown),
      (.unrecognized, true, Self.owner, "notification.5", .hidden),
      (.block, true, Self.personal, "notification.1", .shown),
    ] {
      let situation = ProtectionSituation { $0.surfaces.notificationRestriction = restriction }
      let decision = try Self.ask(situation.state()) {
        $0.notification(for: account, isSupported: isSupported, explanation: &$1)
      }
      #expect(decision.rule == rule && decision.outcome == outcome)
    }
  }

  @Test("S-63: one policy blocks keyboards of other makers for every account of the app")
  func keyboards() throws {
    var situation = ProtectionSituation()
    try expectEqual(Self.ask(situation.state()) { $0.thirdPartyKeyboards(explanation: &$1) }.rule, "keyboard.1")
    situation.colleaguePolicy.surfaces.thirdPartyKeyboardsBlocked = true
    let decision = try Self.ask(situation.state()) { $0.thirdPartyKeyboards(explanation: &$1) }
    #expect(!decision.isAllowed && decision.rule == "keyboard.3")
    expectEqual(
      decision.reason, "a policy that is in force blocks keyboards of other makers, for every account of the app")
    situation.sdk = "12.0.15"
    try expectEqual(Self.ask(situation.state()) { $0.thirdPartyKeyboards(explanation: &$1) }.rule, "keyboard.2")
    situation.sdk = "12.0.16"
    #expect(!situation.state().thirdPartyKeyboards().isAllowed)
    var state = situation.state()
    state.policies.updateAll { $0.isEnforced = false }
    #expect(state.thirdPartyKeyboards().isAllowed, "a policy that waits for a restart blocks nothing")
  }

  @Test("A blocked dictation concerns the account whose policy blocks it, unless that is assumed otherwise")
  func dictation() throws {
    let situation = ProtectionSituation()
    let shared = situation.without(\.dictationBlockIsPerAccount)
    for (state, account, blocking, rule, isAllowed) in [
      (situation.state(), Self.owner, AccountNumber?.none, "dictation.1", true),
      (situation.state(), Self.owner, Self.personal, "dictation.1", true),
      (situation.state(), Self.owner, Self.owner, "dictation.2", false),
      (situation.state(), Self.personal, Self.owner, "dictation.3", true),
      (shared.state(), Self.personal, Self.owner, "dictation.3", false),
    ] {
      let decision = try Self.ask(state) { $0.dictation(for: account, blockedBy: blocking, explanation: &$1) }
      #expect(decision.rule == rule && decision.isAllowed == isAllowed)
      expectEqual(decision.assumption, rule == "dictation.3" ? "dictationBlockIsPerAccount" : nil)
    }
  }

  @Test("S-69: captures follow sending from certain SDKs on, unless the app configuration or the policy says otherwise")
  func screenCapture() throws {
    typealias Setting = FeatureConfigurationState
    let all = DataTransferLevel.allApps
    let managed = DataTransferLevel.managedApps
    for (send, sdk, configuration, setting, rule, isAllowed) in [
      (managed, "20.2.1", String?.none, Setting?.none, "screenCapture.6", false),
      (managed, "20.2.1", "Disabled", nil, "screenCapture.4", true),
      (managed, "20.2.1", "disabled", nil, "screenCapture.6", false),
      (managed, "19.7.5", nil, nil, "screenCapture.2", true),
      (managed, "19.7.6", nil, nil, "screenCapture.6", false),
      (managed, "20.2.0", nil, nil, "screenCapture.2", true),
      (managed, "20.0.0", nil, .blocked, "screenCapture.2", true),
      (all, "20.2.1", nil, nil, "screenCapture.5", true),
      (.noApps, "", nil, nil, "screenCapture.6", false),
      (managed, "19.7.11", nil, .notBlocked, "screenCapture.6", false),
      (managed, "19.7.12", nil, .notBlocked, "screenCapture.3", true),
      (all, "19.7.12", nil, .blocked, "screenCapture.3", false),
      (all, "20.3.9", nil, .blocked, "screenCapture.5", true),
      (all, "20.4.0", nil, .unrecognized, "screenCapture.3", false),
      (all, "20.4.0", "Disabled", .blocked, "screenCapture.3", false),
    ] {
      let situation = Self.capturing(send, sdk, setting)
      let decision = try Self.ask(situation.state()) {
        $0.screenCapture(for: Self.owner, configuration: configuration, explanation: &$1)
      }
      #expect(decision.rule == rule && decision.isAllowed == isAllowed, "\(send) \(sdk) \(String(describing: setting))")
      expectEqual(situation.state().screenCapture(for: Self.personal).rule, "screenCapture.1")
    }
    let other = Self.capturing(.allApps, "20.4.0", .blocked).without(\.screenCaptureSettingCountsFirst)
    let decision = try Self.ask(other.state()) {
      $0.screenCapture(for: Self.owner, configuration: "Disabled", explanation: &$1)
    }
    #expect(decision.isAllowed && decision.rule == "screenCapture.4")
  }

  @Test("S-69: the configuration that was delivered turns the block off, what targets the account before the default")
  func configuredCapture() throws {
    func entry(_ text: String, isDefault: Bool) -> ConfigurationEntry {
      let key = "com.microsoft.intune.mam.screencapturecontrol"
      return ConfigurationEntry([ConfigurationValue(key, text)], isDefault: isDefault)
    }
    let other = ConfigurationEntry([ConfigurationValue("other", "Disabled")])
    for (entries, isAllowed) in [
      ([entry("Disabled", isDefault: true)], true), ([entry("Enabled", isDefault: false)], false),
      ([entry("Disabled", isDefault: true), entry("Enabled", isDefault: false)], false),
      ([other, entry("Enabled", isDefault: true), entry("Disabled", isDefault: false)], true), ([other], false),
    ] {
      var state = Self.capturing(.managedApps, "20.2.1", nil).state()
      state.configuration.accounts.set(ConfigurationRecord(account: Self.owner, entries: entries, receivedBy: 1))
      let decision = try Self.ask(state) { $0.screenCapture(for: Self.owner, explanation: &$1) }
      #expect(decision.isAllowed == isAllowed && decision.rule == (isAllowed ? "screenCapture.4" : "screenCapture.6"))
      #expect(!state.screenCapture(for: Self.owner, configuration: "").isAllowed, "what is passed comes first")
    }
  }

  @Test("A configured value that is sealed counts as absent, and the explanation names it")
  func sealedValues() throws {
    func state(_ situation: ProtectionSituation, _ key: String) throws -> AppProtectionState {
      var state = situation.state()
      let entries = [ConfigurationEntry([]), ConfigurationEntry([try .sealed(key)])]
      state.configuration.accounts.set(ConfigurationRecord(account: Self.owner, entries: entries, receivedBy: 1))
      return state
    }
    func sealedReads(_ explanation: Explanation) -> [String] {
      explanation.steps.filter { !$0.holds && !$0.decides }.flatMap(\.reads).filter { read in
        if case .sealed = read.value { true } else { false }
      }.map(\.path)
    }
    let key = AppProtectionState.screenCaptureConfigurationKey
    for (setting, sdk, countsFirst, isNamed) in [
      (FeatureConfigurationState?.none, "20.2.1", true, true), (.blocked, "20.4.0", false, true),
      (.blocked, "20.4.0", true, false),
    ] {
      let situation = Self.capturing(.managedApps, sdk, setting)
      let state = try state(countsFirst ? situation : situation.without(\.screenCaptureSettingCountsFirst), key)
      #expect(try !Self.ask(state) { $0.screenCapture(for: Self.owner, explanation: &$1) }.isAllowed)
      var explanation = Explanation(recording: true)
      _ = state.screenCapture(for: Self.owner, explanation: &explanation)
      expectEqual(sealedReads(explanation), isNamed ? ["/configuration/a1/2/values/\(key)"] : [])
      explanation = Explanation(recording: true)
      _ = state.screenCapture(for: Self.owner, configuration: "Enabled", explanation: &explanation)
      expectEqual(sealedReads(explanation), [], "what is passed comes first")
    }
    let edge = AppProtectionState.edgeConfigurationKey
    for (scheme, isNamed) in [(String?.none, true), ("mybrowser", false)] {
      let situation = ProtectionSituation {
        $0.redirection.managedBrowserToOpenLinksRequired = true
        $0.redirection.customBrowserProtocol = scheme
      }
      let state = try state(situation, edge)
      #expect(try Self.ask(state) { $0.browser(for: Self.owner, explanation: &$1) }.outcome != .edge)
      var explanation = Explanation(recording: true)
      _ = state.browser(for: Self.owner, explanation: &explanation)
      expectEqual(sealedReads(explanation), isNamed ? ["/configuration/a1/2/values/\(edge)"] : [])
    }
  }

  static func capturing(
    _ send: DataTransferLevel, _ sdk: String, _ setting: FeatureConfigurationState?
  ) -> ProtectionSituation {
    var situation = ProtectionSituation {
      $0.dataTransfer.allowedOutboundDataTransferDestinations = send
      $0.surfaces.screenCaptureConfigurationState = setting
    }
    situation.sdk = sdk
    return situation
  }

  @Test("S-67: a policy of the web view, of a parent, or of all web views says whose its content is")
  func webViews() throws {
    for (own, parents, treatsAll, isExternal, rule, outcome) in [
      (WebViewPolicy.unset, [WebViewPolicy](), false, Bool?.none, "webView.5", WebViewOutcome.currentIdentity),
      (.unset, [], true, nil, "webView.4", .unmanaged),
      (.unset, [.currentIdentity], true, nil, "webView.3", .currentIdentity),
      (.unset, [.unset, .currentIdentityBlockUpload], true, nil, "webView.3", .currentIdentityWithoutUpload),
      (.unset, [.unmanaged, .currentIdentity], false, nil, "webView.3", .unmanaged),
      (.unmanaged, [.currentIdentity], false, false, "webView.2", .unmanaged),
      (.currentIdentity, [.unmanaged], true, nil, "webView.2", .currentIdentity),
      (.currentIdentityBlockUpload, [], true, nil, "webView.2", .currentIdentityWithoutUpload),
      (.currentIdentity, [], false, true, "webView.1", .unmanaged),
    ] {
      let decision = try Self.ask(ProtectionSituation().state()) {
        $0.webView(own, parents: parents, treatsAllAsUnmanaged: treatsAll, isExternalPage: isExternal, explanation: &$1)
      }
      #expect(decision.rule == rule && decision.outcome == outcome)
    }
    let other = ProtectionSituation().without(\.nearestWebViewPolicyCounts).state()
    let outermost = other.webView(.unset, parents: [.unmanaged, .unset, .currentIdentity], treatsAllAsUnmanaged: false)
    #expect(outermost.outcome == .currentIdentity && outermost.assumption == "nearestWebViewPolicyCounts")
    expectEqual(
      WebViewPolicy.allCases.map { "\($0.name) \($0.rawValue)" }.joined(separator: " "),
      "unset 0 unmanaged 1 currentIdentity 2 currentIdentityBlockUpload 3")
  }

  @Test(
    "An external page opens in the browser that the window's account must use, and is unmanaged otherwise")
  func externalPages() throws {
    for (identity, isRequired, outcome) in [
      (Identity.account(Self.owner), true, WebViewOutcome.requiredBrowser), (.account(Self.owner), false, .unmanaged),
      (.account(Self.personal), true, .unmanaged), (.unmanaged, true, .unmanaged), (.unset, true, .unmanaged),
    ] {
      var state = ProtectionSituation { $0.redirection.managedBrowserToOpenLinksRequired = isRequired }.state()
      for window in [UInt32?.none, 3] {
        AppProtectionMachine.reduce(
          into: &state,
          .identitySwitched(IdentitySwitched(scope: window.map(IdentityScope.window) ?? .ui, identity: identity)),
          EventContext(sequence: 1, moment: Moment(wallNanoseconds: 1)))
        let decision = try Self.ask(state) {
          $0.webView(
            .currentIdentity, treatsAllAsUnmanaged: true, isExternalPage: true, window: window, explanation: &$1)
        }
        #expect(decision.rule == "webView.1" && decision.outcome == outcome, "\(identity) \(isRequired)")
      }
    }
  }

  @Test("The clipboard asks about a web view's outcome: the window's account, nobody, or none that is shown there")
  func webViewParties() {
    expectEqual(WebViewOutcome.unmanaged.party(for: Self.owner), .account(nil))
    expectEqual(WebViewOutcome.currentIdentity.party(for: Self.owner), .account(Self.owner))
    expectEqual(WebViewOutcome.currentIdentityWithoutUpload.party(for: Self.owner), .account(Self.owner))
    #expect(WebViewOutcome.requiredBrowser.party(for: Self.owner) == nil)
  }
}

extension ConfigurationValue {
  /// A value as a journal holds it whose key is elsewhere.
  fileprivate static func sealed(_ key: String) throws -> ConfigurationValue {
    var writer = WireWriter()
    writer.write(1, string: key)
    writer.write(3, bytes: [0xFF, 1] + [UInt8](repeating: 0, count: 40))
    return try WireReader.decode(writer.bytes) { (reader) throws(WireError) in try ConfigurationValue(from: &reader) }
  }
}
