import EventSourcing

/// A status code of an enrollment, a check-in or an unenrollment, from the service or the engine.
///
/// The numbers are those of `IntuneMAMEnrollmentStatusCode`; a number that is not in the table is kept unchanged and
/// treated as ``EnrollmentStatusCode/Class/unknown``.
public struct EnrollmentStatusCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: UInt32

  /// Creates a code; every number is one.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// 100: the service delivered a policy.
  public static let newPoliciesReceived = Self(100)
  /// 101: the policy is the one the app has.
  public static let policiesHaveNotChanged = Self(101)
  /// 102: the service ordered a selective wipe.
  public static let wipeReceived = Self(102)
  /// 103: enrolled, but no policy targets the account.
  public static let noPolicyReceived = Self(103)
  /// 104: the account is unenrolled and deregistered.
  public static let unenrollmentSuccess = Self(104)
  /// 200: the account has no license.
  public static let accountNotLicensed = Self(200)
  /// 201: an internal error, usually the app's registration.
  public static let internalError = Self(201)
  /// 202: the service is switched off for the tenant; obsolete.
  public static let mamServiceDisabled = Self(202)
  /// 203: the service needs a token that only an interactive sign-in can provide.
  public static let authRequired = Self(203)
  /// 204: the service's location could not be found.
  public static let locationServiceFailure = Self(204)
  /// 205: the network failed on the way to the enrollment service.
  public static let enrollmentEndPointNetworkFailure = Self(205)
  /// 206: an answer of the service could not be read.
  public static let parsingFailure = Self(206)
  /// 207: no account was named.
  public static let nilAccount = Self(207)
  /// 208: the account is enrolled already.
  public static let alreadyEnrolled = Self(208)
  /// 209: the account is not the one that device management provides.
  public static let notEmmAccount = Self(209)
  /// 210: the device is managed for a different user.
  public static let mdmEnrolledDifferentUser = Self(210)
  /// 211: the account is not an account of this device.
  public static let notDeviceAccount = Self(211)
  /// 212: the network failed on the way to the policy service.
  public static let policyEndPointNetworkFailure = Self(212)
  /// 213: the app is not enrolled.
  public static let appNotEnrolled = Self(213)
  /// 214: the account is not the enrolled one.
  public static let notEnrolledAccount = Self(214)
  /// 215: the account's data could not be removed completely.
  public static let failedToClearMamData = Self(215)
  /// 216: the service did not answer in time.
  public static let timeout = Self(216)
  /// 217: the token library failed.
  public static let adalInternalError = Self(217)
  /// 218: an existing account is removed first, then the enrollment resumes.
  public static let switchExistingAccount = Self(218)
  /// 219: the user canceled the sign-in.
  public static let loginCanceled = Self(219)
  /// 220: the service no longer has a record of the account.
  public static let policyRecordGone = Self(220)
  /// 221: a re-enrollment was refused, because the user is no longer enrolled.
  public static let reEnrollForUnenrolledUser = Self(221)
  /// 222: the tenant is being moved.
  public static let tenantMigration = Self(222)
  /// 223: the call is not supported in an app extension.
  public static let unsupportedAPI = Self(223)
  /// 224: the token library lacks a method.
  public static let adalMethodUnsupported = Self(224)
  /// 225: licensed, but no policy targets the account.
  public static let licensedNotTargeted = Self(225)
  /// 226: the device is blocked from enrolling.
  public static let deviceBlockedEnrollment = Self(226)
  /// 227: the one managed account that is allowed already exists.
  public static let singleManagedAccountMode = Self(227)
}

extension EnrollmentStatusCode: OpenEnumeration {
  /// The number, because apps compare it.
  public var shown: StateValue { .integer(Int64(rawValue)) }
}
