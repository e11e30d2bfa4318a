import AppProtection

/// Which dialer may be used: `DialerRestrictionLevel`. The reverse of Graph's numbers, without 2.
public enum DeviceDialerLevel: Int64, DeviceChoice {
  /// None.
  case noDialer = 0
  /// The one that `SpecificDialerProtocol` names.
  case specificDialer = 1
  /// Any.
  case anyDialer = 3

  /// The member in Graph that means the same.
  public var graph: DialerRestrictionLevel {
    switch self {
    case .noDialer: .blocked
    case .specificDialer: .customApp
    case .anyDialer: .allApps
    }
  }
}
