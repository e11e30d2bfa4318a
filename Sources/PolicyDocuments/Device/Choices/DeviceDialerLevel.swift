import AppProtection

/// Which dialer may be used: `DialerRestrictionLevel`. Graph's numbers in reverse, without 2.
public enum DeviceDialerLevel: Int64, DeviceChoice {
  /// No dialer.
  case noDialer = 0
  /// The dialer that `SpecificDialerProtocol` names.
  case specificDialer = 1
  /// Any dialer.
  case anyDialer = 3

  /// The corresponding member in Graph.
  public var graph: DialerRestrictionLevel {
    switch self {
    case .noDialer: .blocked
    case .specificDialer: .customApp
    case .anyDialer: .allApps
    }
  }
}
