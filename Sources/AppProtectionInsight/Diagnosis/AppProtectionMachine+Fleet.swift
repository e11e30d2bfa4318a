import AppProtection
import EventSourcing

extension AppProtectionMachine {
  /// The versions that a process started with, and the policy that an account received.
  public static func surroundings(of event: AppProtectionEvent) -> HistoryEnvironment? {
    if case .processStarted(let start) = event {
      return HistoryEnvironment(
        app: start.appVersion, engine: start.sdkVersion, system: start.osVersion, model: start.deviceModel)
    }
    guard case .policyReceived(let delivery) = event else { return nil }
    let about = delivery.document.about
    return HistoryEnvironment(policy: .init(id: about.id ?? "", revision: about.version ?? ""))
  }

  /// The versions that the last process started with.
  public static func surroundings(in state: AppProtectionState) -> HistoryEnvironment? {
    let process = state.process
    return HistoryEnvironment(
      app: process.appVersion, engine: process.sdkVersion, system: process.osVersion, model: process.deviceModel)
  }
}
