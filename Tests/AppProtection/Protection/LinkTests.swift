import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Links, browsers, dialers and messages")
struct LinkTests {
  static let owner = ProtectionSituation.owner

  static func ask(
    _ situation: ProtectionSituation, _ url: String, isManagedScheme: Bool = false
  ) throws -> Decision<LinkOutcome> {
    try FeatureTests.ask(situation.state()) {
      $0.url(url, for: owner, isManagedScheme: isManagedScheme, explanation: &$1)
    }
  }

  static func sending(
    _ level: DataTransferLevel, _ change: (inout PolicyDocument) -> Void = { _ in }
  ) -> ProtectionSituation {
    ProtectionSituation {
      $0.dataTransfer.allowedOutboundDataTransferDestinations = level
      change(&$0)
    }
  }

  @Test("Schemes open where all apps may have data, where they are exempt, and where a managed app has them")
  func schemes() throws {
    let listed = Self.sending(.managedApps) {
      $0.dataTransfer.exemptedAppProtocols = [
        PolicyPair("Default", "Skype; itms:;;"), PolicyPair("Mine", "mine://x"), PolicyPair("None", nil),
      ]
    }
    for (situation, url, isManaged, rule) in [
      (Self.sending(.allApps), "other://x", false, "url.3"),
      (Self.sending(.managedApps), "other://x", false, "url.6"),
      (Self.sending(.managedApps), "skype:echo", false, "url.4"),
      (Self.sending(.managedApps), "SKYPE:echo", false, "url.4"),
      (Self.sending(.managedApps), "skypes:echo", false, "url.6"),
      (Self.sending(.managedApps), "tel:1", false, "dialer.3"),
      (listed, "skype:echo", false, "url.4"), (listed, "itms://x", false, "url.4"), (listed, "mine:x", false, "url.4"),
      (listed, "calshow:1", false, "url.6"),
      (Self.sending(.managedApps) { $0.dataTransfer.exemptedAppProtocols = [] }, "skype:echo", false, "url.6"),
      (Self.sending(.noApps), "skype:echo", false, "url.6"),
      (Self.sending(.unrecognized), "skype:echo", false, "url.6"),
      (Self.sending(.managedApps), "ms-word://x", true, "url.5"),
      (Self.sending(.managedApps), "ms-word-intunemam://x", false, "url.5"),
      (Self.sending(.managedApps), "-intunemam://x", false, "url.2"),
      (Self.sending(.noApps), "ms-word://x", true, "url.6"),
      (Self.sending(.managedApps), "no scheme", false, "url.2"), (Self.sending(.managedApps), "", false, "url.2"),
      (Self.sending(.managedApps), ":x", false, "url.2"), (Self.sending(.managedApps), " http://x", false, "url.2"),
    ] {
      let decision = try Self.ask(situation, url, isManagedScheme: isManaged)
      expectEqual(decision.rule, rule, "\(url)")
    }
    let personal = listed.state().url("other://x", for: ProtectionSituation.personal)
    #expect(personal.isAllowed && personal.rule == "url.1")
  }

  @Test("What no source says about exemptions follows the assumptions")
  func assumptions() throws {
    let missing = Self.sending(.managedApps)
    try expectEqual(Self.ask(missing, "skype:x").assumption, "absentExemptionsMeanDefaults")
    try expectEqual(Self.ask(missing.without(\.absentExemptionsMeanDefaults), "skype:x").rule, "url.6")
    let nothing = Self.sending(.noApps) { $0.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "skype")] }
    let lifted = try Self.ask(nothing.without(\.exemptSchemesNeedManagedSending), "skype:x")
    #expect(lifted.isAllowed && lifted.assumption == "exemptSchemesNeedManagedSending")
    let web = try Self.ask(nothing, "https://x/")
    #expect(web.rule == "browser.2" && web.isAllowed && web.assumption == "webLinksFollowBrowserRule")
    let denied = try Self.ask(nothing.without(\.webLinksFollowBrowserRule), "https://x/")
    #expect(denied.rule == "url.7" && !denied.isAllowed)
  }

  @Test("S-64: a required browser takes web links, under its own scheme")
  func browsers() throws {
    func required(_ change: (inout PolicyDocument) -> Void) -> ProtectionSituation {
      Self.sending(.managedApps) {
        $0.redirection.managedBrowserToOpenLinksRequired = true
        change(&$0)
      }
    }
    let custom = required { $0.redirection.customBrowserProtocol = "mybrowser" }
    let edge = required {
      $0.redirection.managedBrowser = .microsoftEdge
      $0.redirection.customBrowserProtocol = "mybrowser"
    }
    for (situation, url, rule, address) in [
      (custom, "https://x/y", "browser.4", String?.some("mybrowsers://x/y")),
      (custom, "http://x/y", "browser.4", "mybrowser://x/y"), (custom, "HTTPS://x", "browser.4", "mybrowsers://x"),
      (edge, "https://x/y", "browser.3", "microsoft-edge-https://x/y"),
      (required { $0.redirection.customBrowserProtocol = "" }, "https://x/y", "browser.5", "https://x/y"),
      (Self.sending(.managedApps) { $0.redirection.customBrowserProtocol = "b" }, "http://x", "browser.2", "http://x"),
      (
        Self.sending(.allApps) { $0.redirection.managedBrowserToOpenLinksRequired = true }, "http://x", "browser.5",
        "http://x"
      ),
      (Self.sending(.managedApps), "ms-word-intunemam:x", "url.5", "ms-word-intunemam:x"),
      (Self.sending(.managedApps), "other:x", "url.6", nil),
    ] {
      let decision = try Self.ask(situation, url)
      expectEqual(decision.rule, rule, "\(url)")
      expectEqual(situation.state().address(of: url, for: Self.owner, as: decision.outcome), address)
    }
    let word = Self.sending(.managedApps).state()
    expectEqual(word.address(of: "ms-word:x", for: Self.owner, as: .managedScheme), "ms-word-intunemam:x")
    #expect(word.address(of: "https://x", for: Self.owner, as: .customBrowser) == nil)
    #expect(word.address(of: "nothing", for: Self.owner, as: .allowed) == nil)
    expectEqual(word.browser(for: nil).rule, "browser.1")
  }

  @Test(
    "The app configuration chooses Edge where a browser is required and none is named, and the browser's own keys do not"
  )
  func configuredBrowser() throws {
    func entry(_ value: String, isDefault: Bool = false, key: String = AppProtectionState.edgeConfigurationKey)
      -> ConfigurationEntry
    {
      ConfigurationEntry([ConfigurationValue(key, value)], isDefault: isDefault)
    }
    let homepage = entry("true", key: "com.microsoft.intune.mam.managedbrowser.homepage")
    let unnamed = Self.sending(.managedApps) { $0.redirection.managedBrowserToOpenLinksRequired = true }
    let custom = Self.sending(.managedApps) {
      $0.redirection.managedBrowserToOpenLinksRequired = true
      $0.redirection.customBrowserProtocol = "mybrowser"
    }
    for (situation, entries, rule) in [
      (unnamed, [entry("true")], "browser.6"), (unnamed, [entry("false")], "browser.5"),
      (unnamed, [entry("true", isDefault: true)], "browser.6"), (unnamed, [homepage], "browser.5"),
      (unnamed, [entry("true", isDefault: true), entry("false")], "browser.5"),
      (unnamed, [homepage, entry("false", isDefault: true), entry("true"), entry("false")], "browser.6"),
      (unnamed, [entry("perhaps")], "browser.5"), (unnamed, [], "browser.5"), (custom, [entry("true")], "browser.4"),
      (Self.sending(.managedApps), [entry("true")], "browser.2"),
      (unnamed.without(\.configurationTextConverts), [entry("true")], "browser.5"),
    ] {
      var state = situation.state()
      state.configuration.accounts.set(ConfigurationRecord(account: Self.owner, entries: entries, receivedBy: 1))
      let decision = try FeatureTests.ask(state) { $0.browser(for: Self.owner, explanation: &$1) }
      expectEqual(decision.rule, rule, "\(entries)")
      #expect((decision.outcome == .edge) == (rule == "browser.6"))
    }
  }

  @Test("Numbers and messages go to the app that the policy prescribes, from the SDK on that knows it")
  func redirections() throws {
    for (level, rule, address) in [
      (DialerRestrictionLevel?.none, "dialer.3", String?.some("tel:+1")), (.allApps, "dialer.3", "tel:+1"),
      (.managedApps, "dialer.4", "tel:+1"), (.customApp, "dialer.5", "mydialer:+1"), (.blocked, "dialer.6", nil),
      (.unrecognized, "dialer.6", nil),
    ] {
      var situation = Self.sending(.managedApps) {
        $0.redirection.dialerRestrictionLevel = level
        $0.redirection.customDialerAppProtocol = "mydialer:"
      }
      let decision = try Self.ask(situation, "tel:+1")
      expectEqual(decision.rule, rule)
      expectEqual(situation.state().address(of: "tel:+1", for: Self.owner, as: decision.outcome), address)
      try expectEqual(Self.ask(situation, "telprompt:+1").rule, rule)
      situation.sdk = "12.6.9"
      try expectEqual(Self.ask(situation, "tel:+1").rule, "dialer.2")
      situation.sdk = "12.7.0"
      try expectEqual(Self.ask(situation, "tel:+1").rule, rule)
      expectEqual(situation.state().dialer(for: nil).rule, "dialer.1")
    }
    for (type, rule, address) in [
      (MessagingRedirectAppType?.none, "messaging.3", String?.some("sms:1")), (.anyApp, "messaging.3", "sms:1"),
      (.anyManagedApp, "messaging.4", "sms:1"), (.specificApps, "messaging.5", "chat:1"),
      (.blocked, "messaging.6", nil), (.unrecognized, "messaging.6", nil),
    ] {
      var situation = Self.sending(.managedApps) {
        $0.redirection.protectedMessagingRedirectAppType = type
        $0.redirection.messagingRedirectAppUrlScheme = "chat"
      }
      let decision = try Self.ask(situation, "sms:1")
      expectEqual(decision.rule, rule)
      expectEqual(situation.state().address(of: "sms:1", for: Self.owner, as: decision.outcome), address)
      situation.sdk = "18.9.9"
      try expectEqual(Self.ask(situation, "sms:1").rule, "messaging.2")
      expectEqual(situation.state().messaging(for: nil).rule, "messaging.1")
      situation.policy.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "sms;mailto")]
      try expectEqual(Self.ask(situation, "sms:1").rule, "url.4", "the system's composer runs")
      try expectEqual(Self.ask(situation, "mailto:a@contoso.example").rule, "url.4")
      (situation.sdk, situation.policy.dataTransfer.exemptedAppProtocols) = ("19.0.0", nil)
      try expectEqual(Self.ask(situation, "sms:1").rule, rule)
    }
  }

  @Test("Universal links: the exempt ones first, then the managed ones, then the rule of the browser")
  func universalLinks() throws {
    var situation = Self.sending(.managedApps) {
      $0.redirection.exemptedUniversalLinks = ["https://maps.example", "http://*.both.example/*"]
      $0.redirection.managedUniversalLinks = ["https://*.contoso.example/docs/*", "http://*.both.example/*"]
      $0.redirection.managedBrowserToOpenLinksRequired = true
    }
    for (url, rule, ruleOfURL) in [
      ("https://maps.example/?q=1", "universalLink.1", "universalLink.1"),
      ("https://maps.example/route", "universalLink.3", "browser.5"),
      ("http://a.both.example/", "universalLink.1", "universalLink.1"),
      ("https://www.contoso.example/docs/1", "universalLink.2", "universalLink.2"),
      ("http://www.contoso.example/docs/1", "universalLink.3", "browser.5"),
    ] {
      let decision = try FeatureTests.ask(situation.state()) {
        $0.universalLink(url, for: Self.owner, explanation: &$1)
      }
      expectEqual(decision.rule, rule, "\(url)")
      expectEqual(decision.isAllowed, rule != "universalLink.3")
      try expectEqual(Self.ask(situation, url).rule, ruleOfURL)
    }
    situation.policy.redirection.managedBrowserToOpenLinksRequired = nil
    let other = try FeatureTests.ask(situation.state()) {
      $0.universalLink("https://other.example", for: Self.owner, explanation: &$1)
    }
    #expect(other.isAllowed && other.rule == "universalLink.4" && other.assumption == "universalLinksFollowBrowserRule")
    let strict = situation.without(\.universalLinksFollowBrowserRule)
    #expect(!strict.state().universalLink("https://other.example", for: Self.owner).isAllowed)
    expectEqual(situation.state().universalLink("skype:x", for: Self.owner).rule, "url.2")
    expectEqual(situation.state().universalLink("skype:x", for: nil).rule, "url.1")
  }

  @Test("A pattern compares what a browser goes to: scheme, host and path, with * for anything")
  func patterns() {
    for (pattern, url, fits) in [
      ("https://www.contoso.com", "https://www.contoso.com", true),
      ("https://www.contoso.com", "https://www.contoso.com/", true),
      ("https://www.contoso.com/", "HTTPS://WWW.Contoso.com?x=/y#z", true),
      ("https://www.contoso.com", "https://www.contoso.com/a", false),
      ("https://www.contoso.com", "http://www.contoso.com", false),
      ("www.contoso.com/*", "http://www.contoso.com/a/b", true),
      ("www.contoso.com/*", "http://www.contoso.com", true),
      ("https://*.contoso.com/*", "https://a.b.contoso.com/x", true),
      ("https://*.contoso.com/*", "https://contoso.com/x", false),
      ("https://*.contoso.com/*", "https://evil.com/.contoso.com/", false),
      ("https://*.contoso.com/*", "https://a.contoso.com@evil.com/", false),
      ("https://*.contoso.com/*", "https://evil.com\\@a.contoso.com/", false),
      ("https://*.contoso.com/*", "https://evil.com?a.contoso.com/", false),
      ("https://*.contoso.com/*", "https://evil.com#.contoso.com/", false),
      ("https://*.contoso.com/*", "https://me@a.contoso.com/", true),
      ("https://contoso.com/*", "https://me:secret@contoso.com/x", true),
      ("https://contoso.com/*", "https://contoso.com:443/x", true),
      ("https://contoso.com:443/*", "https://contoso.com/x", true),
      ("https://contoso.com/*", "https://contoso.com:8443/x", false),
      ("https://contoso.com:8443/*", "https://contoso.com:8443/x", true),
      ("http://contoso.com/*", "http://contoso.com:443/x", false),
      ("https://contoso.com/Docs/*", "https://contoso.com/docs/x", false),
      ("https://contoso.com/*/x*y", "https://contoso.com/a/b/x1y2y", true),
      ("https://contoso.com/*/x*y", "https://contoso.com/a/b/x1y2", false),
      ("*", "https://contoso.com/", true), ("*", "https://contoso.com/a", false),
      ("*/*", "https://contoso.com/a", true),
      ("", "https://contoso.com/", false), ("https://", "https://", false), ("*", "https:", false),
      ("*", "https:///x", false), ("https://x/*", "ftp://x/", false),
    ] {
      let matches = url.withBytes { bytes in
        pattern.withBytes { LinkText(bytes)?.matches(LinkText(pattern: $0)) ?? false }
      }
      expectEqual(matches, fits, "\(pattern) \(url)")
    }
  }

  @Test("A long link and a pattern full of stars are compared in bounded time")
  func stars() {
    let url = "https://contoso.com/" + String(repeating: "a", count: 4000)
    let pattern = "https://contoso.com/" + String(repeating: "*a", count: 60) + "*b"
    let matches = url.withBytes { bytes in
      pattern.withBytes { LinkText(bytes)?.matches(LinkText(pattern: $0)) ?? true }
    }
    #expect(!matches)
  }
}
