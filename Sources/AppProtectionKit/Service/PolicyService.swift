import AppProtection

/// The organisation's app protection service, as far as the engine talks to it.
///
/// Every request follows an event that says that it will be made and that is durable by then; the answer becomes an
/// event of its own. A process that dies between the two makes the same request again at its next launch, so a service
/// must bear repeated requests. ``ServiceRequest/intent`` tells a repetition from another request.
///
/// The engine waits for the answer on the thread that runs it (``PolicyEngine/run()``). Trouble is an answer, not an
/// exception: no network is `ServiceAnswer.failure` with one of the transient codes.
public protocol PolicyService: Sendable {
  /// Enrolls an account and asks for its policy.
  func enroll(_ request: ServiceRequest) -> ServiceAnswer
  /// Asks whether an account's policy has changed.
  func checkIn(_ request: ServiceRequest) -> ServiceAnswer
  /// Says that an account leaves; `nil` when the service knows it now.
  func unenroll(_ request: ServiceRequest) -> ServiceFailure?
  /// Makes an account compliant, or says why it is not. `isSilent`: the user must not be asked anything.
  func remediate(_ request: ServiceRequest, isSilent: Bool) -> RemediationOutcome
}

/// What the service is asked about.
public struct ServiceRequest: Equatable, Sendable {
  /// The account's number in the journal.
  public var account: AccountNumber
  /// The Entra object id, where it is known.
  public var objectID: GUID?
  /// The user principal name, where it is known.
  public var userPrincipalName: String?
  /// The event that announced the request: the same number means the same request.
  public var intent: UInt64

  /// Creates a request.
  public init(account: AccountNumber, objectID: GUID?, userPrincipalName: String?, intent: UInt64) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
    self.intent = intent
  }
}

/// How a remediation ended, with the text that the service wants shown.
public struct RemediationOutcome: Equatable, Sendable {
  /// How it ended.
  public var status: ComplianceStatus
  /// The text; empty when there is none.
  public var message: String
  /// The title of the text; empty when there is none.
  public var title: String

  /// Creates an outcome.
  public init(_ status: ComplianceStatus, message: String = "", title: String = "") {
    self.status = status
    self.message = message
    self.title = title
  }
}
