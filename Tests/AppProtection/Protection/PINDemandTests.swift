import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Whether a PIN is required")
struct PINDemandTests {
  private static let owner = ProtectionSituation.owner

  @Test("A PIN is required where the policy says so, unless a managed device's passcode takes its place")
  func demands() throws {
    let flags: [Bool?] = [nil, false, true]
    for isRequired in flags {
      for isReplaced in flags {
        for isManaged in flags {
          for hasPasscode in flags {
            var state = ProtectionSituation {
              $0.access.pinRequired = isRequired
              $0.access.disableAppPinIfDevicePinIsSet = isReplaced
            }.state()
            state.launch.device.isManaged = isManaged
            state.launch.device.hasPasscode = hasPasscode
            let decision = try FeatureTests.ask(state) { $0.pinDemand(for: Self.owner, explanation: &$1) }
            let isSkipped = isReplaced == true && isManaged == true && hasPasscode == true
            expectEqual(decision.outcome, isRequired == true && !isSkipped ? .required : .notRequired)
            expectEqual(
              decision.rule, isRequired != true ? "pinRequired.2" : isSkipped ? "pinRequired.3" : "pinRequired.4")
          }
        }
      }
    }
  }

  @Test("Nobody, and an account without a policy in force, needs no PIN")
  func unmanaged() throws {
    let state = ProtectionSituation { $0.access.pinRequired = true }.state()
    for account in [nil, ProtectionSituation.personal] {
      let decision = try FeatureTests.ask(state) { $0.pinDemand(for: account, explanation: &$1) }
      #expect(decision.outcome == .notRequired && decision.rule == "pinRequired.1")
    }
    #expect(PINDemand.required.name == "required" && PINDemand.notRequired.name == "notRequired")
  }
}
