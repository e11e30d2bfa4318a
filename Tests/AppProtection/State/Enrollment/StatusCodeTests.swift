import Expectations
import Testing

@testable import AppProtection

@Suite("Status codes, reasons and what is printed")
struct StatusCodeTests {
  @Test("One legacy result code is published: 6, beside 201")
  func legacyResultCode() {
    let codes = EnrollmentStatusCode.table.filter { $0.code.legacyResultCode != nil }
    expectEqual(codes.map(\.code), [.internalError])
    expectEqual(EnrollmentStatusCode.internalError.legacyResultCode, 6)
  }

  @Test("Every code from 100 to 104 and from 200 to 227 is in the table, once, with a consequence")
  func complete() {
    let numbers = EnrollmentStatusCode.table.map(\.code.rawValue)
    expectEqual(numbers, Array(100...104) + Array(200...227))
    expectEqual(Set(EnrollmentStatusCode.table.map(\.name)).count, numbers.count)
    for entry in EnrollmentStatusCode.table {
      #expect(entry.consequence.hasSuffix("."), "\(entry.name)")
      expectEqual(entry.code.isSuccess, entry.classification == .success, "\(entry.name)")
      expectEqual(entry.code.description, "\(entry.code.rawValue) \(entry.name)")
    }
  }

  @Test("The consequence of 201, 203 and 207 says what to look at or to do")
  func consequences() {
    let consequences: [(EnrollmentStatusCode, String)] = [
      (.internalError, "Check the app's registration: client id, redirect URI, tenant."),
      (.authRequired, "The user must sign in; a silent repetition cannot succeed."),
      (.nilAccount, "Pass the account's object id; for a name none was found."),
    ]
    for (code, consequence) in consequences { expectEqual(code.entry?.consequence, consequence) }
  }

  static let classTable: [([UInt32], EnrollmentStatusCode.Class, EnrollmentStatusCode.Repetition)] = [
    ([100, 101, 102, 103, 104], .success, .never), ([209, 210, 211], .terminal, .never),
    ([204, 205, 212, 216], .transient, .backoff), ([203], .failure, .afterSignIn),
    ([200, 201, 206, 213, 214, 215, 217, 222, 225, 226], .failure, .scheduled), ([221, 227], .failure, .never),
    ([202], .obsolete, .scheduled), ([208], .benign, .never), ([218], .inProgress, .never), ([219], .user, .never),
    ([220], .service, .scheduled), ([207, 223, 224], .programmingError, .never),
    ([228, 99, 400], .unknown, .scheduled), ([105, 302], .warning, .scheduled),
  ]

  @Test("The table of classes has every code")
  func everyCode() {
    let known = Set(EnrollmentStatusCode.table.map(\.code.rawValue))
    #expect(Set(Self.classTable.flatMap(\.0)).isSuperset(of: known))
  }

  @Test("A known code of success is no failure: an answer that says both cannot be read")
  func successIsNoFailure() {
    for entry in EnrollmentStatusCode.table {
      let failure = ServiceFailure(entry.code, error: "why")
      expectEqual(failure.code, entry.classification == .success ? .parsingFailure : entry.code)
      expectEqual(failure.error, "why")
    }
    expectEqual(ServiceFailure(.init(rawValue: 105)).code.rawValue, 105, "an unknown number is kept")
  }

  @Test(
    "The class of a code decides whether its request is repeated",
    arguments: classTable)
  func classes(
    numbers: [UInt32], classification: EnrollmentStatusCode.Class, repetition: EnrollmentStatusCode.Repetition
  ) {
    for code in numbers.map(EnrollmentStatusCode.init(rawValue:)) {
      expectEqual(code.classification, classification, "\(code)")
      expectEqual(code.repetition, repetition, "\(code)")
      expectEqual(code.requiresRemoval, classification == .terminal, "\(code)")
    }
  }

  @Test("The versions that introduced codes are those of the record")
  func introduced() {
    let known = EnrollmentStatusCode.table.filter { $0.introduced != nil }
      .map { "\($0.code.rawValue) \($0.introduced ?? "")" }
    expectEqual(
      known,
      [
        "220 6.0.13", "221 6.0.13", "223 8.1.1", "225 10.0.1", "226 14.3.0", "227 17.5.0",
      ])
  }

  @Test("A wipe's reason has a name, or its number")
  func wipeReasons() {
    #expect(WipeReason.appRequest.rawValue == 607 && WipeReason.appRequest.name == "appRequest")
    #expect(WipeReason.offlineInterval.rawValue == 608 && "\(WipeReason.offlineInterval)" == "offlineInterval")
    expectEqual(WipeReason(rawValue: 609).name, "unknown(609)")
  }

  @Test("The SDK's numbers are kept")
  func sdkNumbers() {
    expectEqual(
      SwitchIdentityResult.allCases.map { "\($0.rawValue) \($0.name)" },
      [
        "0 success", "1 canceled", "2 notAllowed", "3 failed",
      ])
    expectEqual(
      IdentitySwitchReason.allCases.map { "\($0.rawValue) \($0.name)" },
      [
        "0 openURL", "1 cancelConditionalLaunch", "2 documentImport",
      ])
    expectEqual(
      ComplianceStatus.allCases.map { "\($0.rawValue) \($0.name)" },
      [
        "0 compliant", "1 notCompliant", "2 serviceFailure", "3 networkFailure", "4 interactionRequired",
        "5 userCancelled",
      ])
  }

  @Test("A rejection says what was refused, why, and what to do")
  func rejections() {
    let texts: [(AppProtectionRejection, String, String)] = [
      (.missingAccount, "T4", "no account was named (207): pass the object id or the user principal name"),
      (.calledFromExtension, "T3", "an app extension cannot do this (223): call from the app itself"),
      (.alreadyRegistered(.a1), "T2", "a1 is registered already: nothing to do"),
      (.unknownAccount, "account.known", "the journal knows no such account: register it first"),
      (.notRegistered(.a1), "account.registered", "a1 is not registered: call registerAndEnroll first"),
      (.leaving(.a1), "account.staying", "a1 is leaving: wait until its wipe or unenrollment has ended"),
      (.notEnrolled(.a1), "account.enrolled", "a1 is not enrolled: wait until its enrollment has succeeded"),
      (
        .notManaged(.a1), "account.managed",
        "a1 has had no policy since its last wipe: an unmanaged account's data is never wiped"
      ),
      (.notAllowed(.a1), "T35", "a1 may not sign in on this device: sign it out (allowed accounts)"),
      (
        .nothingAsked(.checkIn, .a1), "question.asked",
        "there is no check-in to answer for a1: answer only pending work"
      ),
      (.nothingAsked(.login, nil), "question.asked", "there is no login to answer: answer only pending work"),
      (
        .staleAnswer(.checkIn, .a1), "question.current",
        "this answers an earlier check-in of a1: answer the one that is pending"
      ),
      (
        .notReady(.a1), "remediation.ready",
        "a1 is not ready to be remediated: wait until its enrollment and the restart have ended"
      ),
      (
        .remediationInProgress(.a1), "remediation.idle",
        "a1 is being remediated or waits for it: wait for the callback"
      ),
      (
        .invalidScope, "identity.scope",
        "the thread's label is not usable: take 1 to 64 ASCII letters, digits, '.', '-' or '_'"
      ),
      (.tooManyAccounts, "account.number", "the journal has no account number left: begin a new journal"),
      (
        .pinExceeded, "launch.pinAttempts",
        "the PIN was wrong too often: sign in with the account, then choose another PIN"
      ),
      (.pinNotProved, "pin.proved", "a wrong PIN was given last: give the right one, then choose another"),
      (
        .biometricsRefused(.a1), "pin.biometrics",
        "biometrics do not take the place of the PIN for a1: ask for the PIN"
      ),
      (.notStarted, "process.started", "no process was started: start one first"),
    ]
    for (rejection, rule, text) in texts {
      expectEqual(rejection.rule, rule)
      expectEqual(rejection.description, text)
    }
  }

  @Test("A reference prints its number, its name or its object id")
  func references() {
    expectEqual(AccountReference(.a2).description, "a2")
    expectEqual(AccountReference.a.description, "a@contoso.com")
    expectEqual(AccountReference(objectID: EventSamples.guid).description, "01234567-89ab-cdef-0123-456789abcdef")
    expectEqual(AccountReference().description, "no account")
  }
}
