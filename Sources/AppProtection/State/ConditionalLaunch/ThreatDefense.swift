import EventSourcing

extension DeviceFacts {
  /// The report of the threat defense partner that counts for a policy (`mobileThreatDefensePartnerPriority`): of two
  /// partners the one that the policy prefers, and Microsoft Defender without a preference (G). If only one has
  /// reported, that one counts.
  ///
  /// An unknown preference counts as the stricter of the two: a partner without a report, then the one that reports the
  /// greater threat.
  func threatDefense(
    by priority: ThreatDefensePartnerPriority?
  ) -> (state: ThreatDefenseState, level: ThreatLevel) {
    let partner = (state: threatDefense, level: threatLevel)
    let microsoft = (state: defender, level: defenderThreatLevel)
    if defender == .unknown { return partner }
    if threatDefense == .unknown { return microsoft }
    switch priority {
    case .defenderOverThirdPartyPartner, nil: return microsoft
    case .thirdPartyPartnerOverDefender: return partner
    case .unknownFutureValue, .unrecognized:
      if Self.isSilent(partner) || Self.isSilent(microsoft) { return Self.isSilent(partner) ? partner : microsoft }
      return threatLevel.rawValue > defenderThreatLevel.rawValue ? partner : microsoft
    }
  }

  private static func isSilent(_ report: (state: ThreatDefenseState, level: ThreatLevel)) -> Bool {
    report.state != .active || report.level == .unknown
  }
}

/// How far mobile threat defense is set up on a device.
public enum ThreatDefenseState: Int, WireEnumeration {
  /// Its state is unknown.
  case unknown = 0
  /// Its app is not installed.
  case notInstalled = 1
  /// Its app is installed and not activated.
  case notActivated = 2
  /// It reports a threat level.
  case active = 3
  /// The last question for the threat level was not answered.
  case recheckFailed = 4
}

/// The threat level that mobile threat defense reports for a device, from the lowest to the highest.
public enum ThreatLevel: Int, WireEnumeration {
  /// It has not reported yet.
  case unknown = 0
  /// No threat at all.
  case secured = 1
  /// Low.
  case low = 2
  /// Medium.
  case medium = 3
  /// High.
  case high = 4
}
