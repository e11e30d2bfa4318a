import EventSourcing

/// One account's standing with conditional access.
public struct RemediationRecord: AccountRecord, FieldList {
  /// The account.
  public internal(set) var account: AccountNumber
  /// The account's status.
  public internal(set) var status = RemediationStatus.unknown
  /// Whether the last remediation requested must not involve the user.
  public internal(set) var isSilent = false
  /// The event that asked for it, while it is queued or under way.
  public internal(set) var requestedBy: UInt64 = 0
  /// The number of consecutive remediations that ended in a demand for interaction.
  public internal(set) var interactionDemands: UInt32 = 0
  /// The number of consecutive token refusals after a compliant remediation, without a check-in in between.
  public internal(set) var refusalsAfterCompliance: UInt32 = 0

  init(account: AccountNumber) {
    self.account = account
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public static func visit<V: FieldVisitor>(_ record: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &record.account, required: true, shown: false)
    try field(2, "status", &record.status)
    try field(3, "isSilent", &record.isSilent)
    try field(4, "requestedBy", &record.requestedBy, as: .sequence)
    try field(5, "interactionDemands", &record.interactionDemands)
    try field(6, "refusalsAfterCompliance", &record.refusalsAfterCompliance)
  }
}

/// An account's standing with conditional access.
public enum RemediationStatus: Int, WireEnumeration {
  /// No token was refused and no remediation requested.
  case unknown = 0
  /// A token was refused because the account must be protected first.
  case blocked = 1
  /// A remediation waits for another account's.
  case queued = 2
  /// A remediation is under way.
  case remediating = 3
  /// The last remediation ended compliant.
  case compliant = 4
  /// The last remediation ended not compliant.
  case notCompliant = 5
  /// The last remediation failed at the service.
  case serviceFailure = 6
  /// The last remediation failed on the network.
  case networkFailure = 7
  /// The last remediation needs interaction.
  case interactionRequired = 8
  /// The user canceled the last remediation.
  case userCancelled = 9
}
