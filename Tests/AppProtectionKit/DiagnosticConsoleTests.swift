import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("The diagnostic console")
struct DiagnosticConsoleTests {
  @Test("Its document holds the device, the app, and every account with its check-ins and policy settings")
  func information() async throws {
    let test = try await PolicyManagerTests.enrolled()
    var process = ProcessStart()
    (process.appVersion, process.osVersion, process.sdkVersion) = ("2.1", "17.5", "19.2.0")
    try test.replaceEngine()
    try await test.engine.launch(process)
    try await test.engine.send(.requestCheckIn(PolicyEngineTests.alice))
    try await test.engine.run()
    let information = test.engine.diagnostics.information()
    func value(_ path: String) -> StateValue? {
      if case .value(let value)? = information[path: path] { value } else { nil }
    }
    #expect(value("/app/version") == .text("2.1") && value("/device/iOSVersion") == .text("17.5"))
    expectEqual(value("/app/lastEvent"), .sequence(test.engine.store.lastSequence))
    expectEqual(value("/app/policySource"), .name("mam"))
    expectEqual(value("/accounts/a1/upn"), .personal("alice@contoso.com", .account))
    expectEqual(value("/accounts/a1/lastCode"), .integer(101))
    expectEqual(value("/accounts/a1/lastCompletedCheckIn"), .time(test.app.now().wallNanoseconds))
    #expect(information[path: "/accounts/a1/policySettings/saveAsBlocked"] != nil)
  }

  @Test("Nothing is personal without being marked")
  func privacy() async throws {
    let test = try await PolicyManagerTests.enrolled()
    for leaf in test.engine.diagnostics.information().leaves() {
      switch leaf.value {
      case .text(let text), .name(let text): #expect(!text.contains("@"), "\(leaf.path)")
      case .unset, .bool, .integer, .personal, .sealed, .time, .duration, .sequence, .list: break
      }
    }
  }
}
