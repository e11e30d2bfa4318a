import Expectations
import EventSourcing
import Testing
import WireFormat

@testable import AppProtection

@Suite("Values that no output contains")
struct LogScrubberTests {
  @Test("S-93: a value is taken out of every text that reaches the journal")
  func texts() throws {
    let scrubber = LogScrubber(["secret", "", "secretly"])
    expectEqual(scrubber.scrub("a secret, secretly kept"), "a [scrubbed], [scrubbed] kept")
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
    expectEqual(texts, 5)
  }

  @Test("S-93: a configured key that holds a listed value is read by the app, and withheld as the value is")
  func keys() throws {
    let scrubber = LogScrubber(["hunter2"])
    let values = [ConfigurationValue("hunter2", "v"), ConfigurationValue("k", "hunter2"), ConfigurationValue("x", "v")]
    var app = try TestApp()
    try app.enroll(.a)
    try app.run(
      scrubber.scrub(.deliverConfiguration(.a, [ConfigurationEntry(values)])),
      scrubber.scrub(.setDeviceConfiguration(values)))
    expectEqual(app.state.appConfiguration(for: .a1).string("hunter2"), "v")
    let device = try #require(app.state.configuration.device)
    expectEqual(device.values.map(\.key), ["hunter2", "k", "x"])
    expectEqual(device.values.map(\.isKeySecret), [true, false, false])
    let tree = ConfigurationValue.tree(device.values)
    #expect(tree[path: "/%secret1"] != nil && tree[path: "/hunter2"] == nil)
    expectEqual(tree[path: "/k"], .value(.personal("hunter2", .secret)))
    let fields = "\(ConfigurationValue.descriptor.fields.filter { $0.privacy == .secret }.map(\.name))"
    expectEqual(fields, "[\"secretText\", \"secretKey\"]")
    for value in device.values {
      var writer = WireWriter()
      value.encode(into: &writer)
      for field in MessageFields(writer.bytes, as: ConfigurationValue.descriptor).fields
      where field.name == "key" || field.name == "text" {
        #expect(!"\(field.values)".contains("hunter2"))
      }
      let read = try writer.bytes.withUnsafeBytes { buffer in
        var reader = WireReader(buffer)
        return try ConfigurationValue(from: &reader)
      }
      expectEqual(read, value)
    }
  }

  @Test("Without values nothing changes")
  func nothing() {
    let command = AppProtectionCommand.reportFilesLeft(.a, count: 1, error: "e")
    expectEqual(LogScrubber([""]).scrub(command), command)
    expectEqual(LogScrubber(["x"]).scrub(.startDueWork), .startDueWork)
  }
}
