import EventSourcing

extension EnrollmentStatusCode {
  /// The classes of status codes.
  public enum Class: Sendable {
    /// The request succeeded: codes 100–104.
    case success
    /// The network or the service failed temporarily; the same request may soon succeed.
    case transient
    /// The request failed; it is repeated on the schedule for failed enrollments.
    case failure
    /// The app must remove the account; nothing is repeated.
    case terminal
    /// The user decided; nothing is repeated without the user.
    case user
    /// The service changed something on its side.
    case service
    /// Another step comes first, then the request resumes.
    case inProgress
    /// Nothing is wrong.
    case benign
    /// The app made an invalid call or was built incorrectly; repeating does not help.
    case programmingError
    /// The service no longer sends it.
    case obsolete
    /// The number is not in the table, and does not look like a failure: 1xx or 3xx. It warrants a warning but says
    /// nothing about the account, whose request is repeated at the check-in interval.
    case warning
    /// Any other number that is not in the table.
    case unknown
  }

  /// When a failed request is repeated automatically.
  public enum Repetition: Sendable {
    /// Never.
    case never
    /// After the interval that ``RetrySchedule`` has for this code.
    case scheduled
    /// After increasing pauses, until it succeeds.
    case backoff
    /// When the app has a token for the account again.
    case afterSignIn
  }

  /// Where a code is decided.
  public enum Origin: Sendable {
    /// The service answers with it.
    case service
    /// The SDK on the device, before or after the service was asked.
    case sdk
    /// The token library, which the SDK asks for a token.
    case tokenLibrary
  }

  /// One row of the table of codes.
  public struct Entry: Sendable {
    /// The number that the row is about.
    public let code: EnrollmentStatusCode
    /// The name as the SDK's header has it, in lower camel case.
    public let name: String
    /// Its class.
    public let classification: Class
    /// When the request is repeated.
    public let repetition: Repetition
    /// Its consequence, in one sentence.
    public let consequence: String
    /// The SDK version that introduced it; `nil` if it predates the records.
    public let introduced: String?
  }

  /// Every known code, in numeric order.
  public static let table: [Entry] = [
    row(100, "newPoliciesReceived", .success, .never, "The policy applies; the account's first one after a restart."),
    row(101, "policiesHaveNotChanged", .success, .never, "Only the time of the last completed check-in moves."),
    row(102, "wipeReceived", .success, .never, "The account's data is wiped, then the account is unenrolled."),
    row(103, "noPolicyReceived", .success, .never, "The account is enrolled and stays unmanaged."),
    row(104, "unenrollmentSuccess", .success, .never, "The account is unenrolled and no longer registered."),
    row(200, "accountNotLicensed", .failure, .scheduled, "The app works unmanaged until the account has a license."),
    row(201, "internalError", .failure, .scheduled, "Check the app's registration: client id, redirect URI, tenant."),
    row(202, "mamServiceDisabled", .obsolete, .scheduled, "The tenant does not use the service; gone since 12.2.0."),
    row(203, "authRequired", .failure, .afterSignIn, "The user must sign in; a silent repetition cannot succeed."),
    row(204, "locationServiceFailure", .transient, .backoff, "The service could not be located; tried again soon."),
    row(205, "enrollmentEndPointNetworkFailure", .transient, .backoff, "The network failed; tried again soon."),
    row(206, "parsingFailure", .failure, .scheduled, "The service's answer could not be read."),
    row(207, "nilAccount", .programmingError, .never, "Pass the account's object id; for a name none was found."),
    row(208, "alreadyEnrolled", .benign, .never, "Nothing to do."),
    row(209, "notEmmAccount", .terminal, .never, "The app must remove the account."),
    row(210, "mdmEnrolledDifferentUser", .terminal, .never, "The app must remove the account."),
    row(211, "notDeviceAccount", .terminal, .never, "The app must remove the account."),
    row(212, "policyEndPointNetworkFailure", .transient, .backoff, "The network failed; offline timers keep running."),
    row(213, "appNotEnrolled", .failure, .scheduled, "The app asked for policy before it was enrolled."),
    row(214, "notEnrolledAccount", .failure, .scheduled, "The account is not the enrolled one; compare object ids."),
    row(215, "failedToClearMamData", .failure, .scheduled, "The wipe is incomplete and is resumed."),
    row(216, "timeout", .transient, .backoff, "The service did not answer in time; tried again soon."),
    row(217, "adalInternalError", .failure, .scheduled, "The token library failed; see its log."),
    row(218, "switchExistingAccount", .inProgress, .never, "The other account is removed, then this one is enrolled."),
    row(219, "loginCanceled", .user, .never, "The user canceled; the app may ask again."),
    row(220, "policyRecordGone", .service, .scheduled, "The account is unenrolled and enrolled again.", "6.0.13"),
    row(221, "reEnrollForUnenrolledUser", .failure, .never, "The user must sign in and enroll again.", "6.0.13"),
    row(222, "tenantMigration", .failure, .scheduled, "The tenant is moving or the user lost the license."),
    row(223, "unsupportedAPI", .programmingError, .never, "Call from the app, not from an extension.", "8.1.1"),
    row(224, "adalMethodUnsupported", .programmingError, .never, "Build with a newer token library."),
    row(225, "licensedNotTargeted", .failure, .scheduled, "No policy targets the account yet.", "10.0.1"),
    row(226, "deviceBlockedEnrollment", .failure, .scheduled, "The administrator must unblock the device.", "14.3.0"),
    row(227, "singleManagedAccountMode", .failure, .never, "One of the accounts must be removed.", "17.5.0"),
  ]

  private static func row(
    _ number: UInt32, _ name: String, _ classification: Class, _ repetition: Repetition, _ consequence: String,
    _ introduced: String? = nil
  ) -> Entry {
    Entry(
      code: EnrollmentStatusCode(rawValue: number), name: name, classification: classification,
      repetition: repetition, consequence: consequence, introduced: introduced)
  }

  /// The row of this code, if it is known.
  public var entry: Entry? {
    Self.table.first { $0.code == self }
  }

  /// The name, or `unknown(228)` for a number that is not in the table.
  public var name: String {
    entry?.name ?? "unknown(\(rawValue))"
  }

  /// The code's class.
  public var classification: Class {
    if let entry { return entry.classification }
    return isSuccess || (300..<400).contains(rawValue) ? .warning : .unknown
  }

  /// When a request that ended in this code is repeated. An unknown number is treated as a scheduled failure: a later
  /// version may understand it.
  public var repetition: Repetition {
    entry?.repetition ?? .scheduled
  }

  /// Where the code is decided; `nil` for a number that is not in the table. The texts of `IntuneMAMEnrollmentStatus.h` say so: an
  /// endpoint that is not reached, or an account that is not the device's, is not an answer of the service.
  public var origin: Origin? {
    guard entry != nil else { return nil }
    return switch self {
    case .authRequired, .adalInternalError, .loginCanceled, .adalMethodUnsupported: .tokenLibrary
    case .internalError, .locationServiceFailure, .enrollmentEndPointNetworkFailure, .parsingFailure, .nilAccount,
      .alreadyEnrolled, .notEmmAccount, .mdmEnrolledDifferentUser, .notDeviceAccount, .policyEndPointNetworkFailure,
      .appNotEnrolled, .notEnrolledAccount, .failedToClearMamData, .timeout, .switchExistingAccount,
      .reEnrollForUnenrolledUser, .unsupportedAPI, .singleManagedAccountMode:
      .sdk
    default: .service
    }
  }

  /// Whether `didSucceed` of the SDK's status would be true: the codes from 100 to 199.
  public var isSuccess: Bool {
    (100..<200).contains(rawValue)
  }

  /// Whether the app must remove the account: 209, 210, 211.
  public var requiresRemoval: Bool {
    classification == .terminal
  }

  /// The result code that old logs show beside this one; one pair is public.
  public var legacyResultCode: UInt32? {
    self == .internalError ? 6 : nil
  }

  /// The enumeration's name in the published schema.
  public static let schemaName = "EnrollmentStatusCode"

  /// The names of the codes, for the catalogue.
  public static let descriptor = EnumerationDescriptor(
    schemaName, table.map { (number: UInt64($0.code.rawValue), name: $0.name) })
}

extension EnrollmentStatusCode {
  /// Number and name with the consequence, as the end of a sentence: `209 notEmmAccount: the app must remove the account`.
  package var demand: String {
    guard let consequence = entry?.consequence else { return description }
    return "\(self): \(consequence.prefix(1).lowercased())\(consequence.dropFirst().dropLast())"
  }
}

extension EnrollmentStatusCode: CustomStringConvertible {
  /// Number and name, such as `100 newPoliciesReceived`.
  public var description: String {
    entry.map { "\(rawValue) \($0.name)" } ?? "\(rawValue) unknown"
  }
}
