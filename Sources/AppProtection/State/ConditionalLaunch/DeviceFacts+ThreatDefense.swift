extension DeviceFacts {
  /// What the threat defense partner says that counts for a policy (`mobileThreatDefensePartnerPriority`): of two the one that
  /// the policy prefers, and Microsoft Defender where it prefers none (G). Where only one was heard of, it is that one.
  ///
  /// A preference that is not known counts as the stricter of the two: who says nothing, then who sees the greater threat.
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
