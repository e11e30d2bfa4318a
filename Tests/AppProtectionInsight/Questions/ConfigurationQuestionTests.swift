import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Questions about a key of the app configuration")
struct ConfigurationQuestionTests {
  private typealias Values = [(key: String, text: String)]

  private static func entry(_ values: Values, isDefault: Bool = false) -> ConfigurationEntry {
    ConfigurationEntry(values.map { ConfigurationValue($0.key, $0.text) }, isDefault: isDefault)
  }

  private static func state(_ entries: [ConfigurationEntry], device: Values = []) throws -> AppProtectionState {
    var app = try TestApp()
    try app.enroll(.a)
    var state = app.state
    state.configuration.accounts.set(ConfigurationRecord(account: .a1, entries: entries, receivedBy: 41))
    if !device.isEmpty {
      var delivered = DeviceConfiguration()
      delivered.values = device.map { ConfigurationValue($0.key, $0.text) }
      state.configuration.device = delivered
    }
    return state
  }

  @Test("Each source of a value is told from the others, decides alone, and names its configurations and their event")
  func sources() throws {
    let (color, other) = ([(key: "color", text: "red")], [(key: "color", text: "blue")])
    for (entries, device, outcome, reason) in [
      ([Self.entry(color)], [], .targeted, "configuration 1 of event 41 targets the account"),
      (
        [Self.entry(other, isDefault: true), Self.entry(color), Self.entry(color)], [], .targeted,
        "configurations 2, 3 of event 41 target the account and agree"
      ),
      (
        [Self.entry(color), Self.entry(other)], other, .conflict,
        "configurations 1, 2 of event 41 target the account and differ, and an app that does not settle it reads the first"
      ),
      (
        [Self.entry([("size", "9")]), Self.entry(color, isDefault: true)], [], .tenantDefault,
        "configuration 2 of event 41 is the tenant's default, and none that targets the account has the key"
      ),
      (
        [Self.entry([("size", "9")])], color, .device,
        "device management gives it to the app, and no configuration of the account has the key"
      ),
      ([], [], .unset, "no configuration has the key"),
    ] as [([ConfigurationEntry], Values, ConfigurationOutcome, String)] {
      let state = try Self.state(entries, device: device)
      var explanation = Explanation(recording: true)
      let answer = state.answer(
        .config(key: "color", .a1), at: Moment(wallNanoseconds: 0), explanation: &explanation)
      expectEqual(answer.name, outcome.name)
      expectEqual(answer.reason, reason)
      expectEqual(explanation.steps.filter(\.decides).map(\.rule), [answer.rule ?? ""], "\(outcome)")
      for read in explanation.steps.flatMap(\.reads) { #expect(read.value != .unset, "\(read.path)") }
    }
  }

  @Test("An account that is not enrolled has no configuration, and a key that is a secret is not found")
  func withheld() throws {
    var app = try TestApp()
    try app.enroll(.a)
    var state = app.state
    var secret = ConfigurationValue("color", "red")
    (secret.isSecret, secret.isKeySecret) = (true, true)
    state.configuration.accounts.set(
      ConfigurationRecord(account: .a1, entries: [ConfigurationEntry([secret])], receivedBy: 41))
    var explanation = Explanation()
    let moment = Moment(wallNanoseconds: 0)
    expectEqual(state.answer(.config(key: "color", .a1), at: moment, explanation: &explanation).name, "unset")
    state.accounts.update(.a1) { $0.enrollment.status = .registered }
    expectEqual(state.answer(.config(key: "color", .a1), at: moment, explanation: &explanation).name, "notEnrolled")
  }
}
