import AppProtection

extension FieldLogSentence {
  /// Every sentence that is known, in the order in which they count.
  ///
  /// The shapes are facts about published fragments, in this project's words: no log was copied. Sources: `sdk#N` is an issue of
  /// the public repository of the SDK for iOS, *header* the comments of `IntuneMAMEnrollmentStatus.h`, *description* the
  /// description of published fragments that the tests' page has, *MSAL* the documentation of the token library.
  public static let all: [FieldLogSentence] = answers + codes + wipes + conditions + tokens + requests + others

  // MARK: - Answers with a number

  private static let answers: [FieldLogSentence] = [
    Self(
      "delegate unenrollment … code? STATUS", .answer(.unenrollment), "IntuneMAMEnrollmentDelegate.h", isQuoted: true),
    Self("delegate check-in … code? STATUS", .answer(.checkIn), "IntuneMAMEnrollmentDelegate.h", isQuoted: true),
    Self("delegate enrollment … code? STATUS", .answer(.enrollment), "sdk#193", isQuoted: true),
    Self("received unenrollment result of? STATUS", .answer(.unenrollment), "sdk#316"),
    Self("unenrollment … status code? STATUS", .answer(.unenrollment), "description"),
    Self("unenrollment … result of? STATUS", .answer(.unenrollment), "description"),
    Self("unenrollment failure/failed STATUS", .answer(.unenrollment), "description"),
    Self("received check-in/policy result of? STATUS", .answer(.checkIn), "sdk#316"),
    Self("check-in … status code? STATUS", .answer(.checkIn), "description"),
    Self("check-in … result of? STATUS", .answer(.checkIn), "description"),
    Self("check-in failure/failed STATUS", .answer(.checkIn), "description"),
    Self("wipe … status code? STATUS", .answer(.checkIn), "description"),
    Self("received enrollment result of? STATUS", .answer(.enrollment), "sdk#316"),
    Self("enrollment … status code? STATUS", .answer(.enrollment), "sdk#316"),
    Self("enrollment … result of? STATUS", .answer(.enrollment), "description"),
    Self("enrollment failure/failed STATUS", .answer(.enrollment), "description"),
    Self("pre-requisite/pre-requisite's … status code? STATUS", .answer(.either), "description"),
    Self("policy were/was received and applied … status code? STATUS", .answer(.either), "sdk#20", isQuoted: true),
    Self(
      "unknown status code was received", .known("the service sent a status that the SDK does not know"), "sdk#20",
      isQuoted: true),
  ]

  // MARK: - Answers in words

  private static let codes: [FieldLogSentence] = [
    Self(
      "failed to get policy because the user is not the enrolled user", .code(.checkIn, .notEnrolledAccount), "sdk#527"),
    Self("policy were/was received and applied", .code(.either, .newPoliciesReceived), "sdk#20", isQuoted: true),
    Self("policy have/has not changed since", .code(.checkIn, .policiesHaveNotChanged), "header", isQuoted: true),
    Self("received a? selective? wipe command/request/order", .code(.checkIn, .wipeReceived), "header", isQuoted: true),
    Self("wipe command was? received", .code(.checkIn, .wipeReceived), "header", isQuoted: true),
    Self("no policy was/is targeted to the user", .code(.either, .noPolicyReceived), "header", isQuoted: true),
    Self(
      "successfully un-enrolled/unenrolled the user", .code(.unenrollment, .unenrollmentSuccess), "header",
      isQuoted: true),
    Self("user is not licensed for mam", .code(.either, .accountNotLicensed), "sdk#210", isQuoted: true),
    Self(
      "tenant is enabled for mam but the user is not licensed", .code(.either, .accountNotLicensed), "header",
      isQuoted: true),
    Self("internal error in the intune mam sdk", .code(.either, .internalError), "sdk#173", isQuoted: true),
    Self("could not access the user's aad token", .code(.either, .authRequired), "sdk#193", isQuoted: true),
    Self("auth required because the supplied user upn is nil", .code(.enrollment, .authRequired), "sdk#337"),
    Self(
      "failed to connect to the location service", .code(.enrollment, .locationServiceFailure), "header", isQuoted: true
    ),
    Self(
      "failed to connect to the enrollment endpoint", .code(.enrollment, .enrollmentEndPointNetworkFailure), "header",
      isQuoted: true),
    Self("failed to parse the service's response", .code(.either, .parsingFailure), "header", isQuoted: true),
    Self("received a nil value for the user's account upn", .code(.enrollment, .nilAccount), "sdk#412", isQuoted: true),
    Self("could not find aad object id for account", .code(.enrollment, .nilAccount), "sdk#444", isQuoted: true),
    Self("nil identity was passed", .code(.enrollment, .nilAccount), "header", isQuoted: true),
    Self("application is already enrolled", .code(.enrollment, .alreadyEnrolled), "header", isQuoted: true),
    Self(
      "requires a specific account provided by the 3rd party emm", .code(.enrollment, .notEmmAccount), "header",
      isQuoted: true),
    Self(
      "mdm enrolled under a different account", .code(.enrollment, .mdmEnrolledDifferentUser), "header", isQuoted: true),
    Self("identity does not match the device account", .code(.enrollment, .notDeviceAccount), "header", isQuoted: true),
    Self(
      "failed to connect to the policy endpoint", .code(.checkIn, .policyEndPointNetworkFailure), "header",
      isQuoted: true),
    Self("application is not enrolled", .code(.checkIn, .appNotEnrolled), "header", isQuoted: true),
    Self(
      "account does not match the currently enrolled account", .code(.checkIn, .notEnrolledAccount), "header",
      isQuoted: true),
    Self("failed to clear the account's data", .code(.unenrollment, .failedToClearMamData), "header", isQuoted: true),
    Self("operation has timed out", .code(.either, .timeout), "header", isQuoted: true),
    Self("generic error returned by adal/msal", .code(.either, .adalInternalError), "header", isQuoted: true),
    Self(
      "existing enrolled account will be removed first", .code(.enrollment, .switchExistingAccount), "header",
      isQuoted: true),
    Self("user canceled/cancelled the login prompt", .code(.enrollment, .loginCanceled), "header", isQuoted: true),
    Self("received/recieved a gone response", .code(.checkIn, .policyRecordGone), "header", isQuoted: true),
    Self(
      "enrollment can only be processed if the same user is still enrolled",
      .code(.enrollment, .reEnrollForUnenrolledUser), "header", isQuoted: true),
    Self("tenant is either undergoing a migration", .code(.either, .tenantMigration), "header", isQuoted: true),
    Self("not support enrollment from an extension", .code(.enrollment, .unsupportedAPI), "header", isQuoted: true),
    Self(
      "version of adal does not support this method", .code(.enrollment, .adalMethodUnsupported), "header",
      isQuoted: true),
    Self(
      "licensed for intune but is? not targeted with mam policy", .code(.enrollment, .licensedNotTargeted), "sdk#128",
      isQuoted: true),
    Self("device blocked the enrollment", .code(.enrollment, .deviceBlockedEnrollment), "header", isQuoted: true),
    Self(
      "only a single managed account is allowed", .code(.enrollment, .singleManagedAccountMode), "header",
      isQuoted: true),
  ]

  // MARK: - Wipes

  private static let wipes: [FieldLogSentence] = [
    Self("wipe/wiped/wiping data? … reason code? REASON", .wipe, "sdk#239"),
    Self("removed … reason code? REASON", .wipe, "sdk#693"),
    Self("wipe … did? complete/completed/finished", .wipeCompleted, "S000 Receive a notification"),
    Self("data/account/identity … was/is wiped", .wipeCompleted, "S000 Receive a notification"),
  ]

  // MARK: - Launch conditions

  private static let conditions: [FieldLogSentence] = [
    Self(
      "evaluation finished synchronously/asynchronously? for SETTING with? non-compliant", .settingNotMet, "sdk#121"),
    Self("evaluation finished synchronously/asynchronously? for SETTING with? compliant", .known(evaluated), "sdk#121"),
    Self("evaluation finished for ACCOUNT SETTING non-compliant", .settingNotMet, "description"),
    Self("completed compliance evaluation with status NUMBER", .known(evaluated), "sdk#337"),
    Self("compliance evaluation status NUMBER", .known(evaluated), "description"),
    Self("initializing conditional launch state for identity", .known(evaluated), "sdk#337"),
    Self("offline grace period has? expired", .condition(.offlineAccess, .block), "sdk#215"),
    Self("offline wipe timer/timeout/interval has? expired", .condition(.offlineWipe, .signInOrWipe), "sdk#239"),
    Self("reconnect to your organization", .condition(.offlineWipe, .signInOrWipe), "sdk#197"),
  ]
  private static let evaluated = "no event records an evaluation"

  // MARK: - Tokens

  private static let tokens: [FieldLogSentence] = [
    Self(
      "acquiretoken/acquiretokensilent returning with error msalerrordomain NUMBER", .tokenDenied, "MSAL",
      isQuoted: true),
    Self("msalerrordomain code? NUMBER", .tokenDenied, "sdk#59", isQuoted: true),
    Self("msalerrordomain error NUMBER", .tokenDenied, "sdk#193", isQuoted: true),
    Self(
      "no account provided for the silent request", .known("the token library has no account: no event records that"),
      "sdk#59", isQuoted: true),
    Self(
      "failed to get token for mam service", .known("the token is missing: the answer that follows says so"), "sdk#540"),
  ]

  // MARK: - Requests

  private static let requests: [FieldLogSentence] = [
    Self("unenrollment request", .request(.unenrollment), "description"),
    Self(
      "deregisterandunenrollaccount/deregisterandunenrollaccountid", .request(.unenrollment),
      "S001 Deregister user accounts"),
    Self("starting/started/beginning unenrollment", .request(.unenrollment), "description"),
    Self("check-in request", .request(.checkIn), "description"),
    Self("starting/started/beginning check-in", .request(.checkIn), "description"),
    Self("enrollment request", .request(.enrollment), "description"),
    Self("starting/started/beginning enrollment", .request(.enrollment), "description"),
    Self(
      "registerandenrollaccount/registerandenrollaccountid", .request(.enrollment),
      "S001 Apps that already use ADAL or MSAL"),
    Self("loginandenrollaccount", .request(.enrollment), "S001 Apps that don't use ADAL or MSAL"),
    Self("remediation … queued", .remediationQueued, "S000 New behavior"),
    Self("remediatecompliance … queued", .remediationQueued, "S000 New behavior"),
  ]

  // MARK: - Sentences that no event records

  private static let others: [FieldLogSentence] = [
    Self(
      "failed to get policy because", .known("a prerequisite failed, and the text names no status"), "sdk#527"),
    Self(
      "failed to enrollment user because", .known("a prerequisite failed, and the text names no status"),
      "description"),
    Self("result code from mam service manager NUMBER", .known("a legacy result code says no status"), "sdk#316"),
    Self("legacy result code of? NUMBER", .known("a legacy result code says no status"), "sdk#316"),
    Self(
      "pre-requisite/pre-requisite's … failed/failure", .known("a prerequisite failed, and the text names no status"),
      "description"),
    Self(
      "no time interval was found for the custom interval timer",
      .known("the interval of check-ins is the one without a policy"), "sdk#337"),
    Self("no device primary user found in keychain", .known("the device has no primary user"), "sdk#337"),
    Self("no primary user oid found", .known("the device has no primary user"), "sdk#538"),
    Self("loaded existing device id from keychain", .known("the device's id was there already"), "sdk#337"),
    Self("no mam shared cache found", .known("the SDK's store is new"), "sdk#337"),
    Self("no mam v2/v3 shared cache found", .known("the SDK's store is new"), "sdk#337"),
    Self(
      "discarding un-commited/uncommitted changes to the cache", .known("the SDK's store is left as it was"), "sdk#337"),
    Self("keychain keys found NUMBER", .known("the SDK counts its keys"), "sdk#337"),
    Self(
      "keychain utils was accessed before app was fully initialized",
      .known("the SDK was called before the app had started"), "sdk#538"),
    Self("config file not found", .known("an optional file is missing"), "sdk#538"),
    Self("is first launch", .known("the app is launched for the first time"), "sdk#538"),
  ]

  // MARK: - Settings

  /// What it means that a setting of the device is not met, by its name there.
  static func condition(of setting: String) -> (rule: LaunchRule, outcome: LaunchOutcome)? {
    settings[setting.lowercased()]
  }

  /// The names are those of a device's own encoding, which a policy's dump has too.
  private static let settings: [String: (rule: LaunchRule, outcome: LaunchOutcome)] = [
    "accessrecheckofflinetimeout": (.offlineAccess, .block), "allowediosmodelselseblock": (.deviceModel, .block),
    "allowediosmodelselsewipe": (.deviceModel, .wipe),
    "appactionifunabletoauthenticateuser": (.accountDisabled, .block),
    "authenticationenabled": (.signIn, .promptSignIn), "blockclockstatuswithgraceperiod": (.clockOut, .block),
    "devicecomplianceenabled": (.jailbreak, .block), "maxosversion": (.osMaximum, .block),
    "maxosversionwarning": (.osMaximum, .warn), "maxosversionwipe": (.osMaximum, .wipe),
    "minappversion": (.appVersion, .block), "minappversionwarning": (.appVersion, .warn),
    "minappversionwipe": (.appVersion, .wipe), "minimumrequireddevicethreatprotectionlevel": (.threatLevel, .block),
    "minosversion": (.osMinimum, .block), "minosversionwarning": (.osMinimum, .warn),
    "minosversionwipe": (.osMinimum, .wipe), "minsdkversion": (.sdkVersion, .block),
    "minsdkversionwarning": (.sdkVersion, .warn), "minsdkversionwipe": (.sdkVersion, .wipe),
    "offlinewipeinterval": (.offlineWipe, .signInOrWipe), "pinenabled": (.pin, .promptPIN),
    "pinexpirydays": (.pinExpired, .promptNewPIN), "pinminlength": (.pinQuality, .promptNewPIN),
    "pinnumretry": (.pinAttempts, .resetPIN), "requirefileencryption": (.devicePasscode, .block),
    "simplepinallowed": (.pinQuality, .promptNewPIN),
  ]
}
