import EventSourcing

/// An account: its identity and its progress into and out of management.
public struct Account: AccountRecord, FieldTree {
  /// The number by which the journal refers to it.
  public internal(set) var account: AccountNumber
  /// The Entra object id, once it is known.
  @Personal public internal(set) var objectID: GUID?
  /// The user principal name as last given, once it is known.
  @Personal public internal(set) var userPrincipalName: String?
  /// The account's enrollment.
  public package(set) var enrollment = Enrollment()
  /// Whether the app removed its tokens.
  public internal(set) var tokensRemoved = false
  /// Whether the service could not be notified that the account left, and still counts it as enrolled.
  public internal(set) var lingersAtService = false
  /// The code that requires the app to remove the account; `nil` if it need not.
  public internal(set) var removalCode: EnrollmentStatusCode?
  /// Whether it has had a policy since its last wipe, so that organization data may be on the device.
  public internal(set) var mayHaveOrganizationData = false
  /// Whether the app reported it as signed in.
  public internal(set) var isSignedIn = false
  /// Whether the app reported the signed-in account as used for work or school.
  public internal(set) var isForWorkOrSchool = false
  /// Whether it must be the only managed account.
  public internal(set) var isExclusive = false
  /// The event that asked the app to add it, until it is answered.
  public internal(set) var additionQuestion: UInt64 = 0

  /// Creates an account that was only mentioned.
  init(_ account: AccountNumber, objectID: GUID? = nil, userPrincipalName: String? = nil) {
    self.account = account
    self.objectID = objectID
    self.userPrincipalName = userPrincipalName
  }

  /// The domain of the user principal name in lower case; `nil` while no name is known.
  public var organizationDomain: String? {
    userPrincipalName?.split(separator: "@").last.map { $0.lowercased() }
  }

  /// Whether the service or the user was asked about it and has not answered.
  var isAsking: Bool {
    enrollment.enrollmentRequest != 0 || enrollment.checkInRequest != 0 || enrollment.awaitsUnenrollment
      || enrollment.switchQuestion != 0 || additionQuestion != 0
  }

  /// What rules look for among many accounts.
  public var outline: AccountOutline { AccountOutline(of: self) }

  /// Finds accounts by object id and by name.
  public typealias Index = AccountNameIndex

  /// The object id and the name.
  public var reference: AccountReference? {
    AccountReference(objectID: objectID, userPrincipalName: userPrincipalName)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(.first) }

  public static func visit<V: FieldVisitor>(_ account: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &account.account, required: true, shown: false)
    try field(2, "objectID", &account.$objectID, privacy: .account)
    try field(3, "userPrincipalName", &account.$userPrincipalName, privacy: .account)
    try field(4, "enrollment", &account.enrollment)
    try field(5, "tokensRemoved", &account.tokensRemoved)
    try field(6, "lingersAtService", &account.lingersAtService)
    try field(7, "removalCode", &account.removalCode)
    try field(8, "mayHaveOrganizationData", &account.mayHaveOrganizationData)
    try field(9, "isSignedIn", &account.isSignedIn)
    try field(10, "isExclusive", &account.isExclusive)
    try field(11, "additionQuestion", &account.additionQuestion, as: .sequence)
    try field(12, "isForWorkOrSchool", &account.isForWorkOrSchool)
  }
}

/// What is known of some accounts together. By it, rules find the few that concern them among many.
public struct AccountOutline: TableOutline {
  /// Whether one of them must be the only managed account.
  private(set) var isExclusive = false
  /// Whether the service or the user was asked about one of them and has not answered.
  private(set) var isAsking = false
  /// When work for one of them is due at the earliest, by each of the clocks; `nil` if none is scheduled.
  private(set) var due: DueTime?

  /// The outline of no accounts.
  public init() {}

  /// The outline of one account.
  init(of account: Account) {
    isExclusive = account.isExclusive
    isAsking = account.isAsking
    due = account.enrollment.due
  }

  /// Adds other accounts.
  public mutating func formUnion(_ other: AccountOutline) {
    isExclusive = isExclusive || other.isExclusive
    isAsking = isAsking || other.isAsking
    guard let next = other.due else { return }
    due = due.map { DueTime(wall: min($0.wall, next.wall), elapsed: min($0.elapsed, next.elapsed)) } ?? next
  }
}
