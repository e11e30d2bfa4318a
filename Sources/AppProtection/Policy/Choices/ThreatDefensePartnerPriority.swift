/// Which of two threat defense partners counts. `mobileThreatDefensePartnerPriority` in Graph.
public enum ThreatDefensePartnerPriority: String, PolicyChoice {
  /// Microsoft Defender.
  case defenderOverThirdPartyPartner
  /// The other partner.
  case thirdPartyPartnerOverDefender
  /// Graph's own placeholder for a later member. A decision must treat it as ``unrecognized``.
  case unknownFutureValue
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .defenderOverThirdPartyPartner: 0
    case .thirdPartyPartnerOverDefender: 1
    case .unknownFutureValue: 2
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "ThreatDefensePartnerPriority"
}
