import Testing

@testable import AppProtection

@Suite("Values that no output contains")
struct LogScrubberTests {
  @Test("S-93: a value is taken out of every text that reaches the journal")
  func texts() throws {
    let scrubber = LogScrubber(["secret", "", "secretly"])
    #expect(scrubber.scrub("a secret, secretly kept") == "a [scrubbed], [scrubbed] kept")
    let failure = ServiceFailure(.timeout, error: "secret")
    let commands: [AppProtectionCommand] = [
      .registerAndEnroll(.a), .answerEnrollment(.a, .failure(failure)), .acquireToken(.a),
      .loginAndEnroll(.a), .answerEnrollment(.a, .policy(TestApp.policy())), .requestCheckIn(.a),
      .answerCheckIn(.a, .failure(failure)), .remediateCompliance(.a, isSilent: true), .answerRestart(.dialogShown),
      .startProcess(TestApp.process), .answerRemediation(.a, .notCompliant, message: "secret", title: "secret"),
      .deregisterAndUnenroll(.a, wipe: true),
      .answerWipe(.a, removedEverything: false), .reportFilesLeft(.a, count: 1, error: "secret"),
      .reportFilesRemoved(.a, count: 1), .answerUnenrollment(.a, failure: ServiceFailure(.timeout, error: "secret")),
    ]
    var app = try TestApp()
    for command in commands {
      do { try app.run(scrubber.scrub(command)) } catch is AppProtectionRejection {}
    }
    var texts = 0
    for (event, _) in app.history {
      let body = String(decoding: EventCatalogTests.body(of: event), as: UTF8.self)
      #expect(!body.contains("secret"), "\(event)")
      if body.contains(LogScrubber.replacement) { texts += 1 }
    }
    #expect(texts == 5)
  }

  @Test("Without values nothing changes")
  func nothing() {
    let command = AppProtectionCommand.reportFilesLeft(.a, count: 1, error: "e")
    #expect(LogScrubber([""]).scrub(command) == command)
    #expect(LogScrubber(["x"]).scrub(.startDueWork) == .startDueWork)
  }
}
