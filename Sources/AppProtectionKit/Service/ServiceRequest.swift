import AppProtection
import EventSourcing

/// The subject of a request to the service, with what the journal has of the service's earlier answers.
public struct ServiceRequest: Equatable, Sendable {
  /// The account's number in the journal.
  public var account: AccountNumber
  /// The Entra object id; `nil` if unknown.
  public var objectID: GUID?
  /// The user principal name; `nil` if unknown.
  public var userPrincipalName: String?
  /// The event that announced the request: the same number identifies the same request.
  public var intent: UInt64
  /// The policy that the account has, enforced or not yet; `nil` if it has none.
  public var policy: AppliedPolicy?
  /// The code of the last answer about the account that the journal has, that of a success (100 to 104) or of a failure;
  /// `nil` before the first one. A later answer that the service remembers was lost.
  public var lastAnswer: EnrollmentStatusCode?
  /// What the app assumes where no rule is published: it decides how a remediation without a token ends, and one that ends in
  /// an unknown code.
  public var assumptions: Assumptions

  /// `intent` is the number of the announcing event. An account has no policy and was never answered, and the
  /// assumptions are the defaults, unless given.
  public init(
    account: AccountNumber, objectID: GUID?, userPrincipalName: String?, intent: UInt64,
    policy: AppliedPolicy? = nil, lastAnswer: EnrollmentStatusCode? = nil, assumptions: Assumptions = Assumptions()
  ) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
    self.intent = intent
    self.policy = policy
    self.lastAnswer = lastAnswer
    self.assumptions = assumptions
  }

  /// The request about an account as a state knows it.
  init(_ number: AccountNumber, intent: UInt64, in state: AppProtectionState) {
    let account = state.accounts[number]
    self.init(
      account: number, objectID: account?.objectID, userPrincipalName: account?.userPrincipalName, intent: intent,
      policy: state.policies[number].map { record in
        AppliedPolicy(document: record.document, confirmed: account?.enrollment.lastCompletedCheckIn)
      }, lastAnswer: account?.enrollment.lastCode, assumptions: state.settings.app.assumptions)
  }

  /// The answer to a check-in of an account that a policy targets: `unchanged` if it is ``policy``, and otherwise the policy,
  /// even if an earlier answer delivered it.
  public func answer(delivering document: PolicyDocument) -> ServiceAnswer {
    policy?.document == document ? .unchanged : .policy(document)
  }
}

/// The policy that an account has when the service is asked.
public struct AppliedPolicy: Equatable, Sendable {
  /// The policy as the service delivered it.
  public var document: PolicyDocument
  /// When the service last delivered or confirmed it, in nanoseconds since 1970 by the device's clock; `nil` if unknown.
  public var confirmed: Int64?

  /// A policy that was confirmed at an unknown time unless given.
  public init(document: PolicyDocument, confirmed: Int64? = nil) {
    self.document = document
    self.confirmed = confirmed
  }

  /// The policy's identifier in the service; `nil` if the document has none.
  public var id: String? { document.about.id }
  /// The policy's revision, an entity tag; `nil` if the document has none.
  public var version: String? { document.about.version }
}
