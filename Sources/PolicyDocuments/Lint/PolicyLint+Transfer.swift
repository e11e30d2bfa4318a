import AppProtection
import JSON

/// Checks of data transfer in both directions. Each function lists its rules; their sources are in ``PolicyRule``.
extension PolicyLint {
  /// saveBlockWithoutEffect, saveAllowedWithoutEffect, saveLocationsWithoutBlock, openBlockWithoutEffect,
  /// filterWithOSSharing, filterWithoutManagedApps, osSharingWithoutManagedApps, incomingProtectionWithoutAllApps,
  /// openClipboard, clipboardExceptionTooLong
  mutating func checkTransfer() {
    let transfer = policy.dataTransfer
    let send = transfer.allowedOutboundDataTransferDestinations
    let receive = transfer.allowedInboundDataTransferSources
    checkSaving(transfer, send)
    if transfer.blockDataIngestionIntoOrganizationDocuments == true, receive == .allApps {
      note(
        .openBlockWithoutEffect, "blockDataIngestionIntoOrganizationDocuments",
        "opening data is blocked, and data may come from all apps, so that the block has no effect",
        remedy: "set allowedInboundDataTransferSources to managedApps, or allow opening")
    } else if transfer.blockDataIngestionIntoOrganizationDocuments == true, receive == .noApps {
      note(
        .openBlockWithoutEffect, "blockDataIngestionIntoOrganizationDocuments",
        "opening data is blocked, and data may come from no app, so that the block and its locations have no effect",
        remedy: "set allowedInboundDataTransferSources to managedApps, or allow opening")
    }
    checkSharing(transfer, send)
    if transfer.protectInboundDataFromUnknownSources == true, let receive, receive != .allApps {
      note(
        .incomingProtectionWithoutAllApps, "protectInboundDataFromUnknownSources",
        "data without an identity is to become organization data, and data may come from \(Self.phrase(receive))",
        remedy: "set allowedInboundDataTransferSources to allApps, or turn this off")
    }
    if let send, send != .allApps, transfer.allowedOutboundClipboardSharingLevel == .allApps {
      note(
        .openClipboard, "allowedOutboundClipboardSharingLevel",
        "data may go to \(Self.phrase(send)), and the clipboard leads to every app",
        remedy: "set it to managedAppsWithPasteIn, managedApps or blocked")
    }
    checkNumber("allowedOutboundClipboardSharingExceptionLength", .clipboardExceptionTooLong)
  }

  /// Finds a number that its type holds and Graph does not allow.
  mutating func checkNumber(_ name: String, _ rule: PolicyRule) {
    guard let property = PolicyProperty.named(name), case .value(.number(let number)) = policy[property],
      let range = property.documentedRange, !range.contains(number)
    else { return }
    let words = "\(range.lowerBound) to \(range.upperBound)"
    note(rule, name, "\(number) is outside \(words)", remedy: "write a number from \(words)")
  }

  private mutating func checkSaving(_ transfer: PolicyDocument.DataTransfer, _ send: DataTransferLevel?) {
    if transfer.saveAsBlocked == true, send == .allApps {
      note(
        .saveBlockWithoutEffect, "saveAsBlocked",
        "saving copies is blocked, and data may go to all apps, so that the block has no effect",
        remedy: "set allowedOutboundDataTransferDestinations to managedApps, or allow saving")
    }
    let lists = transfer.allowedDataStorageLocations?.isEmpty == false
    if send == .noApps, transfer.saveAsBlocked == false || lists {
      note(
        .saveAllowedWithoutEffect, transfer.saveAsBlocked == false ? "saveAsBlocked" : "allowedDataStorageLocations",
        "data may go to no app, so that copies cannot be saved anywhere",
        remedy: "block saving without locations, or set allowedOutboundDataTransferDestinations to managedApps")
    } else if lists, transfer.saveAsBlocked != true {
      note(
        .saveLocationsWithoutBlock, "allowedDataStorageLocations",
        "locations are listed, and saving copies is not blocked, so that the list has no effect",
        remedy: "set saveAsBlocked to true, or empty the list")
    }
  }

  private mutating func checkSharing(_ transfer: PolicyDocument.DataTransfer, _ send: DataTransferLevel?) {
    let filters = transfer.filterOpenInToOnlyManagedApps == true
    let shares = transfer.disableProtectionOfManagedOutboundOpenInData == true
    if filters, shares {
      note(
        .filterWithOSSharing, "filterOpenInToOnlyManagedApps",
        "the share sheet is filtered, and the protection of what leaves through it is off",
        remedy: "turn one of filterOpenInToOnlyManagedApps and disableProtectionOfManagedOutboundOpenInData off")
    }
    guard let send, send != .managedApps else { return }
    if filters {
      note(
        .filterWithoutManagedApps, "filterOpenInToOnlyManagedApps",
        "the share sheet is filtered, and data may go to \(Self.phrase(send))",
        remedy: "set allowedOutboundDataTransferDestinations to managedApps, or turn the filter off")
    }
    if shares {
      note(
        .osSharingWithoutManagedApps, "disableProtectionOfManagedOutboundOpenInData",
        "OS sharing is on, and data may go to \(Self.phrase(send))",
        remedy: "set allowedOutboundDataTransferDestinations to managedApps, or turn OS sharing off")
    }
  }

  static func phrase(_ level: DataTransferLevel) -> String {
    switch level {
    case .allApps: "all apps"
    case .managedApps: "policy managed apps"
    case .noApps: "no app"
    case .unrecognized: "apps of a kind that is not known"
    }
  }

  // MARK: Links and schemes

  /// browserNotRequired, browserNotNamed, twoBrowsers, linkInBothLists, linkWithoutScheme
  mutating func checkBrowser() {
    let redirection = policy.redirection
    let namesEdge = redirection.managedBrowser?.isEmpty == false
    let namesScheme = redirection.customBrowserProtocol?.isEmpty == false
    if namesEdge || namesScheme, redirection.managedBrowserToOpenLinksRequired != true {
      note(
        .browserNotRequired, namesEdge ? "managedBrowser" : "customBrowserProtocol",
        "a browser is named, and managedBrowserToOpenLinksRequired is not true",
        remedy: "set managedBrowserToOpenLinksRequired to true, or name no browser")
    }
    if redirection.managedBrowserToOpenLinksRequired == true, redirection.managedBrowser?.isEmpty == true, !namesScheme
    {
      note(
        .browserNotNamed, "managedBrowserToOpenLinksRequired",
        "a browser is required, and neither managedBrowser nor customBrowserProtocol names one",
        remedy: "set managedBrowser to microsoftEdge, or customBrowserProtocol to the scheme of another browser")
    }
    if namesEdge, namesScheme {
      note(
        .twoBrowsers, "customBrowserProtocol", "managedBrowser names a protected browser, and this another one",
        remedy: "keep one of the two")
    }
    checkLinks("exemptedUniversalLinks", redirection.exemptedUniversalLinks)
    checkLinks("managedUniversalLinks", redirection.managedUniversalLinks)
    let exempt = Set((redirection.exemptedUniversalLinks ?? []).map { $0.lowercased() })
    for (index, link) in (redirection.managedUniversalLinks ?? []).enumerated() where exempt.contains(link.lowercased())
    {
      // Links may identify places of an organization, so they are counted rather than quoted.
      note(
        .linkInBothLists, "managedUniversalLinks", element: index,
        "element \(index) is also exempt, so that it opens in unmanaged apps", remedy: "remove it from one of the lists"
      )
    }
  }

  private mutating func checkLinks(_ name: String, _ links: [String]?) {
    for (index, link) in (links ?? []).enumerated() where !Self.isPlaceholder(link, in: name) {
      guard !["http://", "https://"].contains(where: link.lowercased().hasPrefix) else { continue }
      note(
        .linkWithoutScheme, name, element: index, "element \(index) does not begin with http:// or https://",
        remedy: "write the pattern with its scheme, such as https://*.contoso.com/*")
    }
  }

  /// invalidScheme, missingScheme, schemeWithoutEffect, exemptedCommunication, exemptedWebLinks
  mutating func checkSchemes() {
    let redirection = policy.redirection
    checkScheme("customBrowserProtocol", redirection.customBrowserProtocol)
    checkScheme("customDialerAppProtocol", redirection.customDialerAppProtocol)
    checkScheme("messagingRedirectAppUrlScheme", redirection.messagingRedirectAppUrlScheme)
    checkPrescribed(
      "dialerRestrictionLevel", redirection.dialerRestrictionLevel.map { $0 == .customApp }, "customApp",
      "customDialerAppProtocol", redirection.customDialerAppProtocol)
    checkPrescribed(
      "protectedMessagingRedirectAppType", redirection.protectedMessagingRedirectAppType.map { $0 == .specificApps },
      "specificApps", "messagingRedirectAppUrlScheme", redirection.messagingRedirectAppUrlScheme)
    let listed = (policy.dataTransfer.exemptedAppProtocols ?? []).flatMap { pair in
      pair.value.map { Self.isPlaceholder($0, in: "value") ? [] : PolicyText.list($0) } ?? []
    }
    for scheme in listed { checkScheme("exemptedAppProtocols", scheme) }
    let exempt = listed.map { $0.lowercased() }
    let web = ["http", "https"].filter { exempt.contains($0) }
    let sendsEverywhere = policy.dataTransfer.allowedOutboundDataTransferDestinations == .allApps
    if !web.isEmpty, !sendsEverywhere || redirection.managedBrowserToOpenLinksRequired == true {
      note(
        .exemptedWebLinks, "exemptedAppProtocols",
        "\(web.joined(separator: " and ")) \(web.count == 1 ? "is" : "are") exempt, so that every browser may open web links",
        remedy: "remove \(web.joined(separator: " and ")), and exempt single links in exemptedUniversalLinks")
    }
    guard !sendsEverywhere else { return }
    let calls = ["tel", "telprompt"].filter { exempt.contains($0) }
    if let level = redirection.dialerRestrictionLevel, level != .allApps, !calls.isEmpty {
      note(
        .exemptedCommunication, "exemptedAppProtocols",
        "\(calls.joined(separator: " and ")) \(calls.count == 1 ? "is" : "are") exempt, which dialerRestrictionLevel restricts",
        remedy: "remove \(calls.joined(separator: " and ")), and leave calls to dialerRestrictionLevel")
    }
    if let type = redirection.protectedMessagingRedirectAppType, type != .anyApp, exempt.contains("sms") {
      note(
        .exemptedCommunication, "exemptedAppProtocols",
        "sms is exempt, which protectedMessagingRedirectAppType restricts",
        remedy: "remove sms, and leave messages to protectedMessagingRedirectAppType")
    }
  }

  private mutating func checkScheme(_ name: String, _ scheme: String?) {
    guard let scheme, !scheme.isEmpty, !Self.isPlaceholder(scheme, in: name) else { return }
    // RFC 3986, 3.1: a letter, then letters, digits, plus, hyphen and point.
    let isScheme =
      scheme.utf8.first.map { (0x61...0x7A).contains($0 | 0x20) } == true
      && scheme.utf8.allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
      }
    guard !isScheme else { return }
    note(
      .invalidScheme, name, "\(JSONExcerpt.quoted(scheme)) is not a URL scheme",
      remedy: "write only the part before the colon, such as mybrowser")
  }

  private mutating func checkPrescribed(
    _ level: String, _ isPrescribed: Bool?, _ value: String, _ name: String, _ scheme: String?
  ) {
    let isGiven = scheme?.isEmpty == false
    if isPrescribed == true, !isGiven {
      note(
        .missingScheme, level, "it prescribes an app, and \(name) does not say which", remedy: "set \(name)")
    } else if isPrescribed == false, isGiven {
      note(
        .schemeWithoutEffect, name, "\(level) is not \(value), so that the scheme has no effect",
        remedy: "remove it, or set \(level) to \(value)")
    }
  }
}
