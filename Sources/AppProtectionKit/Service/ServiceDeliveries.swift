import AppProtection

/// What a service has for an enrolled account besides its policy.
///
/// The engine asks for it after every enrollment and check-in that leaves the account enrolled. It records what changed;
/// what is lost because the process dies comes with the next check-in.
public struct ServiceDeliveries: Equatable, Sendable {
  /// The account's app configurations; empty withdraws them, `nil` keeps those that the app has.
  public var configuration: [ConfigurationEntry]?
  /// What the directory says of the user; `nil` if the service does not know.
  public var user: ServiceUserStatus?
  /// The user's object id and user principal name, as far as the directory gave them. An account that the app registered by
  /// one of them is known by both from then on, so that the app does not register it twice. Another name than the known one is
  /// offered to the app (``EnrollmentDelegate/shouldRename(account:to:)``).
  public var reference: AccountReference?

  /// Nothing unless given: the app keeps what it has.
  public init(
    configuration: [ConfigurationEntry]? = nil, user: ServiceUserStatus? = nil, reference: AccountReference? = nil
  ) {
    self.configuration = configuration
    self.user = user
    self.reference = reference
  }
}

/// What the directory says of a user.
public struct ServiceUserStatus: Equatable, Sendable {
  /// Whether the user is at work; `nil` if the service does not know, so that the app keeps what it has.
  public var clockStatus: ClockStatus?
  /// Whether the account is disabled.
  public var isDisabled: Bool

  /// The status of an enabled account of whose working time the service knows nothing, unless given.
  public init(clockStatus: ClockStatus? = nil, isDisabled: Bool = false) {
    self.clockStatus = clockStatus
    self.isDisabled = isDisabled
  }
}

extension PolicyService {
  /// Nothing: for a service that delivers policies alone.
  public func deliveries(_ request: ServiceRequest) async -> ServiceDeliveries { ServiceDeliveries() }
}
