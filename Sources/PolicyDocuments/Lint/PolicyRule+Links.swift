import AppProtection
import JSON

/// Rules of browsers, universal links and URL schemes.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let links: [PolicyRule] = [
    browserNotRequired, browserNotNamed, twoBrowsers, linkWithoutScheme, linkInBothLists, invalidScheme,
    missingScheme, schemeWithoutEffect, exemptedWebLinks, exemptedCommunication,
  ]

  /// A browser is named but not required.
  public static let browserNotRequired = PolicyRule(
    "browserNotRequired", .error, "A browser that is named is also required.", "G managedAppProtection, managedBrowser",
    in: .links, contradicts: true
  ) { policy, notes in
    let redirection = policy.redirection
    guard redirection.namesEdge || policy.namesBrowser, redirection.managedBrowserToOpenLinksRequired != true else {
      return
    }
    notes.add(
      redirection.namesEdge ? "managedBrowser" : notes.platform.browser.name,
      "a browser is named, and managedBrowserToOpenLinksRequired is not true",
      trying: [
        .policy("set managedBrowserToOpenLinksRequired to true") {
          $0.redirection.managedBrowserToOpenLinksRequired = true
        },
        .policy("name no browser") { policy in
          policy.redirection.managedBrowser = nil
          for name: PolicyProperty in [.customBrowserProtocol, .customBrowserPackageId] { policy[name] = .absent }
        },
      ])
  }

  /// A browser is required but not named.
  public static let browserNotNamed = PolicyRule(
    "browserNotNamed", .warning, "A browser that is required is also named.",
    "G managedAppProtection, managedBrowserToOpenLinksRequired", in: .links
  ) { policy, notes in
    let redirection = policy.redirection
    guard redirection.managedBrowserToOpenLinksRequired == true, redirection.managedBrowser?.isEmpty == true,
      !policy.namesBrowser
    else { return }
    let (browser, noun) = notes.platform.browser
    notes.add(
      "managedBrowserToOpenLinksRequired",
      "a browser is required, and neither managedBrowser nor \(browser) names one",
      trying: [
        .policy("set managedBrowser to microsoftEdge, or \(browser) to the \(noun) of another browser") {
          $0.redirection.managedBrowser = .microsoftEdge
        }
      ])
  }

  /// Two browsers are named.
  public static let twoBrowsers = PolicyRule(
    "twoBrowsers", .warning, "Web links open in one browser.", settings, in: .links, contradicts: true
  ) { policy, notes in
    guard policy.redirection.namesEdge, policy.namesBrowser else { return }
    notes.add(
      notes.platform.browser.name, "managedBrowser names a protected browser, and this another one",
      remedy: "keep one of the two")
  }

  /// A pattern of links has no scheme.
  public static let linkWithoutScheme = PolicyRule(
    "linkWithoutScheme", .warning, "A pattern of universal links begins with http:// or https://.",
    "\(settings), Universal Links", in: .links
  ) { policy, notes in
    let redirection = policy.redirection
    for (name, links) in [
      ("exemptedUniversalLinks", redirection.exemptedUniversalLinks),
      ("managedUniversalLinks", redirection.managedUniversalLinks),
    ] {
      for (index, link) in (links ?? []).enumerated() where !PolicyLint.isPlaceholder(link, in: name) {
        guard !["http://", "https://"].contains(where: link.lowercased().hasPrefix) else { continue }
        notes.add(
          name, element: index, "element \(index) does not begin with http:// or https://",
          trying: [
            .policy("write the pattern with its scheme, such as https://*.contoso.com/*") { policy in
              policy.replace(name, element: index, with: "https://\(link)")
            }
          ], otherwise: "remove it, or write another pattern, such as https://*.contoso.com/*")
      }
    }
  }

  /// A link is in both lists.
  public static let linkInBothLists = PolicyRule(
    "linkInBothLists", .note, "A universal link is exempt or managed; exempt counts first.",
    "\(settings), Universal Links", in: .links, contradicts: true
  ) { policy, notes in
    let redirection = policy.redirection
    let exempt = Set((redirection.exemptedUniversalLinks ?? []).map { $0.lowercased() })
    for (index, link) in (redirection.managedUniversalLinks ?? []).enumerated() where exempt.contains(link.lowercased())
    {
      // Links may identify places of an organization, so they are counted rather than quoted.
      notes.add(
        "managedUniversalLinks", element: index,
        "element \(index) is also exempt, so that it opens in unmanaged apps", remedy: "remove it from one of the lists"
      )
    }
  }

  /// A URL scheme is malformed.
  public static let invalidScheme = PolicyRule(
    "invalidScheme", .error, "A URL scheme is what stands before the colon, and nothing else.", settings
  ) { subject, notes in
    guard case .scheme(let name, let scheme) = subject, !scheme.isEmpty,
      !PolicyLint.isPlaceholder(scheme, in: name)
    else { return }
    // RFC 3986, 3.1: a letter, then letters, digits, plus, hyphen and point.
    let isScheme =
      scheme.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } == true
      && scheme.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      }
    if name != PolicyProperty.exemptedAppProtocols.name, ["http", "https"].contains(scheme.lowercased()) {
      notes.add(
        name, "\(JSONExcerpt.quoted(scheme)) is the scheme of web links themselves, and names no app",
        remedy: "write the scheme of the app, such as mybrowser")
    }
    guard !isScheme else { return }
    notes.add(
      name, "\(JSONExcerpt.quoted(scheme)) is not a URL scheme",
      trying: [
        .policy("write only the part before the colon, such as mybrowser") { policy in
          policy.replace(scheme, in: name, with: String(scheme.prefix { $0 != ":" }))
        }
      ], otherwise: "write a letter, then letters, digits, +, - and ., such as mybrowser")
  }

  /// An app is prescribed but its scheme is missing.
  public static let missingScheme = PolicyRule(
    "missingScheme", .error, "An app that is prescribed is named by its URL scheme, or on Android by its package.",
    settings, contradicts: true
  ) { subject, notes in
    guard case .prescription(let prescription) = subject, prescription.isMade == true, !prescription.namesApp else {
      return
    }
    notes.add(
      prescription.setting, "it prescribes an app, and \(prescription.schemeSetting) does not say which",
      remedy: "set \(prescription.schemeSetting)")
  }

  /// A scheme is given but no app is prescribed.
  public static let schemeWithoutEffect = PolicyRule(
    "schemeWithoutEffect", .note, "A URL scheme or a package counts only where an app is prescribed.", settings
  ) { subject, notes in
    guard case .prescription(let prescription) = subject, prescription.isMade == false, prescription.namesApp else {
      return
    }
    notes.add(
      prescription.schemeSetting,
      "\(prescription.setting) is not \(prescription.value), so that the \(prescription.noun) has no effect",
      trying: [
        .setting("remove it", prescription.schemeSetting, to: nil),
        .policy("set \(prescription.setting) to \(prescription.value)") {
          $0.choose(prescription.value, in: prescription.setting)
        },
      ])
  }

  /// Web links are exempt.
  public static let exemptedWebLinks = PolicyRule(
    "exemptedWebLinks", .warning,
    "Web links are not exempt where data may not go to all apps, or a browser is required.",
    "\(settings), Data transfer exemptions", in: .exemptions
  ) { policy, notes in
    let exempt = policy.exemptedSchemes.map { $0.lowercased() }
    let web = ["http", "https"].filter { exempt.contains($0) }
    let sendsEverywhere = policy.dataTransfer.allowedOutboundDataTransferDestinations == .allApps
    guard !web.isEmpty, !sendsEverywhere || policy.redirection.managedBrowserToOpenLinksRequired == true else { return }
    notes.add(
      "exemptedAppProtocols",
      "\(web.joined(separator: " and ")) \(web.count == 1 ? "is" : "are") exempt, so that every browser may open web links",
      trying: [
        .policy("remove \(web.joined(separator: " and ")), and exempt single links in exemptedUniversalLinks") {
          $0.removeExempted(web)
        }
      ])
  }

  /// Schemes are exempt from a restriction that has a separate setting.
  public static let exemptedCommunication = PolicyRule(
    "exemptedCommunication", .warning,
    "Schemes of calls and messages are not exempt where a setting of their own restricts them.",
    "\(settings), Data transfer exemptions", in: .exemptions
  ) { policy, notes in
    guard policy.dataTransfer.allowedOutboundDataTransferDestinations != .allApps else { return }
    let exempt = policy.exemptedSchemes.map { $0.lowercased() }
    let calls = ["tel", "telprompt"].filter { exempt.contains($0) }
    if let level = policy.redirection.dialerRestrictionLevel, level != .allApps, !calls.isEmpty {
      notes.add(
        "exemptedAppProtocols",
        "\(calls.joined(separator: " and ")) \(calls.count == 1 ? "is" : "are") exempt, which dialerRestrictionLevel restricts",
        trying: [
          .policy("remove \(calls.joined(separator: " and ")), and leave calls to dialerRestrictionLevel") {
            $0.removeExempted(calls)
          }
        ])
    }
    if let type = policy.redirection.protectedMessagingRedirectAppType, type != .anyApp, exempt.contains("sms") {
      notes.add(
        "exemptedAppProtocols",
        "sms is exempt, which protectedMessagingRedirectAppType restricts",
        trying: [
          .policy("remove sms, and leave messages to protectedMessagingRedirectAppType") { $0.removeExempted(["sms"]) }
        ])
    }
  }
}

extension PolicyDocument {
  /// The schemes that the policy exempts, in their order and without placeholders.
  var exemptedSchemes: [String] {
    (dataTransfer.exemptedAppProtocols ?? []).flatMap { pair in
      pair.value.map { PolicyLint.isPlaceholder($0, in: "value") ? [] : PolicyText.list($0) } ?? []
    }
  }
}

extension PolicyDocument {
  /// Makes a choice by its name in Graph.
  fileprivate mutating func choose(_ name: String, in setting: String) {
    guard let property = kind.platform.property(named: setting),
      let member = property.kind.names?.members.first(where: { $0.name == name })
    else { return }
    self[property] = .value(.choice(member.number))
  }

  /// Sets an element of a list of texts.
  fileprivate mutating func replace(_ setting: String, element: Int, with text: String) {
    guard let property = kind.platform.property(named: setting), case .value(.texts(var texts)) = self[property],
      texts.indices.contains(element)
    else { return }
    texts[element] = text
    self[property] = .value(.texts(texts))
  }

  /// Replaces a scheme by another one.
  fileprivate mutating func replace(_ scheme: String, in setting: String, with other: String) {
    if setting == PolicyProperty.exemptedAppProtocols.name {
      changeExempted { $0 == scheme ? other : $0 }
    } else if let property = kind.platform.property(named: setting) {
      self[property] = .value(.text(other))
    }
  }

  /// Takes schemes out of those that are exempt.
  fileprivate mutating func removeExempted(_ schemes: [String]) {
    changeExempted { schemes.contains($0.lowercased()) ? nil : $0 }
  }

  private mutating func changeExempted(_ change: (String) -> String?) {
    dataTransfer.exemptedAppProtocols = dataTransfer.exemptedAppProtocols?.map { pair in
      let value = pair.value.map { PolicyText.list($0).compactMap(change).joined(separator: ";") }
      return PolicyPair(pair.name, value, typeName: pair.typeName)
    }
  }
}

extension PolicyDocument.Redirection {
  fileprivate var namesEdge: Bool { managedBrowser?.isEmpty == false }
}

extension PolicyDocument {
  /// Whether a browser is named that is not protected.
  fileprivate var namesBrowser: Bool { text(.customBrowserProtocol) != nil || text(.customBrowserPackageId) != nil }
}

extension PolicyPlatform {
  /// The setting that names a browser which is not protected, and what it holds. Policies for Windows have none.
  fileprivate var browser: (name: String, noun: String) {
    switch self {
    case .ios, .windows: (PolicyProperty.customBrowserProtocol.name, "scheme")
    case .android: (PolicyProperty.customBrowserPackageId.name, "package")
    }
  }
}
