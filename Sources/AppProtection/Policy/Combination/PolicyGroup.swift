/// Settings that form one choice; each names the group in its row.
package enum PolicyGroup: CaseIterable, Sendable {
  /// "Send Org data to other apps".
  case send
  /// "Receive data from other apps".
  case receive
  /// "Restrict web content transfer with other apps".
  case browser
  /// The dialer, and its URL scheme.
  case dialer
  /// The messaging app, and its URL scheme.
  case messaging

  /// How strict a policy's choice is: more is stricter. `nil` when the policy does not set it.
  func strictness(of policy: PolicyDocument) -> Int? {
    let (transfer, redirection) = (policy.dataTransfer, policy.redirection)
    switch self {
    case .send: return Self.rank(transfer.sendChoice, level: transfer.allowedOutboundDataTransferDestinations)
    case .receive: return Self.rank(transfer.receiveChoice, level: transfer.allowedInboundDataTransferSources)
    case .browser:
      if let choice = redirection.webContentChoice { return WebContentChoice.allCases.firstIndex(of: choice) }
      // A combination that the portal lacks: as strict as the requirement alone.
      return redirection.managedBrowserToOpenLinksRequired.map { $0 ? 2 : 0 }
    case .dialer:
      return redirection.dialerRestrictionLevel.map {
        Self.rank($0.number, prescribes: $0 == .customApp ? redirection.customDialerAppProtocol : nil)
      }
    case .messaging:
      return redirection.protectedMessagingRedirectAppType.map {
        Self.rank($0.number, prescribes: $0 == .specificApps ? redirection.messagingRedirectAppUrlScheme : nil)
      }
    }
  }

  /// The place of a choice among its kind, where one that prescribes an app and names its URL scheme goes before one that
  /// names none, and so prescribes none.
  private static func rank(_ number: UInt64, prescribes scheme: String?) -> Int {
    2 * Int(number) + (scheme?.isEmpty == false ? 1 : 0)
  }

  /// The place of a choice among its kind. Settings that make no choice are as strict as the strictest with their level.
  private static func rank<Choice: PortalTransferChoice>(_ choice: Choice?, level: DataTransferLevel?) -> Int? {
    if let choice { return Array(Choice.allCases).firstIndex(of: choice) }
    guard let level else { return nil }
    return Array(Choice.allCases).lastIndex { $0.level == level } ?? Choice.allCases.count
  }
}

/// The common part of the portal's two choices about transfers.
protocol PortalTransferChoice: CaseIterable, Equatable {
  var level: DataTransferLevel { get }
}

extension SendChoice: PortalTransferChoice {}
extension ReceiveChoice: PortalTransferChoice {}
