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
