import AppProtection

/// The part of the organisation's app protection service that the engine uses.
///
/// Every request follows a durable event that announces it, and its answer becomes a separate event. A process that
/// dies in between repeats the request at its next launch, so a service must tolerate repeated requests.
/// ``ServiceRequest/intent`` identifies a repetition. What the app has is in the request and not in what the service sent
/// before, because an answer may be lost with the process that received it: see ``ServiceRequest/policy``.
///
/// The engine awaits the answer in a child of the task that runs it (``PolicyEngine/run()``). It makes one request at a time
/// for each account, and up to ``EngineCore/maximumRequestsAtOnce`` for all, so that a slow answer about one account delays no
/// other. Failures are answers, not errors: a missing network is `ServiceAnswer.failure` with one of the transient codes. If
/// that task is cancelled, answer with such a failure as soon as possible: the engine then records no answer, and the request
/// stays pending.
public protocol PolicyService: Sendable {
  /// Enrolls an account and asks for its policy.
  func enroll(_ request: ServiceRequest) async -> ServiceAnswer
  /// Asks whether an account's policy has changed. `ServiceAnswer.unchanged` says that it is still
  /// ``ServiceRequest/policy``; ``ServiceRequest/answer(delivering:)`` compares.
  func checkIn(_ request: ServiceRequest) async -> ServiceAnswer
  /// Reports that an account is leaving; returns `nil` once the service has recorded it.
  func unenroll(_ request: ServiceRequest) async -> ServiceFailure?
  /// Makes an account compliant, or returns why it is not. With `isSilent`, the user must not be asked anything.
  func remediate(_ request: ServiceRequest, isSilent: Bool) async -> RemediationOutcome
  /// What the service has for an enrolled account besides its policy. Nothing, unless a service implements it.
  func deliveries(_ request: ServiceRequest) async -> ServiceDeliveries
  /// The wipe that the service ordered for the account is durable in the journal, as event ``ServiceRequest/intent``: it is
  /// carried out whatever happens, and need not be ordered again. Until it hears this, a service repeats the order in its
  /// answers, because an answer may be lost with the process that received it.
  ///
  /// Called after the record, again at the next launch and before the account's next enrollment, until it returns `true`.
  func acknowledgeWipe(_ request: ServiceRequest) async -> Bool
}

extension PolicyService {
  /// `true`: for a service that keeps no orders of its own.
  public func acknowledgeWipe(_ request: ServiceRequest) async -> Bool { true }
}

/// The outcome of a remediation, with the text that the service wants shown.
public struct RemediationOutcome: Equatable, Sendable {
  /// The resulting status.
  public var status: ComplianceStatus
  /// The text; empty if there is none.
  public var message: String
  /// The title of the text; empty if there is none.
  public var title: String

  /// Omit the texts if the service sent none.
  public init(_ status: ComplianceStatus, message: String = "", title: String = "") {
    self.status = status
    self.message = message
    self.title = title
  }
}
