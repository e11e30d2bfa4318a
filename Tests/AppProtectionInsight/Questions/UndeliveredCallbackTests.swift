import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Question: why does the delegate hear nothing?")
struct UndeliveredCallbackTests {
  @Test("A delegate is silent because nothing was asked or answered, or because the engine tried by itself")
  func waiting() throws {
    var app = try TestApp { $0.multiIdentity = true }
    expectEqual(app.state.delegateSilence(about: .a1), .notRegistered)
    try app.run(.registerAndEnroll(.a))
    expectEqual(app.state.delegateSilence(about: .a1), .noAnswer(since: 5))
    try app.run(.answerEnrollment(.a, .policy(TestApp.policy())))
    expectEqual(app.state.delegateSilence(about: .a1), .told(.newPoliciesReceived))
    try app.enroll(.b)
    let question = try app.enrollment(.a2).switchQuestion
    #expect(question != 0 && app.state.delegateSilence(about: .a2) == .userIsAsked(since: question))
  }

  @Test("T17: an enrollment that nobody asked for fails without a word")
  func automatic() throws {
    var app = try TestApp { $0.autoEnrollOnLaunch = true }
    try app.run(.setDeviceAccount(.a))
    try app.restart()
    expectEqual(app.status(1), .enrolling)
    try app.run(.answerEnrollment(.a, .failure(.init(.accountNotLicensed))))
    expectEqual(app.takeCallbacks(), [])
    expectEqual(app.state.delegateSilence(about: .a1), .automaticAttempt(.accountNotLicensed))
  }

  @Test("An SDK up to 14.1.1 says nothing where no policy targets the account", arguments: ["14.1.1", "14.1.2", ""])
  func oldSDK(version: String) throws {
    for (answer, code) in [
      (ServiceAnswer.noPolicy, EnrollmentStatusCode.noPolicyReceived),
      (.failure(.init(.licensedNotTargeted)), .licensedNotTargeted),
    ] {
      var app = try TestApp()
      var process = TestApp.process
      process.sdkVersion = version
      try app.run(.startProcess(process))
      try app.enroll(.a, answer)
      expectEqual(app.state.delegateSilence(about: .a1), version == "14.1.1" ? .oldSDK(code) : .told(code))
    }
  }

  @Test("Each reason for the delegate's silence is a sentence that says what to do")
  func sentences() {
    let sentences: [(UndeliveredCallback, String)] = [
      (.notRegistered, "the account is not registered, so the user was not asked: call registerAndEnroll"),
      (.noAnswer(since: 4), "event 4 asked the service, which has not answered: wait, or look at the network"),
      (.userIsAsked(since: 9), "event 9 asked the user which account to keep: the answer is awaited"),
      (
        .automaticAttempt(.timeout),
        "the enrollment at launch ended in 216, of which no callback informs: register the account to get one"
      ),
      (
        .oldSDK(.noPolicyReceived),
        "no policy targets the account (103), of which SDKs up to 14.1.1 say nothing: update the SDK"
      ),
      (
        .told(.newPoliciesReceived),
        "the delegate was called with 100: set it before the call, and keep it, for it is held weakly"
      ),
    ]
    for (silence, sentence) in sentences { expectEqual(silence.description, sentence) }
  }
}
