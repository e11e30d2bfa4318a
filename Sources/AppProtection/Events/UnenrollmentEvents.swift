import EventSourcing

/// `unenrollment.requested`: the service is to be notified that the account leaves.
public struct UnenrollmentRequested: EventPayload {
  public var account: AccountNumber
  /// Whether the account's data is wiped too.
  public var wipe = false
  /// The origin of the unenrollment.
  public var origin = UnenrollmentOrigin.app

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      60, "unenrollment.requested", meaning: "The service is to be told that the account leaves.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("by ")
    headline.add(origin)
    headline.add(wipe ? ", with a wipe" : ", without a wipe")
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "wipe", &event.wipe, "whether the account's data is wiped too")
    try field(3, "origin", &event.origin, "who wants it")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.withdrawAddition(of: event.account)
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying || account.enrollment.status == .unenrolling else { return }
      // A repeated unenrollment continues the sequence of pauses.
      let isRepetition = account.enrollment.status == .unenrolling
      let backoffStep = isRepetition ? account.enrollment.backoffStep : 0
      account.enrollment.status = .unenrolling
      account.enrollment.unenrollmentRequest = context.sequence
      account.enrollment.unenrollmentWipes = event.wipe
      account.enrollment.stopAsking()
      account.enrollment.backoffStep = backoffStep
    }
  }
}

/// `unenrollment.succeeded`: the service unenrolled the account; it is no longer registered (104).
public struct UnenrollmentSucceeded: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      61, "unenrollment.succeeded",
      meaning: "The service unenrolled the account; it is no longer registered (104).")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(EnrollmentStatusCode.unenrollmentSuccess)
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/accounts/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account]?.enrollment.status == .unenrolling else { return }
    state.remove(event.account, code: .unenrollmentSuccess)
    state.endOverrides()
  }
}

/// `unenrollment.failed`: the service could not be notified that the account leaves.
public struct UnenrollmentFailed: PersonalEventPayload {
  public var account: AccountNumber
  /// The reason as a number.
  public var code: EnrollmentStatusCode
  /// The error text from the service or the token library, if any.
  @Personal public var error = ""
  /// When the request is repeated; absent if it is not.
  public var nextRetry: Int64?
  /// How many consecutive pauses network failures have caused.
  public var backoffStep: UInt32 = 0
  /// Whether the account leaves anyway, and the service still counts it as enrolled.
  public var lingersAtService = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      62, "unenrollment.failed", meaning: "The service could not be told that the account leaves.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func describe(in headline: Headline) {
    headline.add(code, said: $error, nextRetry: nextRetry)
    if lingersAtService { headline.add("; it leaves, but the service still counts it as enrolled") }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "the reason as a number")
    try field(
      3, "error", &event.$error, privacy: .account,
      "what the service or the token library said, where it said something")
    try field(4, "nextRetry", &event.nextRetry, as: .time, "when it is tried again; absent when it is not")
    try field(5, "backoffStep", &event.backoffStep, "how many pauses in a row have been taken because of the network")
    try field(
      6, "lingersAtService", &event.lingersAtService,
      "whether the account leaves all the same, and the service still counts it as enrolled")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    let due = state.due(at: event.nextRetry, for: event.account, context)
    state.accounts.update(event.account) { account in
      guard account.enrollment.status == .unenrolling else { return }
      account.enrollment.fail(event.code, error: event.$error, nextRetry: due, backoffStep: event.backoffStep)
      account.lingersAtService = event.lingersAtService
    }
  }
}

/// What an unenrollment began with.
public enum UnenrollmentOrigin: Int, WireEnumeration {
  /// The app called `deregisterAndUnenroll`.
  case app = 0
  /// The service ordered it.
  case service = 1
  /// Another managed account replaces it.
  case accountSwitch = 2
}

extension Enrollment {
  /// Drops every request and due time except those for leaving: a leaving account is not enrolled again meanwhile.
  mutating func stopAsking() {
    enrollmentRequest = 0
    checkInRequest = 0
    switchQuestion = 0
    switchesFrom = nil
    checkInDue = nil
    retryDue = nil
    backoffStep = 0
    awaitsSignIn = false
  }
}
