import Expectations
import Testing

@testable import AppProtection

@Suite("The portal's choices from Graph's combinations")
struct PortalChoiceTests {
  private static let levels: [DataTransferLevel?] = [nil, .allApps, .managedApps, .noApps, .unrecognized]
  private static let flags: [Bool?] = [nil, false, true]

  /// Written down from the table of the portal, not from the code: level, OS sharing, filter.
  private static let send: [String: SendChoice] = [
    "allApps false false": .allApps, "none false false": .noApps, "managedApps false false": .managedApps,
    "managedApps true false": .managedAppsWithOSSharing, "managedApps false true": .managedAppsWithFiltering,
  ]

  private static let receive: [String: ReceiveChoice] = [
    "allApps false": .allApps, "allApps true": .allAppsWithIncomingOrganizationData,
    "managedApps false": .managedApps, "none false": .noApps,
  ]

  @Test("Every combination of the three settings about sending is one choice or none")
  func sending() {
    var transfer = PolicyDocument.DataTransfer()
    for level in Self.levels {
      for shares in Self.flags {
        for filters in Self.flags {
          transfer.allowedOutboundDataTransferDestinations = level
          transfer.disableProtectionOfManagedOutboundOpenInData = shares
          transfer.filterOpenInToOnlyManagedApps = filters
          let key = "\(level?.rawValue ?? "nil") \(shares ?? false) \(filters ?? false)"
          expectEqual(transfer.sendChoice, Self.send[key], "\(key)")
        }
      }
    }
  }

  @Test("Every combination of the two settings about receiving is one choice or none")
  func receiving() {
    var transfer = PolicyDocument.DataTransfer()
    for level in Self.levels {
      for protects in Self.flags {
        transfer.allowedInboundDataTransferSources = level
        transfer.protectInboundDataFromUnknownSources = protects
        let key = "\(level?.rawValue ?? "nil") \(protects ?? false)"
        expectEqual(transfer.receiveChoice, Self.receive[key], "\(key)")
      }
    }
  }

  @Test("A choice that was set is read again, and has the portal's words")
  func roundTrip() {
    var transfer = PolicyDocument.DataTransfer()
    for choice in SendChoice.allCases {
      transfer.set(choice)
      expectEqual(transfer.sendChoice, choice)
    }
    for choice in ReceiveChoice.allCases {
      transfer.set(choice)
      expectEqual(transfer.receiveChoice, choice)
    }
    expectEqual(
      SendChoice.allCases.map(\.rawValue),
      [
        "All apps", "Policy managed apps with OS sharing", "Policy managed apps",
        "Policy managed apps with Open-In/Share filtering", "None",
      ])
    expectEqual(
      ReceiveChoice.allCases.map(\.rawValue),
      ["All apps", "All apps with incoming Org data", "Policy managed apps", "None"])
  }

  @Test("Where web links open follows from three settings")
  func webContent() {
    let rows: [(required: Bool?, edge: ManagedBrowsers?, scheme: String?, choice: WebContentChoice?)] = [
      (nil, nil, nil, nil), (nil, [], "", nil), (false, [], "", .anyApp), (false, nil, nil, .anyApp),
      (true, .microsoftEdge, "", .microsoftEdge), (true, [], "x", .unmanagedBrowser), (true, nil, nil, .managedBrowser),
      (false, .microsoftEdge, nil, nil), (nil, nil, "x", nil), (true, .microsoftEdge, "x", nil),
    ]
    for row in rows {
      var redirection = PolicyDocument.Redirection()
      redirection.managedBrowserToOpenLinksRequired = row.required
      redirection.managedBrowser = row.edge
      redirection.customBrowserProtocol = row.scheme
      expectEqual(redirection.webContentChoice, row.choice, "\(row)")
    }
  }
}
