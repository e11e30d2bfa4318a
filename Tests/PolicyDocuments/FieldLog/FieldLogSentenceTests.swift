import AppProtection
import Testing

@testable import PolicyDocuments

/// The table of sentences: each has an example, made up for this test, and counts before every other sentence that the
/// example has.
@Suite("Sentences of the SDK's log")
struct FieldLogSentenceTests {
  /// For each shape, a text that has it.
  static let examples: [String: String] = [
    // Answers with a number.
    "delegate unenrollment … code? STATUS": "unenrollRequestWithStatus: statusCode = 215",
    "delegate check-in … code? STATUS": "policyRequest failure 212, error = (null)",
    "delegate enrollment … code? STATUS": "enrollmentRequest failure 203, error = nil",
    "received unenrollment result of? STATUS": "MAM_CHECKPOINT: CMARX: Received unenrollment result of 104",
    "unenrollment … status code? STATUS": "CMARX: Unenrollment of CMARScrubbedOID:a1 completed with status code 104",
    "unenrollment … result of? STATUS": "CMARX: unenrollment for CMARScrubbedOID:a1 finished, result: 215",
    "unenrollment failure/failed STATUS": "CMARX: Unenrollment failed 215",
    "received check-in/policy result of? STATUS": "MAM_CHECKPOINT: CMARX: Received policy result of 101",
    "check-in … status code? STATUS": "CMARX: Policy check-in failed for CMARScrubbedOID:a1 with status code 214",
    "check-in … result of? STATUS": "CMARX: checkin completed, result 101",
    "check-in failure/failed STATUS": "CMARX: Check-in failure 212",
    "wipe … status code? STATUS": "CMARX: Wipe received for CMARScrubbedOID:a1 status code 102",
    "received enrollment result of? STATUS":
      "MAM_CHECKPOINT: CMARX: Received enrollment result of 225 and returning legacy result code of 6",
    "enrollment … status code? STATUS": "CMARX: Enrollment failed with status code 201 and error code 0",
    "enrollment … result of? STATUS": "Enrolment of CMARScrubbedM:a1 completed, result: 203",
    "enrollment failure/failed STATUS": "CMARX: Enrollment failed 203",
    "pre-requisite/pre-requisite's … status code? STATUS": "CMARX: prerequisite failed with status code 209",
    "policy were/was received and applied … status code? STATUS":
      "New MAM policies were received and applied to the app with status code 100.",
    "unknown status code was received": "An unknown status code was received with status code 302.",
    // Answers in words.
    "failed to get policy because the user is not the enrolled user":
      "CMARX: Failed to get policy because the user is not the enrolled user.",
    "policy were/was received and applied": "New MAM policies were received and applied.",
    "policy have/has not changed since": "Policies have not changed since the request before.",
    "received a? selective? wipe command/request/order": "CMARX: Received wipe command for CMARScrubbedOID:a1",
    "wipe command was? received": "A selective wipe command was received.",
    "no policy was/is targeted to the user": "No policy was targeted to the user.",
    "successfully un-enrolled/unenrolled the user": "Successfully un-enrolled the user.",
    "user is not licensed for mam": "It could not be completed because the user is not licensed for MAM.",
    "tenant is enabled for mam but the user is not licensed":
      "The tenant is enabled for MAM, but the user is not licensed",
    "internal error in the intune mam sdk": "There was an internal error in the Intune MAM SDK.",
    "could not access the user's aad token": "It failed because the SDK could not access the user’s AAD token.",
    "auth required because the supplied user upn is nil":
      "CMARY : Failed enrollment operation with auth required because the supplied user upn is nil for enrollment trigger 104",
    "failed to connect to the location service": "Failed to connect to the location service",
    "failed to connect to the enrollment endpoint": "Failed to connect to the enrollment endpoint",
    "failed to parse the service's response": "Failed to parse the service's response",
    "received a nil value for the user's account upn":
      "The SDK failed received a nil value for the user's account UPN.",
    "could not find aad object id for account":
      "Invalid identity. Could not find AAD object id for account: bob@contoso.com",
    "nil identity was passed": "Nil identity was passed to SDK",
    "application is already enrolled": "It failed because the application is already enrolled",
    "requires a specific account provided by the 3rd party emm":
      "The SDK requires a specific account provided by the 3rd party EMM",
    "mdm enrolled under a different account": "The device is MDM enrolled under a different account",
    "identity does not match the device account": "The provided identity does not match the device account",
    "failed to connect to the policy endpoint": "Failed to connect to the policy endpoint",
    "application is not enrolled": "It failed because the application is not enrolled",
    "account does not match the currently enrolled account":
      "The provided account does not match the currently enrolled account",
    "failed to clear the account's data": "Failed to clear the account's data from the SDK",
    "operation has timed out": "The operation has timed out",
    "generic error returned by adal/msal": "Generic error returned by MSAL",
    "existing enrolled account will be removed first": "The existing enrolled account will be removed first",
    "user canceled/cancelled the login prompt": "The user cancelled the login prompt",
    "received/recieved a gone response": "We recieved a Gone response from the service",
    "enrollment can only be processed if the same user is still enrolled":
      "reenrolls can only be processed if the same user is still enrolled in the app",
    "tenant is either undergoing a migration": "The user's tenant is either undergoing a migration or something else",
    "not support enrollment from an extension": "MAM does not support enrolling from an extension",
    "version of adal does not support this method": "The linked version of ADAL does not support this method",
    "licensed for intune but is? not targeted with mam policy":
      "The account is licensed for Intune but is not targeted with MAM policy.",
    "device blocked the enrollment": "The device blocked the enrollment",
    "only a single managed account is allowed": "It failed because only a single managed account is allowed",
    // Wipes.
    "wipe/wiped/wiping data? … reason code? REASON":
      "CMARX: Wiping data of identity CMARScrubbedIdentity:a1, reason code 608",
    "removed … reason code? REASON": "Alert: account removed, reason code: 607",
    "wipe … did? complete/completed/finished": "CMARX: wipe for CMARScrubbedOID:a1 completed",
    "data/account/identity … was/is wiped": "CMARX: data of the account was wiped",
    // Launch conditions.
    "evaluation finished synchronously/asynchronously? for SETTING with? non-compliant":
      "Evaluation finished synchronously for MinOsVersion with non-compliant.",
    "evaluation finished synchronously/asynchronously? for SETTING with? compliant":
      "Evaluation finished asynchronously for MinOsVersion with compliant.",
    "evaluation finished for ACCOUNT SETTING non-compliant":
      "CMARX: evaluation finished for CMARScrubbedOID:a1: PINEnabled non-compliant",
    "completed compliance evaluation with status NUMBER":
      "Completed compliance evaluation with status 0x0 for identity",
    "compliance evaluation status NUMBER": "CMARX compliance evaluation status 0x2 for CMARScrubbedOID:a1",
    "initializing conditional launch state for identity": "Initializing conditional launch state for identity:",
    "offline grace period has? expired": "Alert: Offline Grace Period Expired",
    "offline wipe timer/timeout/interval has? expired": "CMARX: offline wipe timer has expired",
    "reconnect to your organization": "Alert: Reconnect to Your Organization",
    // Tokens.
    "msalerrordomain code? NUMBER": "Error Domain=MSALErrorDomain Code=-50002",
    "msalerrordomain error NUMBER": "It could not be completed. (MSALErrorDomain error -50004.)",
    "acquiretoken/acquiretokensilent returning with error msalerrordomain NUMBER":
      "acquireToken returning with error: (MSALErrorDomain, -50004) Protection is required",
    "no account provided for the silent request": "No account provided for the silent request.",
    "failed to get token for mam service": "Failed to get token for MAM Service",
    // Requests.
    "unenrollment request": "CMARX: unenrollment request for CMARScrubbedOID:a1",
    "deregisterandunenrollaccount/deregisterandunenrollaccountid": "deRegisterAndUnenrollAccountId: CMARScrubbedOID:a1",
    "starting/started/beginning unenrollment": "CMARX: Starting unenrollment of CMARScrubbedOID:a1",
    "check-in request": "CMARX: check-in request for CMARScrubbedOID:a1",
    "starting/started/beginning check-in": "CMARX: Starting check in of CMARScrubbedOID:a1",
    "enrollment request": "CMARX: enrollment request for CMARScrubbedOID:a1",
    "starting/started/beginning enrollment": "CMARX: Beginning enrolment of CMARScrubbedOID:a1",
    "registerandenrollaccount/registerandenrollaccountid": "registerAndEnrollAccountId: CMARScrubbedOID:a1",
    "loginandenrollaccount": "loginAndEnrollAccount: bob@contoso.com",
    "remediation … queued": "CMARX: remediation of CMARScrubbedOID:a1 queued",
    "remediatecompliance … queued": "remediateCompliance for CMARScrubbedOID:a1 queued",
    // What no event records.
    "failed to get policy because": "CMARX: Failed to get policy because of something else.",
    "failed to enrollment user because": "CMARX: Failed to enroll user because of something else.",
    "result code from mam service manager NUMBER": "Auto-enrollment failed. Result code from MAM Service Manager: 6",
    "legacy result code of? NUMBER": "CMARX: returning legacy result code of 6",
    "pre-requisite/pre-requisite's … failed/failure": "CMARX pre-requisite failed for CMARScrubbedURL:99ff",
    "no time interval was found for the custom interval timer":
      "CMARX: No time interval was found for the custom interval timer, defaulting to not targeted",
    "no device primary user found in keychain": "MAMX: No Device Primary User found in keychain: 1",
    "no primary user oid found": "MAMX: No primary User OID found in the keychain.",
    "loaded existing device id from keychain": "MAMX: Loaded existing Device ID from Keychain",
    "no mam shared cache found": "MAMX: No MAM Shared Cache found in keychain",
    "no mam v2/v3 shared cache found": "MAMX: No MAM V2 Shared Cache found in keychain",
    "discarding un-commited/uncommitted changes to the cache": "CMARX: Discarding un-commited changes to the cache.",
    "keychain keys found NUMBER": "Keychain keys found: 1",
    "keychain utils was accessed before app was fully initialized":
      "CMARX: Keychain utils was accessed before app was fully initialized",
    "config file not found": "MAM611 Config file not found: Config.plist",
    "is first launch": "MAM611 Is first launch",
  ]

  @Test("The table has at least 60 sentences, each with a shape and a source of its own")
  func count() {
    let all = FieldLogSentence.all
    #expect(all.count >= 60, "\(all.count)")
    #expect(Set(all.map(\.shape)).count == all.count, "two sentences have one shape")
    for sentence in all { #expect(!sentence.source.isEmpty && !sentence.shape.isEmpty, "\(sentence.shape)") }
    #expect(Set(Self.examples.keys) == Set(all.map(\.shape)), "sentences and examples differ")
  }

  @Test("Each sentence is found in its example, before every other one")
  func examplesAreFound() {
    for (shape, text) in Self.examples {
      let found = FieldLogSentence.first(in: FieldLogWord.words(of: text.replacing("’", with: "'")), isOfSDK: true)
      #expect(found?.sentence.shape == shape, "\(text): \(found?.sentence.shape ?? "none")")
    }
  }

  @Test("An example that says more than that something is known becomes a fact of that kind")
  func facts() {
    for sentence in FieldLogSentence.all {
      guard let text = Self.examples[sentence.shape] else { continue }
      var log = FieldLog()
      let next = "\n2024-03-04T08:10:01.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: nothing\n"
      let line = "2024-03-04T08:10:00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(text)\(next)"
      log.read([FieldLog.File("x", Array(line.utf8))])
      let content = log.facts.first?.content
      switch (sentence.meaning, content) {
      case (.answer(let request), .answer(let asked, _, _)): #expect(request == asked, "\(text)")
      case (.code(let request, let code), .answer(let asked, let answered, _)):
        #expect(request == asked && code == answered, "\(text)")
      case (.request(let request), .request(let asked)): #expect(request == asked, "\(text)")
      case (.wipe, .wipe), (.wipeCompleted, .wipeCompleted), (.settingNotMet, .condition), (.condition, .condition),
        (.tokenDenied, .tokenDenied), (.remediationQueued, .remediationQueued):
        break
      case (.known(let reason), nil): #expect(log.skippedCounts[reason] == 1, "\(text): \(log.skippedCounts)")
      default: Issue.record("\(text): \(content.map { "\($0)" } ?? "no fact"), \(log.skippedCounts)")
      }
    }
  }

  @Test(
    "A status of something else is not the service's answer",
    arguments: [
      "Enrollment of CMARScrubbedOID:a1 started; keychain status 201", "Enrollment database returned status 201",
      "SQLite status 201 before enrollment", "check-in telemetry upload finished with status 203",
      "Token cache status 203 for enrollment", "Enrolled account CMARScrubbedOID:a1 status: 203",
      "Failed enrollment operation for enrollment trigger 204", "check-in response HTTP status 214",
      "Enrollment certificate result 210", "wipe of temporary files, status 102 pending uploads",
    ])
  func otherStatus(text: String) {
    var log = FieldLog()
    log.read([
      FieldLog.File("x", Array("2024-03-04T08:10:00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(text)\n".utf8))
    ])
    let answers = log.facts.filter { if case .answer = $0.content { true } else { false } }
    #expect(answers.isEmpty, "\(answers.map(\.content))")
  }

  @Test("A line of another subsystem is not read as the SDK's, and what an app quotes is")
  func quoted() {
    func facts(_ text: String) -> [FieldLog.Content] {
      var log = FieldLog()
      log.read([FieldLog.File("x", Array("2024-03-21 08:59:45.429123+0000 App[12:34] \(text)\n\n".utf8))])
      return log.facts.map(\.content)
    }
    #expect(facts("Enrollment failed with status code 201").isEmpty && facts("Device enrollment failed 201").isEmpty)
    #expect(facts("enrollmentRequest took 203 ms, status of the cache 201").isEmpty)
    #expect(facts("enrollmentRequest failure 203, error = x") == [.answer(.enrollment, .authRequired, error: "")])
    #expect(
      facts("status.errorString: The account is licensed for Intune but is not targeted with MAM policy.").count == 1)
  }

  @Test("The names of codes count as their numbers")
  func names() {
    var log = FieldLog()
    let line = "2024-03-04T08:10:00.000Z\tINFO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: "
    log.read([
      FieldLog.File("x", Array("\(line)Enrollment failed, StatusCode: MAMEnrollmentStatusAuthRequired\n\n".utf8))
    ])
    #expect(log.facts.map(\.content) == [.answer(.enrollment, .authRequired, error: "")])
  }
}
